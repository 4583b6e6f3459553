import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCommand } from '../../test/kit/agent-commands.ts';
import { type Harness, startHarness } from './harness.kit.ts';

/** A whole control plane, and a host whose person looks at invoices from the command line. */
let harness: Harness;
let home: string;
let keyFile: string;

beforeAll(async () => {
  harness = await startHarness();
  home = await mkdtemp(join(dirname(harness.erp.file), 'agent-'));
  const { body: token } = await harness.call('POST /v1/agents/enrolment-tokens', {});
  await runCommand(home, ['enroll', '--url', harness.urls.sandbox], { input: token.token });
  keyFile = join(home, 'key.txt');
  await writeFile(keyFile, `${harness.acme.keys.sandbox}\n`);
}, 120_000);
afterAll(async () => {
  await harness?.stop();
  await rm(home, { recursive: true, force: true });
});

async function invoice(...args: string[]) {
  const ran = await runCommand(home, ['invoice', ...args, '--key-file', keyFile]);
  expect(ran.stdout + ran.stderr).not.toContain(harness.acme.keys.sandbox);
  return ran;
}

async function invoiceJson(...args: string[]) {
  const ran = await invoice(...args, '--json');
  return { ...ran, data: JSON.parse(ran.stdout) };
}

const hold = (submission: object | null) =>
  harness.call(`PATCH /v1/connectors/${harness.acme.connector}`, { submission });

/** The number of a new document of the ERP. */
const added = (change: object) => harness.erp.add('AE', change);

test('what was refused is listed, and shown with rule, place in the ERP and what to do', async () => {
  const ref = await added({ header: { CURR: 'XXY' } });
  const { body } = await harness.submit(ref);
  await harness.until(body.id, ['rejected']);
  const listed = await invoiceJson('list', '--status', 'rejected');
  expect([listed.code, listed.data]).toMatchObject([
    0,
    { invoices: [{ id: body.id, status: 'rejected' }], has_more: false },
  ]);
  const table = await invoice('list', '--number', ref);
  expect(table.stdout).toMatch(/rejected .*a correction: PINT-AE-/);
  const shown = await invoice('show', body.id);
  expect(shown.code).toBe(0);
  expect(shown.stdout).toMatch(/OSALES\.CURR of .*: "XXY"/);
  expect(shown.stdout).toMatch(/\n {2}Fix {2}\S/);
});

test('held invoices are listed by what they wait for, and let go each by itself', async () => {
  await hold({ hold: 'release' });
  const ids: string[] = [];
  for (const ref of [await added({}), await added({}), await added({})]) {
    const { body } = await harness.submit(ref);
    await harness.until(body.id, ['validated']);
    ids.push(body.id);
  }
  const waiting = await invoiceJson('list', '--waits-for', 'release', '--limit', '2');
  expect(waiting.data.invoices).toHaveLength(2);
  expect(waiting.data.has_more).toBe(true);
  expect((await invoice('show', ids[0]!)).stdout).toMatch(/Waits for release since /);

  const withdrawn = await invoice('withdraw', ids[2]!, '--reason', 'Wrong customer');
  expect([withdrawn.code, withdrawn.stdout]).toEqual([0, expect.stringContaining('rejected')]);
  const released = await invoiceJson('release', ids[0]!, ids[1]!, ids[2]!);
  expect([released.code, released.data.results]).toMatchObject([
    3,
    [
      { id: ids[0], outcome: 'sent' },
      { id: ids[1], outcome: 'sent' },
      { id: ids[2], outcome: 'refused', detail: expect.any(String) },
    ],
  ]);
  await harness.until(ids[0]!, ['delivered', 'cleared', 'acknowledged']);
  await hold(null);
});

test.each([
  { args: ['list', '--limit', '0'], code: 3, error: /3001/ },
  { args: ['list', '--status', 'lost'], code: 3, error: /3001/ },
  { args: ['list', '--connector', 'none'], code: 4, error: /4001/ },
  { args: ['show', 'inv_00000000000000000000000000'], code: 4, error: /4042/ },
  { args: ['show', '../keys'], code: 4, error: /4042/ },
])('$args is refused with a code', async ({ args, code, error }) => {
  const ran = await invoice(...args);
  expect([ran.code, ran.stderr]).toEqual([code, expect.stringMatching(error)]);
});
