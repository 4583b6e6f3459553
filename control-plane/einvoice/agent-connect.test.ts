import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pdfOf } from '@drawbridge/records/pdf/pdf.kit.ts';
import { ciiOf } from '@drawbridge/validation/source/cii.sample.ts';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { runCommand } from '../../test/kit/agent-commands.ts';
import { type Harness, startHarness } from './harness.kit.ts';

vi.setConfig({ testTimeout: 240_000 });

/** A whole control plane, and an agent that is led from an ERP to its first accepted invoice. */
let harness: Harness;
let home: string;
beforeAll(async () => {
  harness = await startHarness();
  home = await mkdtemp(join(dirname(harness.erp.file), 'agent-'));
  const { body: token } = await harness.call('POST /v1/agents/enrolment-tokens', {});
  await runCommand(home, ['enroll', '--url', harness.urls.sandbox], { input: token.token });
}, 120_000);
afterAll(async () => {
  await harness?.stop();
  await rm(home, { recursive: true, force: true });
});

const shop = [
  'create table firm (id integer primary key, company_name text, address text, city text, country text, vat_number text)',
  "insert into firm values (1, 'Sample Trading BV', 'Meir 7', 'Antwerpen', 'Belgium', 'BE 0403.019.261')",
  'create table customer (id integer primary key, name text, address text, city text, country text)',
  "insert into customer values (1, 'Gulf Star BV', 'Meir 1', 'Antwerpen', 'Belgium')",
  'create table invoice (id integer primary key, number text unique, invoice_date text, due_date text, customer_id integer references customer (id), total numeric)',
  "insert into invoice values (1, 'INV-1', '2026-01-31', '2026-02-28', 1, 20), (2, 'INV-2', '2026-02-28', '2026-03-31', 1, 10)",
  'create table invoice_line (id integer primary key, invoice_id integer references invoice (id), description text, quantity numeric, unit_price numeric, net_amount numeric)',
  "insert into invoice_line values (1, 1, 'Pump', 2, 10, 20), (2, 2, 'Hose', 1, 10, 10)",
].join(';');

/** What the database does not say; the rest is as it is proposed, the company's own name and number too. */
const answers: Readonly<Record<string, string>> = {
  profile: 'BIS-3.0',
  'company.default_currency': 'EUR',
  'company.default_unit': 'H87',
  'field.buyer.endpoint': '0208:0403019261',
  'field.lines[].tax.category': 'Z',
  'field.buyer_reference': 'none',
};

/** Goes on until nothing is open; each objection is answered once. */
async function led(address: string) {
  const given = Object.entries(answers).map(([id, value]) => `${id}=${value}`);
  const key = harness.acme.keys.sandbox;
  const connect = async (reasons: readonly string[]) => {
    const args = ['connect', address, '--yes', '--json', '--answer', ...given, ...reasons];
    const { stdout, stderr } = await runCommand(home, args, { env: { DRAWBRIDGE_API_KEY: key } });
    expect(stdout + stderr).not.toContain(key);
    return JSON.parse(stdout);
  };
  let reasons: string[] = [];
  let answered = await connect(reasons);
  for (let count = 0; answered.error !== undefined; count++) {
    expect(answered.error.cause).toMatch(/question "obj_\w+" is open/);
    expect(count).toBeLessThan(5);
    reasons = [`${/"(obj_\w+)"/.exec(answered.error.cause)![1]}=Known in the shop`];
    answered = await connect(reasons);
  }
  return { answered, reasons };
}

test('questions lead from a database to an invoice that is accepted; objections want an answer of their own', async () => {
  const file = join(home, 'shop.db');
  new Database(file).exec(shop).close();
  const another = ['connect', file, '--yes', '--json', '--answer', 'profile=PINT-MY'];
  const env = { DRAWBRIDGE_API_KEY: harness.acme.keys.sandbox };
  expect((await runCommand(home, another, { env })).stdout).toMatch(/question .* is open/);
  const { answered, reasons } = await led(file);
  expect(reasons).not.toEqual([]);
  expect(answered).toMatchObject({
    connector: 'shop',
    connector_id: expect.stringMatching(/^cnx_/),
    invoice: { source_ref: 'INV-2' },
    submit_from: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
  });
  expect(['delivered', 'submitted', 'validated']).toContain(answered.invoice.status);
  const shown = await runCommand(home, ['connector', 'show', 'shop', '--json']);
  expect(JSON.parse(shown.stdout)).toMatchObject({ watch: true });
  // The draft of the other profile is gone.
  const tried = await runCommand(home, ['mapping', 'test', 'shop', '--json']);
  expect(JSON.parse(tried.stdout)).toMatchObject({ documents: { refused: 0 } });
  const { body } = await harness.call('GET /v1/company');
  expect(body.company).toMatchObject({
    legal_name: 'Sample Trading BV',
    address_line1: 'Meir 7',
    country: 'BE',
    vat: 'BE0403019261',
    endpoint_scheme: '0208',
  });
  // Led there once more it ends too, and so does another source with the same invoices.
  const { connector, connector_id, submit_from } = answered;
  const again = { connector, connector_id, submit_from, questions: 0 };
  expect((await led(file)).answered).toEqual(again);
  const copy = join(home, 'copy.db');
  await copyFile(file, copy);
  const invoice = { source_ref: 'INV-2', status: 'rejected' };
  expect((await led(copy)).answered).toMatchObject({ connector: 'copy', invoice });
});

test('and from a folder of PDF files with invoices in them', async () => {
  const folder = join(home, 'outbox');
  await mkdir(folder);
  const pdf = pdfOf({ files: [{ name: 'factur-x.xml', content: ciiOf() }] });
  await writeFile(join(folder, 're-7.pdf'), pdf);
  const { answered } = await led(folder);
  expect(answered).toMatchObject({ connector: 'outbox', invoice: { source_ref: 're-7.pdf' } });
  expect(['delivered', 'submitted', 'validated']).toContain(answered.invoice.status);
});
