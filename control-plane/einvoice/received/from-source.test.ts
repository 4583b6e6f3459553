import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { invoice } from '@drawbridge/profiles/bis-3.0/example.ts';
import { profile } from '@drawbridge/profiles/bis-3.0/profile.ts';
import { Validator } from '@drawbridge/validation/validate.ts';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCommand } from '../../../test/kit/agent-commands.ts';
import { type RunningAgent, startAgent } from '../../../test/kit/agent-process.ts';
import { eventually } from '../../../test/kit/eventually.ts';
import { erpSettings } from '../erp.kit.ts';
import { type Answer, type Harness, startHarness } from '../harness.kit.ts';
import { sourceJob } from './from-source.ts';

/** A real agent that finds documents of suppliers in a folder, and writes drafts into the ERP. */
let harness: Harness;
let home: string;
let folder: string;
let agent: RunningAgent;
let mail: string;
let erp: string;
const validator = new Validator();

const env = () => ({
  DRAWBRIDGE_FILE_ROOTS: dirname(harness.erp.file),
  DRAWBRIDGE_WATCH_SECONDS: '1',
});

async function addSource(kind: string, name: string, settings: object, ...more: string[]) {
  const file = join(home, `${name}.json`);
  await writeFile(file, JSON.stringify(settings));
  const args = ['connector', 'add', kind, '--name', name, '--settings-file', file, ...more];
  const { code, stderr } = await runCommand(home, args, { env: env() });
  expect([code, stderr]).toEqual([0, '']);
}

async function addConnector(agentId: string, source: string): Promise<string> {
  const { body } = await harness.call('POST /v1/connectors', {
    pattern: 'agent',
    kind: 'agent',
    name: source,
    agent_id: agentId,
    settings: { connector: source },
  });
  return body.id;
}

beforeAll(async () => {
  harness = await startHarness();
  home = await mkdtemp(join(dirname(harness.erp.file), 'agent-'));
  folder = join(dirname(harness.erp.file), 'mail');
  await mkdir(folder);
  const { body: token } = await harness.call('POST /v1/agents/enrolment-tokens', {});
  const enroll = ['enroll', '--url', harness.urls.sandbox];
  const { code } = await runCommand(home, enroll, { input: token.token, env: env() });
  expect(code).toBe(0);
  await addSource('files', 'mail', { folder, settleSeconds: 0 }, '--watch');
  await addSource('sqlite', 'erp', erpSettings(harness.erp.file));
  agent = startAgent(home, env());
  await agent.event('connected');
  const { body } = await harness.call('GET /v1/agents');
  const id = body.results.at(-1).id;
  [mail, erp] = [await addConnector(id, 'mail'), await addConnector(id, 'erp')];
});
afterAll(async () => {
  await agent?.stop('SIGKILL');
  await harness?.stop();
  if (home !== undefined) await rm(home, { recursive: true, force: true });
});

const received = async (): Promise<Answer['body'][]> =>
  (await harness.call(`GET /v1/received?source=${mail}`)).body.results;

test('what lies in a folder is kept once and arrives in the ERP, through the agent', async () => {
  const patch = await harness.call(`PATCH /v1/connectors/${mail}`, {
    receives: { import_to: erp },
  });
  expect([patch.status, patch.body.receives]).toEqual([200, { import_to: erp }]);
  const xml = validator.validate(profile, profile.complete({ ...invoice, number: 'M-1' })).xml;
  await writeFile(join(folder, 'first.xml'), xml);
  const [document] = await eventually(async () => {
    const found = await received();
    expect(found).toMatchObject([{ status: 'imported' }]);
    return found;
  });
  expect(document).toMatchObject({
    number: 'M-1',
    profile: 'BIS-3.0',
    errors: [],
    import: { outcome: 'written', target: 'einv_received_sandbox' },
  });
  const database = new Database(harness.erp.file, { readonly: true });
  const drafts = database.prepare('select number, status from einv_received_sandbox').all();
  database.close();
  expect(drafts).toEqual([{ number: 'M-1', status: 'draft' }]);

  // The same invoice under another name, and a file that is no invoice.
  await writeFile(join(folder, 'again.xml'), xml);
  await writeFile(join(folder, 'other.xml'), '<note>hello</note>');
  await eventually(async () => {
    const byStatus = Map.groupBy(await received(), ({ status }) => status);
    expect([...byStatus.keys()].sort()).toEqual(['duplicate', 'imported', 'unreadable']);
  });
  const [duplicate] = (await received()).filter(({ status }) => status === 'duplicate');
  expect(duplicate.duplicate_of).toBe(document.id);
});

test('an invoice with a large attachment arrives in the ERP, and is kept whole', async () => {
  const { xml } = validator.validate(profile, profile.complete({ ...invoice, number: 'M-4' }));
  const attachment = `<cac:AdditionalDocumentReference><cbc:ID>A</cbc:ID><cac:Attachment><cbc:EmbeddedDocumentBinaryObject mimeCode="application/pdf" filename="a.pdf">${'AAAA'.repeat(750_000)}</cbc:EmbeddedDocumentBinaryObject></cac:Attachment></cac:AdditionalDocumentReference>`;
  const seller = '<cac:AccountingSupplierParty>';
  await writeFile(join(folder, 'large.xml'), xml.replace(seller, attachment + seller));
  const { links } = await eventually(async () => {
    const found = (await received()).find(({ number }) => number === 'M-4');
    expect(found).toMatchObject({ status: 'imported', errors: [] });
    return found!;
  });
  const { text } = await harness.call(`GET ${links.document}`);
  expect(text).toContain(attachment);
});

test('an invoice whose draft is too long for the link says so, and leaves the link alone', async () => {
  const { xml } = validator.validate(profile, profile.complete({ ...invoice, number: 'M-5' }));
  const line = /<cac:InvoiceLine>[\s\S]*?<\/cac:InvoiceLine>/.exec(xml)![0];
  const long = line.replace(/(<cbc:Name>)[^<]*/, `$1${'n'.repeat(3_000)}`);
  const withLines = (number: string, count: number) =>
    xml.replace('>M-5<', `>${number}<`).replace('</Invoice>', `${long.repeat(count)}</Invoice>`);
  await writeFile(join(folder, 'too-long.xml'), withLines('M-5', 3_000));
  await writeFile(join(folder, 'long.xml'), withLines('M-6', 100));
  const find = async (wanted: string) =>
    (await received()).find(({ number }) => number === wanted)!;
  await eventually(async () => {
    const reason = expect.stringContaining('too long for a bridge agent (3003 lines)');
    expect((await find('M-5'))?.import).toMatchObject({ outcome: 'conflict', reason });
    expect(await find('M-6')).toMatchObject({ status: 'imported' });
  });
  // One that was queued before it was looked at is given up, and what comes after it goes through.
  const { id } = await find('M-6');
  await harness.sql(
    `insert into agent_command (tenant_id, id, agent_id, connector, idempotency_key, params)
     select tenant_id, 'cmd_too_large', agent_id, connector, 'large/1',
       jsonb_set(params, '{command,document,xml}', to_jsonb(repeat('x', 1100000)))
     from agent_command where idempotency_key like $1 returning id`,
    [`${id}/%`],
  );
  expect((await harness.call(`POST /v1/received/${id}/undo`)).status).toBe(202);
  await eventually(async () => expect(await find('M-6')).toMatchObject({ status: 'undone' }));
  const [large] = await harness.sql<{ outcome: object }>(
    `select outcome from agent_command where id = 'cmd_too_large'`,
  );
  expect(large).toMatchObject({ outcome: { fault: { code: 'too_large' } } });
});

test('what is no XML says so', async () => {
  await writeFile(join(folder, 'list.csv'), 'number;total\nM-9;1.00\n');
  await eventually(async () => {
    const reasons = (await received()).map(({ errors }) => errors[0]?.message);
    expect(reasons).toContain('It is no XML. Only invoices and credit notes in UBL are read here.');
  });
});

test('what an agent did after it was given up counts', async () => {
  const { id } = (await received()).find(({ number }) => number === 'M-4')!;
  await agent.stop('SIGKILL');
  expect((await harness.call(`POST /v1/received/${id}/undo`)).status).toBe(202);
  await eventually(async () => {
    const waiting = `select from agent_command where idempotency_key like $1 and outcome is null`;
    expect(await harness.sql(waiting, [`${id}/%`])).toHaveLength(1);
    // As after 30 days.
    const given = '{"outcome":"given-up","action":"undo","at":"2026-12-30T00:00:00Z"}';
    await harness.sql(`update received_document set import = $2 where id = $1 returning id`, [
      id,
      given,
    ]);
    await harness.sql(
      `delete from job where queue = 'import-document' and key = $1 and claim_id is null returning key`,
      [id],
    );
    const job = await harness.sql(`select from job where queue = 'import-document' and key = $1`, [
      id,
    ]);
    expect(job).toEqual([]);
  });
  agent = startAgent(home, env());
  await agent.event('connected');
  await eventually(async () => {
    const { body } = await harness.call(`GET /v1/received/${id}`);
    expect(body).toMatchObject({ status: 'undone', import: { outcome: 'undone' } });
  });
});

test('a document that its agent told of comes in though the agent was off for a week then', async () => {
  const xml = validator.validate(profile, profile.complete({ ...invoice, number: 'M-3' })).xml;
  // The agent goes before the control plane reads what it told of.
  await harness.sql(`update connector set receives = '{}' where id = $1 returning id`, [mail]);
  await agent.stop('SIGKILL');
  const told = async (ref: string) => {
    await harness.sql(`update connector set receives = $2 where id = $1 returning id`, [
      mail,
      JSON.stringify({ sandbox: {} }),
    ]);
    const { db, jobs } = harness.app.platform;
    await db.tenant(harness.acme.id, (tx) =>
      jobs.enqueue(tx, harness.acme.id, [sourceJob(`evt-${ref}`, 'sandbox', mail, ref)]),
    );
  };
  await told('week.xml');
  await told('gone.xml');
  const waiting = async (ref: string) => {
    const rows = await harness.sql<{ payload: { firstFailedAt?: string } }>(
      `select payload from job where queue = 'received-from-source' and payload ->> 'ref' = $1`,
      [ref],
    );
    return rows[0]?.payload;
  };
  const failed = (ref: string, days: number) =>
    harness.sql(
      `update job set run_at = now(),
         payload = payload || jsonb_build_object('firstFailedAt', $2::text, 'firstTriedAt', $2::text)
       where queue = 'received-from-source' and payload ->> 'ref' = $1 returning id`,
      [ref, new Date(Date.now() - days * 86_400_000).toISOString()],
    );
  await eventually(async () => {
    expect((await waiting('week.xml'))?.firstFailedAt).toBeDefined();
    expect((await waiting('gone.xml'))?.firstFailedAt).toBeDefined();
  });
  await failed('week.xml', 7);
  await failed('gone.xml', 31);
  // After a month a person sees that something came.
  await eventually(async () => {
    const lost = (await received()).find(({ network_id }) => network_id.startsWith('gone.xml#'));
    expect(lost).toMatchObject({ status: 'unreadable' });
    expect(lost.errors[0].message).toContain('could not be read for 30 days');
  });
  expect(await waiting('week.xml')).toBeDefined();
  await writeFile(join(folder, 'week.xml'), xml);
  agent = startAgent(home, env());
  await agent.event('connected');
  await failed('week.xml', 7);
  await eventually(async () => {
    const found = (await received()).find(({ number }) => number === 'M-3');
    expect(found).toMatchObject({ status: 'received' });
  });
});

test('a file says nothing in the name of its authority', async () => {
  const { xml } = validator.validate(profile, profile.complete({ ...invoice, number: 'M-2' }));
  const end = '</Invoice>';
  const said = {
    uuid: 'hostile.xml',
    rejectable_until: 'tomorrow',
    myinvois_status: 'Cancelled',
  };
  const elements = Object.entries(said).map(([name, text]) => `<${name}>${text}</${name}>`);
  const hostile = xml.replace(end, elements.join('') + end);
  await writeFile(join(folder, 'hostile.xml'), hostile);
  await writeFile(join(folder, 'other.xml'), hostile.replace('tomorrow', '2099-01-01T00:00:00Z'));
  await eventually(async () => {
    const found = (await received()).filter(({ number }) => number === 'M-2');
    expect(found).toHaveLength(2);
    for (const each of found) expect(each.rejectable_until).toBeUndefined();
  });
});

test('a source gives documents of one kind', async () => {
  const both = await harness.call(`PATCH /v1/connectors/${mail}`, {
    default_profile: 'BIS-3.0',
    submit_from: '2026-01-01',
    receives: {},
  });
  expect([both.status, both.body.detail]).toEqual([
    400,
    '"receives" cannot stand beside "submit_from".',
  ]);
  // Also when the other one was said before.
  const submitting = await harness.call(`PATCH /v1/connectors/${mail}`, {
    default_profile: 'BIS-3.0',
    submit_from: '2026-01-01',
  });
  expect([submitting.status, submitting.body.detail]).toEqual([
    400,
    '"submit_from" cannot stand beside "receives".',
  ]);
  const nowhere = { receives: { import_to: 'cnx_01k9zq3v7m2n4p6r8t0w2y4a6c' } };
  expect((await harness.call(`PATCH /v1/connectors/${mail}`, nowhere)).status).toBe(404);
  const off = await harness.call(`PATCH /v1/connectors/${mail}`, { receives: null });
  expect([off.status, off.body.receives]).toEqual([200, undefined]);
  const atOnce = await Promise.all([
    harness.call(`PATCH /v1/connectors/${mail}`, { receives: {} }),
    harness.call(`PATCH /v1/connectors/${mail}`, {
      default_profile: 'BIS-3.0',
      submit_from: '2026-01-01',
    }),
  ]);
  expect(atOnce.map(({ status }) => status).toSorted()).toEqual([200, 400]);
});
