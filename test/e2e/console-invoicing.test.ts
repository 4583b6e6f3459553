import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { invoice } from '@drawbridge/profiles/bis-3.0/example.ts';
import { profile } from '@drawbridge/profiles/bis-3.0/profile.ts';
import { Validator } from '@drawbridge/validation/validate.ts';
import Database from 'better-sqlite3';
import type { Locator } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { dial, enrolmentBody, newKeys } from '../../control-plane/agents/simulator.ts';
import {
  messageOf,
  writeEnvelope,
} from '../../control-plane/authorities/peppol/simulator/message.ts';
import {
  type PeppolSimulator,
  startPeppolSimulator,
} from '../../control-plane/authorities/peppol/simulator.ts';
import { erpSettings } from '../../control-plane/einvoice/erp.kit.ts';
import { type Harness, startHarness } from '../../control-plane/einvoice/harness.kit.ts';
import { totpAt } from '../../control-plane/people/second-factor/totp.kit.ts';
import { noBrowser } from '../kit/browser.ts';
import {
  buildConsole,
  holdRequests,
  signIn,
  startPeople,
  type Visitor,
  violationsOf,
  widthOf,
} from '../kit/console.ts';

// A walk has many steps, and a machine may be busy.
vi.setConfig({ testTimeout: 90_000 });

let harness: Harness;
let peppol: PeppolSimulator;
let folder: string;
let people: Awaited<ReturnType<typeof startPeople>>;

beforeAll(async () => {
  if (noBrowser) return;
  await buildConsole();
  folder = await mkdtemp(join(tmpdir(), 'console-'));
  const clock = () => new Date();
  peppol = await startPeppolSimulator({ clock, random: Math.random });
  const credentials = { dialect: 'phoss-ap', token: 'sandbox-token', inbound_token: inboundToken };
  const endpoint = { baseUrl: peppol.url, credentials };
  const file = join(folder, 'authorities.json');
  await writeFile(file, JSON.stringify({ sandbox: { peppol: endpoint } }));
  harness = await startHarness({ AUTHORITIES_FILE: file });
  const { app, acme, urls } = harness;
  people = await startPeople({ app, tenantId: acme.id, url: urls.sandbox });
}, 120_000);
afterAll(async () => {
  await people?.stop();
  await harness?.stop();
  await peppol?.stop();
  if (folder !== undefined) await rm(folder, { recursive: true });
});
afterEach(() => people?.leave());

const inboundToken = 'brought-by-the-access-point';

/** A supplier's invoice comes over Peppol; returns its id. */
async function receive(number: string): Promise<string> {
  const address = '0208:0884303369';
  expect((await harness.call(`PUT /v1/participants/${address}`, {})).status).toBe(200);
  const { xml } = new Validator().validate(profile, profile.complete({ ...invoice, number }));
  const sender = '0208:0403019261';
  const message = messageOf({ sender, receiver: address, xml, instanceId: number });
  const answer = await harness.call('POST /v1/networks/peppol/documents', undefined, {
    key: null,
    raw: writeEnvelope(message, xml, new Date()),
    headers: { 'content-type': 'application/xml', 'x-token': inboundToken },
  });
  expect(answer.status).toBe(202);
  return (await harness.call(`GET /v1/received?number=${number}`)).body.results[0].id;
}

/** An agent that has told how it is; returns its id. */
async function placeAgent(): Promise<string> {
  const { body } = await harness.call('POST /v1/agents/enrolment-tokens', {});
  const keys = newKeys();
  const applicant = enrolmentBody(body.token, keys.publicKey);
  const enrolled = await harness.call('POST /v1/agents/enrol', applicant, { key: null });
  const { agent_id: agentId } = enrolled.body;
  const { control_plane_key: controlPlaneKey } = applicant;
  const url = `${harness.urls.sandbox.replace('http', 'ws')}/v1/agents/link`;
  const agent = await dial(url, { ...keys, agentId, controlPlaneKey }, randomBytes);
  const { epoch } = await agent.next('welcome');
  agent.send({ kind: 'ready', epoch });
  const since = new Date().toISOString();
  const room = { state: 'room', detail: '' };
  const queue = { pending_commands: 2, oldest_pending_at: since, unsent_events: 0 };
  const rest = { unsent_documents: 0, unsent_bytes: 0, oldest_unsent_at: null };
  const finding = { component: 'disk', target: '/var/lib', status: 'fail', code: 'disk_low' };
  agent.send({
    kind: 'status',
    body: {
      queue: { ...room, ...queue, ...rest },
      disk: { ...room, free_bytes: 0 },
      waiting: [],
      findings: [{ ...finding, detail: '<img src=x onerror=alert(1)>' }],
      examined_at: since,
    },
  });
  const told = async () => (await harness.call(`GET /v1/agents/${agentId}`)).body.status;
  await expect.poll(told).not.toBeNull();
  agent.socket.close();
  return agentId;
}

/** Two documents as an agent has told of them, for which nothing is approved yet. */
const leaveWaiting = (connector: string) =>
  harness.sql(
    `insert into document_batch (tenant_id, environment, id, connector_id, refs, content)
     values ($1, 'sandbox', $2, $3, '["a", "b"]', '')`,
    [harness.acme.id, `evt_${connector}`, connector],
  );

/** Fills in one more table of the form of a source's settings, in any language. */
async function addSection(dialog: Locator, name: string, section: object): Promise<void> {
  const sections = dialog.locator('details > fieldset').first();
  await sections.locator('> div > button').click();
  const row = sections.locator('> details').last();
  await row.getByRole('combobox').first().selectOption('Table or view');
  const members = section as Readonly<Record<string, string>>;
  const texts = [
    name,
    ...['table', 'key', 'match', 'matchFrom'].map((each) => members[each] ?? ''),
  ];
  for (const [at, text] of texts.entries()) await row.getByRole('textbox').nth(at).fill(text);
}

/** The page at the end of a path, for somebody with a role. */
async function open(path: string, roles = {}, options = {}): Promise<Visitor> {
  const visitor = await people.arrive({ einvoicing_role: 'finance_admin', ...roles }, options);
  await visitor.page.goto(`/console${path}`);
  await signIn(visitor);
  return visitor;
}

if (noBrowser) test('the pages of e-invoicing in a browser', (context) => context.skip(noBrowser));
else {
  const paths = [
    '/received',
    '/received/participants',
    '/sources',
    '/company',
    '/webhooks',
    '/keys',
    '/members',
    '/audit-log',
    '/profile',
    '/settings',
  ];

  test.each(['en-GB', 'ar-AE'])('in %s every page can be used by everybody', async (locale) => {
    const { page, faults } = await open(paths[0]!, {}, { locale });
    for (const path of paths) {
      await page.goto(`/console${path}`);
      await page.locator('#content h1').waitFor();
      expect([path, await violationsOf(page)]).toEqual([path, []]);
    }
    expect(faults()).toEqual([]);
  });

  test('every page fits a narrow screen', async () => {
    const { page } = await open(paths[0]!, {}, { viewport: { width: 360, height: 740 } });
    for (const path of paths) {
      await page.goto(`/console${path}`);
      await page.locator('#content h1').waitFor();
      await page.locator('[role=status][aria-label]').first().waitFor({ state: 'detached' });
      expect([path, await widthOf(page)]).toEqual([path, 360]);
    }
  });

  test('somebody turns on the second factor, is asked for it, and ends another session', async () => {
    const visitor = await open('/profile');
    const { page, email, password, faults } = visitor;
    await page.getByRole('button', { name: 'Turn on' }).click();
    await page.getByLabel('Your password').fill(password);
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByRole('img', { name: /^The key as a picture/ }).waitFor();
    const secret = await page.getByLabel('Key as text').inputValue();
    expect(await violationsOf(page)).toEqual([]);
    await page
      .getByLabel('Code of the app')
      .fill(totpAt(secret, harness.app.platform.clock().getTime()));
    await page.getByRole('button', { name: 'Confirm' }).click();
    const kept = await page.getByRole('textbox', { name: 'Recovery codes' }).inputValue();
    const [code, another] = kept.split('\n');
    await page.getByRole('button', { name: 'I have kept them' }).click();
    await page.getByText('10 recovery codes are left.').waitFor();

    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByLabel(/^Code/).fill(code!);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.locator('#content h1').waitFor();
    await page.request.post('/v1/token', { data: { email, password, code: another } });
    await page.getByRole('link', { name: 'Your profile' }).click();
    await page.getByText('8 recovery codes are left.').waitFor();
    await page.getByRole('button', { name: 'End session' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'End session' }).click();
    await page
      .getByRole('button', { name: 'End all other sessions' })
      .waitFor({ state: 'detached' });
    expect(faults()).toEqual([]);
  });

  test('how long invoices are kept is set, and what the API refuses stands at its field', async () => {
    const { page, faults } = await open('/settings');
    const days = page.getByLabel('Days that an invoice is kept');
    const form = page.locator('form').filter({ has: days });
    await days.fill('9999999');
    await form.getByRole('button', { name: 'Save' }).click();
    await page.locator('[aria-invalid=true]').waitFor();
    await days.fill('4000');
    await form.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    expect((await harness.call('GET /v1/retention')).body).toEqual({ invoice_days: 4_000 });
    expect(faults()).toEqual([]);
  });

  test('an invoice is found, read as a page, printed and acknowledged; the search is kept', async () => {
    const name = '<img src=x onerror=alert(1)>';
    const ref = await harness.erp.add('AE', { customer: { CUST_NAME: name } });
    const { id } = (await harness.submit(ref)).body;
    await harness.until(id, ['delivered']);
    const { page, faults } = await open('/invoices', {}, { locale: 'en-GB' });
    const today = new Date().toISOString().slice(0, 10);
    await page.getByLabel('Number of the invoice').fill(ref);
    await page.getByLabel('Name of the buyer begins with').fill(name.slice(0, 8).toUpperCase());
    await page.getByLabel('Amount at least').fill('0.01');
    await page.getByLabel('Submitted from').fill(today);
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page.getByRole('button', { name: 'Save this search' }).click();
    await page.getByLabel('Name of the search').fill('Of today');
    await page.getByRole('dialog').getByRole('button', { name: 'Save this search' }).click();
    await page.getByLabel('Submitted from').fill('2099-01-01');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page.getByText('No invoice fits').waitFor();
    await page.getByRole('button', { name: 'Of today' }).click();
    await page.getByRole('link', { name: ref }).click();
    await page.getByRole('link', { name: 'To read and print' }).click();
    await page.getByText(name).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByRole('button', { name: 'Print' }).count()).toBe(0);
    expect(await page.getByRole('navigation').count()).toBe(0);
    await page.emulateMedia({ media: 'screen' });
    await page.getByRole('link', { name: 'What happened to it' }).click();
    await page.getByRole('button', { name: 'Acknowledge' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Acknowledge' }).click();
    await page.locator('#content header').getByText('Acknowledged').waitFor();
    expect(faults()).toEqual([]);
  });

  test('a key is issued for what the person may do, shown once, and revoked', async () => {
    const { page, password, faults } = await open('/keys');
    harness.advance(11 * 60_000); // the password was typed too long ago for a key
    await page.getByRole('button', { name: 'Issue a key' }).click();
    const dialog = page.getByRole('dialog', { name: 'Issue a key' });
    await dialog.getByLabel('Name').fill('SAP <script>alert(1)</script>');
    await dialog.getByLabel('invoices:read').check();
    await dialog.getByRole('button', { name: 'Issue a key' }).click();
    const proof = page.getByRole('dialog', { name: 'Is it still you?' });
    await proof.getByLabel('Password').fill(password);
    await proof.getByRole('button', { name: 'Confirm' }).click();
    const issued = page.getByRole('dialog', { name: 'Your new key' });
    const key = await issued.getByLabel('Key').inputValue();
    expect(key).toMatch(/^sk_test_/);
    expect((await harness.call('GET /v1/invoices', undefined, { key: key })).status).toBe(200);
    await page.getByRole('button', { name: 'I have kept it' }).click();
    expect(await page.getByText(key).count()).toBe(0);
    const row = page.getByRole('row', { name: 'SAP <script>alert(1)</script>' });
    await row.getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await row.getByText('Revoked').waitFor();
    harness.advance(1_001);
    expect((await harness.call('GET /v1/invoices', undefined, { key: key })).status).toBe(401);
    expect(faults()).toEqual([]);
  });

  test('an endpoint is added, and its secret is shown once', async () => {
    const { page, faults } = await open('/webhooks');
    await page.getByRole('button', { name: 'Add an endpoint' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add an endpoint' });
    await dialog.getByLabel('Address').fill('http://127.0.0.1:49321/hook');
    const held = await holdRequests(page, 'POST', '/v1/webhook-endpoints');
    await dialog.getByRole('button', { name: 'Add an endpoint' }).click();
    // Nobody closes what is to show it.
    const cancel = dialog.getByRole('button', { name: 'Cancel' });
    await expect.poll(() => cancel.isDisabled()).toBe(true);
    await page.keyboard.press('Escape');
    await held.release();
    const kept = page.getByRole('dialog', { name: 'Signing secret' });
    expect(await kept.getByLabel('Signing secret').inputValue()).toMatch(/^whsec_/);
    await page.getByRole('button', { name: 'I have kept it' }).click();
    await page.getByRole('link', { name: 'http://127.0.0.1:49321/hook' }).click();
    await page.getByRole('heading', { name: 'Deliveries' }).waitFor();
    await page.getByLabel('Body that was received').fill('{"event":"invoice.cleared"}');
    await page.getByLabel('Signing secret').fill('whsec_x');
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    await page.getByText('Not genuine').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    expect(faults()).toEqual([]);
  });

  test('somebody is invited, and an auditor may look and change nothing', async () => {
    const { page } = await open('/members');
    await page.getByRole('button', { name: 'Invite somebody' }).click();
    await page.getByRole('dialog').getByLabel('E-mail').fill('new@acme.example');
    await page.getByRole('button', { name: 'Send the invitation' }).click();
    await page.getByRole('row', { name: 'new@acme.example' }).waitFor();

    const auditor = await open('/members', { einvoicing_role: 'auditor' });
    await auditor.page.getByRole('row', { name: 'new@acme.example' }).waitFor();
    expect(await auditor.page.getByRole('main').getByRole('button').count()).toBe(0);
    await auditor.page.getByRole('link', { name: 'Audit log' }).click();
    await auditor.page.getByText('inviteMember').first().waitFor();
  });

  test('members say how they sign in, and the audit log is exported as it is filtered', async () => {
    const viewport = { width: 360, height: 740 };
    const { page, faults } = await open('/members', {}, { viewport });
    await page.getByText('No second factor').first().waitFor();
    await page.goto('/console/audit-log');
    const filters = page.getByRole('button', { name: 'Filters', exact: true });
    expect(await page.getByLabel('Outcome').isVisible()).toBe(false);
    await filters.click();
    await page.getByLabel('Outcome').selectOption('done');
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page.getByRole('button', { name: 'Filters (1)' }).waitFor();
    expect(await page.getByLabel('Outcome').isVisible()).toBe(false);
    const downloading = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Export as lines of JSON' }).click();
    const lines = (await readFile(await (await downloading).path(), 'utf8')).trim().split('\n');
    const outcomes = new Set(lines.map((line) => JSON.parse(line).outcome));
    expect([...outcomes]).toEqual(['done']);
    expect(await widthOf(page)).toBe(360);
    expect(faults()).toEqual([]);
  });

  test('an agent’s queue and what its doctor found are seen, with what helps', async () => {
    const agentId = await placeAgent();
    const { page, faults } = await open('/sources', {}, { viewport: { width: 360, height: 740 } });
    await page.getByText('Write-backs to do: 2.').waitFor();
    await page.getByText('disk /var/lib: <img src=x onerror=alert(1)>').waitFor();
    await page.getByText('Free some space, or move the home folder.').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    expect(await widthOf(page)).toBe(360);
    expect(faults()).toEqual([]);
    expect((await harness.call(`DELETE /v1/agents/${agentId}`)).status).toBe(204);
  });

  test('a mapping is reviewed with its evidence, and approved', async () => {
    const { body } = await harness.call('POST /v1/connectors', {
      pattern: 'database',
      kind: 'sqlite',
      name: 'Sales <i>2026</i>',
      default_profile: 'PINT-AE',
      settings: erpSettings(harness.erp.file),
    });
    await leaveWaiting(body.id);
    const { page, faults } = await open(`/sources/${body.id}`, { einvoicing_role: 'approver' });
    await page.getByRole('heading', { name: 'What means what' }).waitFor();
    const waiting = page.getByRole('heading', { name: '2 documents wait for this mapping' });
    await waiting.waitFor();
    await page.getByRole('button', { name: /^Approve the .*of which we are sure$/ }).click();
    await page.getByRole('table').getByText('Approved').first().waitFor();
    await waiting.waitFor({ state: 'detached' });
    expect(await violationsOf(page)).toEqual([]);
    expect(faults()).toEqual([]);
    const { status } = (await harness.call(`GET /v1/connectors/${body.id}/mapping`)).body;
    expect(['partly_approved', 'approved']).toContain(status);
  });

  test('the overview leads from nothing to live, until the list is hidden', async () => {
    const { page, faults } = await open('/');
    const list = page.getByRole('region', { name: 'From a first invoice to live' });
    await list.getByRole('listitem').first().waitFor();
    const all = list.getByRole('button', { name: 'Show all' });
    if ((await all.count()) > 0) await all.click();
    expect(await list.getByRole('listitem').count()).toBe(5);
    expect(await violationsOf(page)).toEqual([]);
    await list
      .getByRole('link', { name: 'Webhooks' })
      .or(list.getByText('(done)'))
      .first()
      .waitFor();
    await list.getByRole('button', { name: 'Hide' }).click();
    await page.reload();
    await page.getByRole('heading', { name: 'Rejected invoices' }).waitFor();
    await page.waitForLoadState('networkidle');
    expect(await list.count()).toBe(0);
    expect(faults()).toEqual([]);
  });

  test.each(['en-GB', 'ar-AE'])(
    'in %s a source is added, looked through, told to hold its documents, and removed',
    async (locale) => {
      const { page, faults } = await open('/sources', {}, { locale });
      const main = page.getByRole('main');
      await main.getByRole('button').last().click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('textbox').first().fill(`Branch ${locale}`);
      await dialog.getByRole('combobox').nth(1).selectOption('sqlite');
      const { file, ...rest } = erpSettings(harness.erp.file);
      await dialog.getByRole('textbox').nth(1).fill(file);
      await dialog.locator('summary').first().click();
      const { header, lines } = rest.sections;
      await addSection(dialog, 'header', header!);
      await addSection(dialog, 'lines', lines!);
      expect(await violationsOf(page)).toEqual([]);
      await dialog.locator('button[type=submit]').click();
      await page.getByRole('heading', { name: `Branch ${locale}` }).waitFor();
      const id = new URL(page.url()).pathname.split('/').at(-1);
      const read = async () => (await harness.call(`GET /v1/connectors/${id}`)).body;

      const cards = page.locator('main section');
      const discovery = cards.filter({ has: page.locator('article, button') }).nth(-2);
      await discovery.getByRole('button').first().click();
      await discovery.locator('article').first().waitFor();
      await main.locator('form').getByRole('combobox').last().selectOption('approval');
      await main.locator('form').last().locator('button[type=submit]').click();
      await expect.poll(read).toMatchObject({
        submission: { hold: 'approval' },
        settings: { sections: { header, lines: { table: lines!.table } } },
      });
      expect(await violationsOf(page)).toEqual([]);
      await cards.last().getByRole('button').last().click();
      await page.getByRole('dialog').locator('button[type=submit]').click();
      await page.waitForURL('**/console/sources');
      expect((await harness.call(`GET /v1/connectors/${id}`)).status).toBe(404);
      expect(faults()).toEqual([]);
    },
  );

  test('the settings of a source are fields, and what is wrong with one stands at it', async () => {
    const { page, faults } = await open('/sources', {}, { viewport: { width: 360, height: 740 } });
    await page.getByRole('button', { name: 'Add a connector' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: true }).fill('Warehouse');
    await dialog.getByLabel('Reached').selectOption('postgres');
    await dialog.getByLabel('Host').fill('db.customer.example');
    await dialog.getByLabel('Database', { exact: true }).fill('erp');
    await dialog.getByLabel('Password', { exact: true }).first().fill('hunter2');
    expect(await dialog.getByLabel('Password', { exact: true }).first().getAttribute('type')).toBe(
      'password',
    );
    await dialog.getByRole('button', { name: 'Add a connector' }).click();
    const address = dialog.getByLabel('Address in one line');
    await expect.poll(() => address.getAttribute('aria-invalid')).toBe('true');
    await dialog.getByText('What few change').click();
    await dialog.getByLabel('Mode').first().selectOption('columns');
    await dialog.getByLabel('Invoice id').fill('einv_id');
    const cutOff =
      'document.querySelector("dialog").scrollWidth - document.querySelector("dialog").clientWidth';
    expect(await page.evaluate(cutOff)).toBe(0);
    expect(await violationsOf(page)).toEqual([]);
    expect(await widthOf(page)).toBe(360);
    await dialog.getByLabel('User', { exact: true }).first().fill('reader');
    await dialog.getByRole('button', { name: 'Add a connector' }).click();
    await page.getByRole('heading', { name: 'Warehouse' }).waitFor();
    const id = new URL(page.url()).pathname.split('/').at(-1);
    const read = async () => (await harness.call(`GET /v1/connectors/${id}`)).body.settings;
    expect(await read()).toMatchObject({
      host: 'db.customer.example',
      port: 5_432,
      writeBack: { mode: 'columns', columns: { invoice_id: 'einv_id' } },
    });

    await page.getByRole('button', { name: 'Change the settings' }).click();
    expect(await dialog.getByLabel('Host').inputValue()).toBe('db.customer.example');
    expect(await dialog.getByLabel('Password', { exact: true }).first().inputValue()).toBe('');
    await dialog.getByText('A value is kept, and never shown.').waitFor();
    await dialog.getByLabel('Port').fill('5433');
    await dialog.getByLabel('Password', { exact: true }).first().fill('hunter3');
    await dialog.getByText('How documents are laid out').click();
    const add = dialog.getByRole('button', { name: 'Add: Tables and queries' });
    const section = (name: string) =>
      dialog
        .locator('details')
        .filter({ has: page.locator('summary', { hasText: name }) })
        .last();
    await addSection(dialog, 'lines', { table: 'item', key: 'id', match: 'doc', matchFrom: 'id' });
    const lines = section('lines');
    await lines.getByText('What few change').click();
    await lines.getByRole('button', { name: 'Add: Only rows with' }).click();
    await lines.getByLabel('Column', { exact: true }).fill('deleted_at');
    await lines.getByLabel('Kind').last().selectOption('No value (NULL)');
    await addSection(dialog, 'tax', { table: 'tax', key: 'id', match: 'doc' });
    await section('tax').getByRole('button', { name: 'Remove tax' }).click();
    await add.click();
    await section('New').locator('input:focus').waitFor();
    await section('New').getByLabel('Section').fill('lines');
    await dialog.getByText('Another one has this name.').waitFor();
    await section('lines').getByLabel('Section').fill('header');
    const header = section('header');
    await header.getByLabel('Kind').selectOption('Query');
    await header.getByLabel('Query').fill('select * from invoice where no = :ref');
    await header.getByLabel('Key', { exact: true }).fill('id');
    await header.getByRole('button', { name: 'Move up' }).click();
    expect(await violationsOf(page)).toEqual([]);
    expect(await page.evaluate(cutOff)).toBe(0);
    await dialog.getByRole('button', { name: 'Save the settings' }).click();
    await page.getByText('Saved. Test the connection').waitFor();
    const { sections, ...rest } = await read();
    expect(rest).toMatchObject({ port: 5_433, host: 'db.customer.example' });
    expect(Object.entries(sections)).toEqual([
      ['header', { query: 'select * from invoice where no = :ref', key: 'id' }],
      [
        'lines',
        { table: 'item', key: 'id', match: 'doc', matchFrom: 'id', where: { deleted_at: null } },
      ],
    ]);
    expect(await widthOf(page)).toBe(360);
    expect(faults()).toEqual([]);
    expect((await harness.call(`DELETE /v1/connectors/${id}`)).status).toBe(204);
  });

  test('documents of a source at an agent are submitted from a day on', async () => {
    const { token } = (await harness.call('POST /v1/agents/enrolment-tokens', {})).body;
    const enrolment = enrolmentBody(token, newKeys().publicKey, 'erp-07');
    const enrolled = await harness.call('POST /v1/agents/enrol', enrolment, { key: null });
    const { body } = await harness.call('POST /v1/connectors', {
      pattern: 'agent',
      kind: 'agent',
      name: 'Head office',
      agent_id: enrolled.body.agent_id,
      default_profile: 'PINT-AE',
      settings: { connector: 'erp' },
    });
    const { page, faults } = await open(`/sources/${body.id}`);
    await page.getByLabel('By themselves, if issued').fill('2026-12-01');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved.').waitFor();
    await page.getByRole('link', { name: 'Sources' }).click();
    await page.getByRole('row', { name: /Head office.*from 1 Dec 2026/ }).waitFor();
    await leaveWaiting(body.id);
    await page.goto('/console/');
    const first = page.getByRole('listitem').filter({ hasText: 'Head office' });
    await first.getByText('2 documents wait for the first mapping.').waitFor();
    await first.getByRole('link', { name: /Review and approve|Look at it/ }).waitFor();
    expect(faults()).toEqual([]);
    const { submit_from } = (await harness.call(`GET /v1/connectors/${body.id}`)).body;
    expect(submit_from).toBe('2026-12-01');
  });

  test('a supplier is told what becomes of an invoice, and why', async () => {
    const id = await receive('SUP-1');
    const { page, faults } = await open('/received');
    await page.getByRole('link', { name: 'SUP-1' }).click();
    await page.getByRole('heading', { name: 'What the supplier was told' }).waitFor();
    await page.getByLabel('Tell the supplier').selectOption({ label: 'A question is open' });
    await page.getByLabel('Why').selectOption({ label: 'Quantities are wrong' });
    await page.getByLabel('In your own words').fill('Four came, <b>five</b> are invoiced.');
    await page.getByRole('button', { name: 'Send the answer' }).click();
    await page.getByRole('listitem').getByText('Four came, <b>five</b> are invoiced.').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    expect(faults()).toEqual([]);
    const { body } = await harness.call(`GET /v1/received/${id}/responses`);
    expect(body.results).toMatchObject([{ status: 'under_query', reasons: [{ code: 'QTY' }] }]);
  });

  test('a receiving address is added, changed and removed; an auditor sees what that takes', async () => {
    const { page, faults } = await open('/received');
    await page.getByRole('link', { name: 'Receiving addresses' }).click();
    await page.getByRole('button', { name: 'Add an address' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Address').fill('0208:0407654321');
    expect(await violationsOf(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Save' }).click();
    const row = page.getByRole('row', { name: '0208:0407654321' });
    await row.getByText('Receives').waitFor();
    const { body } = await harness.call('POST /v1/connectors', {
      pattern: 'database',
      kind: 'sqlite',
      name: 'Payables <i>ERP</i>',
      default_profile: 'PINT-AE',
      settings: erpSettings(harness.erp.file),
    });
    await page.reload();
    await row.getByRole('button', { name: 'Edit' }).click();
    await dialog.getByLabel('Put into').selectOption(body.id);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await row.getByText('Payables <i>ERP</i>').waitFor();
    expect(faults()).toEqual([]);

    const auditor = await open('/received/participants', { einvoicing_role: 'auditor' });
    await auditor.page.getByText('participants:write').waitFor();
    expect(await auditor.page.getByRole('main').getByRole('button').count()).toBe(0);

    await row.getByRole('button', { name: 'Remove' }).click();
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await row.waitFor({ state: 'detached' });
    expect((await harness.call('GET /v1/participants')).body.results).not.toContainEqual(
      expect.objectContaining({ id: '0208:0407654321' }),
    );
  });

  test('it takes two: who puts a mapping forward waits for another one, who finds it on the overview', async () => {
    const { body: source } = await harness.call('POST /v1/connectors', {
      pattern: 'database',
      kind: 'sqlite',
      name: 'Two <b>people</b>',
      default_profile: 'PINT-AE',
      settings: erpSettings(harness.erp.file),
    });
    const { page, faults } = await open('/settings');
    await page.getByLabel('To approve a mapping').selectOption('two');
    await page.getByRole('button', { name: 'Save the number of people' }).click();
    await page.getByText('Saved.').waitFor();
    expect((await harness.call('GET /v1/approval-policy')).body.mappings).toBe('two');
    await page.goto(`/console/sources/${source.id}`);
    await page.getByRole('link', { name: 'Preview and approval' }).click();
    const putForward = page.getByRole('button', { name: 'Put forward for another person' });
    await putForward.click();
    await putForward.waitFor({ state: 'detached' });
    await page.goto('/console/settings');
    const own = page.getByRole('listitem').filter({ hasText: 'Two <b>people</b>' });
    await own.getByText('another person approves it').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    expect(faults()).toEqual([]);

    const approver = await open('/', { einvoicing_role: 'approver' });
    const waiting = approver.page.getByRole('listitem').filter({ hasText: 'Two <b>people</b>' });
    await waiting.getByText('Put forward by Aisha <b>Rahman</b>').waitFor();
    await waiting.getByRole('link', { name: 'Review and approve' }).click();
    await approver.page.getByRole('heading', { name: 'Two <b>people</b>' }).waitFor();
    await approver.page.goto('/console/settings');
    await approver.page.getByText('members:write').waitFor();
    expect(approver.faults()).toEqual([]);

    await page.getByLabel('To approve a mapping').selectOption('one');
    await page.getByRole('button', { name: 'Save the number of people' }).click();
    await page.getByText('Saved.').waitFor();
    await own.getByRole('link', { name: 'Review and approve' }).waitFor();
  });

  test('bundles of an agent without a wire: one is refused with its reason, and there is none to carry', async () => {
    const { token } = (await harness.call('POST /v1/agents/enrolment-tokens', {})).body;
    const enrolment = enrolmentBody(token, newKeys().publicKey, 'island');
    const { body } = await harness.call('POST /v1/agents/enrol', enrolment, { key: null });
    const { page, faults } = await open('/sources');
    const row = page.getByRole('row', { name: 'island' });
    await row.getByRole('link', { name: 'Bundles' }).click();
    await page.getByText('No bundle yet').waitFor();
    const bundle = {
      format: 'drawbridge-bundle/1',
      from: 'agent',
      agent_id: body.agent_id,
      number: 1,
      created_at: '2026-03-02T08:15:30.000Z',
      control_plane_key: `${'A'.repeat(43)}=`,
      sealed: '',
      signature: `${'A'.repeat(86)}==`,
    };
    await page.getByLabel('Files of the agent').setInputFiles([
      { name: 'a.json', mimeType: 'application/json', buffer: Buffer.from('no') },
      { name: 'b.json', mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(bundle)) },
    ]);
    await page.getByRole('button', { name: 'Take them in' }).click();
    const outcomes = page.getByRole('list', { name: 'What became of the files' });
    await outcomes.getByText('the file is not JSON').waitFor();
    await outcomes.getByText(/bundle_(foreign|tampered)/).waitFor();
    await page.getByRole('button', { name: 'Download the next bundle' }).click();
    await page.getByText('Nothing waits to be carried.').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    expect(faults()).toEqual([]);
  });

  test('a document of a supplier is read as a page, and printed', async () => {
    await receive('SUP-PAGE');
    const { page, faults } = await open('/received');
    await page.getByRole('link', { name: 'SUP-PAGE' }).click();
    await page.getByRole('link', { name: 'To read and print' }).click();
    await page.getByRole('heading', { name: 'Invoice SUP-PAGE' }).waitFor();
    await page.getByText('Brouwerij De Sluis BV').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.setViewportSize({ width: 360, height: 740 });
    expect(await widthOf(page)).toBe(360);
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByRole('button', { name: 'Print' }).count()).toBe(0);
    expect(await page.getByRole('navigation').count()).toBe(0);
    expect(faults()).toEqual([]);
  });

  test('the company is told once: what is wrong stands at its field, and an auditor only reads', async () => {
    const { page, faults } = await open('/company');
    await page.getByText('Nothing is said of your company yet').waitFor();
    await page.getByLabel('Legal name').fill('Al Noor <b>Trading</b>');
    await page.getByLabel('Country').fill('AE');
    await page.getByLabel('TRN').fill('1234');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByLabel('TRN').and(page.locator('[aria-invalid=true]')).waitFor();
    expect(await page.locator('[aria-invalid=true]').count()).toBe(1);
    await page.getByLabel('TRN').fill('100234567801003');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    expect(faults()).toEqual([]);
    const company = {
      legal_name: 'Al Noor <b>Trading</b>',
      country: 'AE',
      trn: '100234567801003',
    };
    expect((await harness.call('GET /v1/company')).body.company).toEqual(company);

    const auditor = await open('/company', { einvoicing_role: 'auditor' });
    await auditor.page.getByText(company.legal_name).waitFor();
    expect(await auditor.page.getByRole('main').getByRole('button').count()).toBe(0);

    const file = `${harness.erp.file}.company`;
    const database = new Database(file);
    database.exec(
      `create table firm (id integer primary key, company_name text, city text, address text, trn text);
       insert into firm values (1, 'Another name', 'Dubai <b>Marina</b>', 'Bay Square 7', '100234567801003')`,
    );
    database.close();
    const { body: source } = await harness.call('POST /v1/connectors', {
      pattern: 'database',
      kind: 'sqlite',
      name: 'Firm',
      default_profile: 'PINT-AE',
      settings: { file, writeBack: { mode: 'none' } },
    });
    await page.goto(`/console/sources/${source.id}`);
    await page.getByRole('button', { name: 'Look through the source' }).click();
    await page.getByText('Dubai <b>Marina</b>').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Put it into the company profile' }).click();
    await page.getByText('It stands in the company profile now.').waitFor();
    expect((await harness.call('GET /v1/company')).body.company).toEqual({
      ...company,
      city: 'Dubai <b>Marina</b>',
      address_line1: 'Bay Square 7',
    });
    expect(faults()).toEqual([]);
  });
}
