import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { runCommand } from '../../../test/kit/agent-commands.ts';
import { type RunningAgent, startAgent } from '../../../test/kit/agent-process.ts';
import { eventually } from '../../../test/kit/eventually.ts';
import { sampleXml } from '../../authorities/myinvois/document.sample.ts';
import {
  type MyInvoisSimulator,
  startMyInvoisSimulator,
} from '../../authorities/myinvois/simulator.ts';
import { erpSettings } from '../erp.kit.ts';
import { type Answer, type Harness, startHarness } from '../harness.kit.ts';

/** What suppliers submitted to MyInvois is read there with the buyer's own client, here or by an agent. */
// An agent is a process, and the machine may be busy.
vi.setConfig({ hookTimeout: 180_000, testTimeout: 120_000 });

let harness: Harness;
let myinvois: MyInvoisSimulator;
let home: string;
let agent: RunningAgent | undefined;

const buyer = {
  id: 'buyer',
  secret: 'buyer-secret',
  kind: 'taxpayer',
  tin: 'C1234567890',
} as const;
const env = () => ({
  DRAWBRIDGE_FILE_ROOTS: dirname(harness.erp.file),
  DRAWBRIDGE_WATCH_SECONDS: '1',
});
const settings = () => ({
  url: myinvois.url,
  clientId: buyer.id,
  clientSecret: buyer.secret,
  searchesPerMinute: 6_000,
  readsPerMinute: 6_000,
});

beforeAll(async () => {
  harness = await startHarness({ CONNECTOR_ALLOW_PRIVATE: 'true', NETWORK_POLL_SECONDS: '1' });
  myinvois = await startMyInvoisSimulator({ clock: () => new Date(), random: Math.random });
  myinvois.control.set({ validationDelayMs: 0 });
  myinvois.control.limits({ search: 6_000, raw: 6_000 });
  myinvois.control.addClient(buyer);
  home = await mkdtemp(join(dirname(harness.erp.file), 'agent-'));
});
afterAll(async () => {
  await agent?.stop('SIGKILL');
  await harness?.stop();
  await myinvois?.stop();
  if (home !== undefined) await rm(home, { recursive: true, force: true });
});

/** Logs the supplier in. */
async function supplierToken(): Promise<string> {
  const form = { client_id: 'sandbox-client', client_secret: 'sandbox-secret' };
  const login = await fetch(`${myinvois.url}/connect/token`, {
    method: 'POST',
    body: new URLSearchParams({ ...form, grant_type: 'client_credentials' }),
  });
  const { access_token } = (await login.json()) as { access_token: string };
  return access_token;
}

/** The supplier cancels an invoice, as long as MyInvois lets it. */
async function takeBack(number: string): Promise<void> {
  const [issued] = myinvois.control.documents(number);
  const sent = await fetch(`${myinvois.url}/api/v1.0/documents/state/${issued!.uuid}/state`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${await supplierToken()}` },
    body: JSON.stringify({ status: 'cancelled', reason: 'wrong buyer' }),
  });
  expect(sent.status).toBe(200);
}

/** A supplier submits an invoice to our buyer, which is valid soon after. */
async function supply(number: string): Promise<void> {
  const access_token = await supplierToken();
  const issuedAt = new Date(Date.now() - 60_000).toISOString().replace(/\.\d+Z$/, 'Z');
  const bytes = Buffer.from(sampleXml(number, { issuedAt }));
  const document = {
    format: 'XML',
    document: bytes.toString('base64'),
    documentHash: createHash('sha256').update(bytes).digest('hex'),
    codeNumber: number,
  };
  const sent = await fetch(`${myinvois.url}/api/v1.0/documentsubmissions/`, {
    method: 'POST',
    headers: { authorization: `Bearer ${access_token}` },
    body: JSON.stringify({ documents: [document] }),
  });
  expect(sent.status).toBe(202);
}

async function receivedOf(source: string): Promise<Answer['body'][]> {
  return (await harness.call(`GET /v1/received?source=${source}`)).body.results;
}

/** A rejection with a reason comes to MyInvois, once in effect though the answer to it is lost. */
async function isRejected(id: string, uuid: string): Promise<void> {
  const path = `POST /v1/received/${id}/respond`;
  expect((await harness.call(path, { status: 'accepted' })).body.code).toBe('state_conflict');
  myinvois.control.fault({ call: 'state', kind: 'cut-after' });
  const reasons = [{ code: 'PRI', text: 'twice the agreed price' }];
  const answer = await harness.call(path, { status: 'rejected', reasons });
  expect([answer.status, answer.body.response?.state]).toEqual([202, 'waiting']);
  await eventually(async () => {
    const { body } = await harness.call(`GET /v1/received/${id}`);
    expect(body.response).toMatchObject({ status: 'rejected', state: 'delivered' });
  });
  const found = myinvois.control.documents().find((each) => each.uuid === uuid);
  expect(found).toMatchObject({ status: 'Valid', statusReason: 'twice the agreed price' });
  expect(found!.rejectRequestedAt).toBeDefined();
}

async function connector(body: object): Promise<string> {
  const { status, body: made, text } = await harness.call('POST /v1/connectors', body);
  expect(status, text).toBe(201);
  return made.id;
}

test('the control plane reads them, keeps each once, and warns before the time to reject ends', async () => {
  const url = 'http://127.0.0.1:65001/';
  const endpoint = async (event_types: string[]): Promise<string> =>
    (await harness.call('POST /v1/webhook-endpoints', { url, event_types })).body.id;
  const [named, other] = [
    await endpoint(['document.rejection_ends']),
    await endpoint(['document.received']),
  ];
  const id = await connector({
    pattern: 'API',
    kind: 'myinvois',
    name: 'Purchases',
    settings: settings(),
  });
  const number = `P-${harness.logged.length}`;
  await supply(number);
  const patch = await harness.call(`PATCH /v1/connectors/${id}`, { receives: {} });
  expect(patch.status, patch.text).toBe(200);
  const [document] = await eventually(async () => {
    const found = await receivedOf(id);
    expect(found).toHaveLength(1);
    return found;
  });
  const [issued] = myinvois.control.documents(number);
  expect(document).toMatchObject({
    status: 'received',
    number,
    supplier: { id: 'C2584563222', name: 'Kedai Satu Sdn Bhd' },
    gross: '106.00',
    rejectable_until: new Date(issued!.validatedAt!.getTime() + 72 * 3_600_000).toISOString(),
  });
  const warning = await harness.sql<{ run_at: Date }>(
    `select run_at from job where queue = 'rejection-warning' and key = $1`,
    [document.id],
  );
  const until = Date.parse(document.rejectable_until);
  expect(warning).toEqual([{ run_at: new Date(until - 24 * 3_600_000) }]);
  await harness.sql(`update job set run_at = now() where queue = 'rejection-warning' returning id`);
  const told = async (to: string) => {
    const { body } = await harness.call(`GET /v1/webhook-endpoints/${to}/deliveries`);
    return body.results.map((each: { event: string }) => each.event);
  };
  await eventually(async () => expect(await told(named)).toEqual(['document.rejection_ends']));
  expect(await told(other)).toEqual(['document.received']);
  await isRejected(document.id, issued!.uuid);
  // While the supplier has not done what it was asked for, the document stands: that is told when it can no longer.
  await harness.sql(`update job set run_at = now() where queue = 'rejection-end' returning id`);
  await eventually(async () => {
    const { body } = await harness.call(`GET /v1/received/${document.id}`);
    expect(body.response).toMatchObject({ state: 'delivered', status: 'rejected' });
    expect(body.response.reason).toContain('it stands');
  });
  const unanswered = await harness.sql<{ type: string }>(
    `select type from webhook_event where subject_id = $1 order by id desc limit 1`,
    [document.id],
  );
  expect(unanswered).toEqual([{ type: 'document.rejection_unanswered' }]);

  // The supplier does what it was asked for, and what it cancelled before it came in does not come.
  await supply('P-NEVER');
  await takeBack('P-NEVER');
  await takeBack(number);
  const cancelled = await eventually(async () => {
    const { body } = await harness.call(`GET /v1/received/${document.id}`);
    expect(body).toMatchObject({ status: 'cancelled', cancel_reason: 'wrong buyer' });
    return body;
  });
  expect(cancelled.cancelled_at).toBeDefined();
  // That it stands is said no more.
  expect(cancelled.response).toMatchObject({ status: 'rejected', state: 'delivered' });
  expect(cancelled.response.reason).toBeUndefined();

  // Both environments may want them, and each gets all.
  const live = { environment: 'live' } as const;
  await harness.call(`PATCH /v1/connectors/${id}`, { receives: {} }, live);
  for (const each of ['P-BOTH-1', 'P-BOTH-2']) {
    await supply(each);
    await eventually(async () => {
      expect((await receivedOf(id)).map((row) => row.number)).toContain(each);
      const inLive = await harness.call(`GET /v1/received?source=${id}`, undefined, live);
      expect(inLive.body.results.map((row: Answer['body']) => row.number)).toContain(each);
    });
  }
  await harness.call(`PATCH /v1/connectors/${id}`, { receives: null }, live);
  expect((await receivedOf(id)).map((row) => row.number)).not.toContain('P-NEVER');

  // What was listed while it could not be stored is listed again.
  const owner = new pg.Client(harness.databaseUrl);
  await owner.connect();
  await owner.query(
    `create function refuse_job() returns trigger language plpgsql as
       $$ begin raise exception 'nothing is stored now'; end $$;
     create trigger refuse_job before insert on job for each row
       when (new.queue = 'received-from-source') execute function refuse_job()`,
  );
  await supply('P-UNSTORED');
  await eventually(async () => expect(harness.logged.join()).toContain('nothing is stored now'));
  await owner.query('drop function refuse_job cascade');
  await owner.end();
  await eventually(async () => {
    await harness.sql(
      `update job set run_at = now() where queue = 'received-listing' returning id`,
    );
    expect((await receivedOf(id)).map((row) => row.number)).toContain('P-UNSTORED');
  });
  const importing = await harness.call(`POST /v1/received/${document.id}/import`, {
    connector_id: id,
  });
  expect([importing.status, importing.body.detail]).toEqual([
    409,
    expect.stringContaining('Its supplier cancelled'),
  ]);
  await harness.call(`PATCH /v1/connectors/${id}`, { receives: null });
  await eventually(async () => {
    const jobs = await harness.sql(`select key from job where queue = 'received-listing'`);
    expect(jobs).toEqual([]);
  });
});

test('a bridge agent reads them with a secret that stays there, and writes drafts into the ERP', async () => {
  const { body: token } = await harness.call('POST /v1/agents/enrolment-tokens', {});
  const enroll = ['enroll', '--url', harness.urls.sandbox];
  expect((await runCommand(home, enroll, { input: token.token, env: env() })).code).toBe(0);
  const add = async (kind: string, name: string, given: object, ...more: string[]) => {
    const file = join(home, `${name}.json`);
    await writeFile(file, JSON.stringify(given));
    const args = ['connector', 'add', kind, '--name', name, '--settings-file', file, ...more];
    const { code, stderr } = await runCommand(home, args, { env: env() });
    expect([code, stderr]).toEqual([0, '']);
  };
  await add('myinvois', 'purchases', settings(), '--watch');
  const folder = join(home, 'mail');
  await mkdir(folder);
  await add('files', 'mail', { folder, settleSeconds: 0 }, '--watch');
  await add('sqlite', 'erp', erpSettings(harness.erp.file));
  agent = startAgent(home, env());
  await agent.event('connected');
  const agents = await harness.call('GET /v1/agents');
  const agent_id = agents.body.results.at(-1).id;
  const source = (name: string) =>
    connector({ pattern: 'agent', kind: 'agent', name, agent_id, settings: { connector: name } });
  const [purchases, erp] = [await source('purchases'), await source('erp')];
  const mail = await source('mail');
  const receives = { import_to: erp };
  for (const each of [purchases, mail]) {
    await harness.call(`PATCH /v1/connectors/${each}`, { receives });
  }
  await supply('P-2');
  const document = await eventually(async () => {
    const found = (await receivedOf(purchases)).find(({ number }) => number === 'P-2');
    expect(found).toMatchObject({ status: 'imported', import: { outcome: 'written' } });
    return found!;
  });
  expect(document.rejectable_until).toBeDefined();
  const [issued] = myinvois.control.documents('P-2');
  await isRejected(document.id, issued!.uuid);
  const database = new Database(harness.erp.file, { readonly: true });
  const drafts = database.prepare('select number, status from einv_received_sandbox').all();
  database.close();
  expect(drafts).toContainEqual({ number: 'P-2', status: 'draft' });

  // The same invoice comes as the supplier writes it for Peppol, which names the supplier and the day otherwise.
  const copy = sampleXml('P-2', { issuedAt: '2026-01-01T08:00:00Z' })
    .replaceAll('C2584563222', 'W10-1808-32000059')
    .replace(
      '<cac:AccountingSupplierParty>',
      '<cac:AdditionalDocumentReference>' +
        `<cbc:ID>${issued!.uuid}</cbc:ID><cbc:DocumentTypeCode>938</cbc:DocumentTypeCode>` +
        '</cac:AdditionalDocumentReference><cac:AccountingSupplierParty>',
    );
  const fromMail = (name: string) =>
    eventually(async () => {
      const found = (await receivedOf(mail)).find(({ network_id }) => network_id.startsWith(name));
      expect(found).toBeDefined();
      return found!;
    });
  await writeFile(join(folder, 'copy.xml'), copy);
  expect(await fromMail('copy.xml')).toMatchObject({
    status: 'duplicate',
    supplier: { id: 'W10-1808-32000059' },
    duplicate_of: document.id,
  });

  // What its supplier cancels is taken out of the ERP, but not what somebody has gone on with.
  await supply('P-3');
  const imported = await eventually(async () => {
    const found = (await receivedOf(purchases)).find((each) => each.number === 'P-3');
    expect(found).toMatchObject({ status: 'imported' });
    return found!;
  });
  const writable = new Database(harness.erp.file);
  writable.prepare(`update einv_received_sandbox set status = 'posted' where number = 'P-3'`).run();
  await takeBack('P-2');
  await takeBack('P-3');
  await eventually(async () => {
    const { body } = await harness.call(`GET /v1/received/${document.id}`);
    expect(body).toMatchObject({ status: 'cancelled', import: { outcome: 'undone' } });
  });
  expect(await fromMail('copy.xml')).toMatchObject({ status: 'cancelled' });
  await writeFile(join(folder, 'late.xml'), copy.replace('<cbc:ID>P-2<', '<cbc:ID>P-2 <'));
  expect(await fromMail('late.xml')).toMatchObject({ number: 'P-2', status: 'cancelled' });
  await eventually(async () => {
    const { body } = await harness.call(`GET /v1/received/${imported.id}`);
    const reason = expect.stringContaining('posted');
    expect(body).toMatchObject({ status: 'imported', cancel_reason: 'wrong buyer' });
    expect(body.import).toMatchObject({ outcome: 'conflict', reason });
  });
  const left = writable.prepare('select number, status from einv_received_sandbox').all();
  expect(left).toEqual([{ number: 'P-3', status: 'posted' }]);
  const told = await harness.sql<{ type: string; payload: { data: object } }>(
    `select type, payload from webhook_event where subject_id = $1 order by id`,
    [imported.id],
  );
  expect(told.map(({ type }) => type)).toEqual([
    'document.received',
    'document.cancelled',
    'document.draft_kept',
  ]);
  expect(told[1]!.payload.data).toMatchObject({
    number: 'P-3',
    reason: 'wrong buyer',
    in_erp: true,
  });
  // A person takes it out there, and then here.
  writable.prepare(`delete from einv_received_sandbox`).run();
  writable.close();
  expect((await harness.call(`POST /v1/received/${imported.id}/undo`)).status).toBe(202);
  await eventually(async () => {
    const { body } = await harness.call(`GET /v1/received/${imported.id}`);
    expect(body.status).toBe('cancelled');
  });
  const stored = await harness.sql<{ settings: string }>('select settings from connector');
  expect(JSON.stringify([stored, harness.logged])).not.toContain(buyer.secret);
});
