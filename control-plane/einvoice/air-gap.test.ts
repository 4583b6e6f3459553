/** A whole PINT-MY round trip by files: the agent has no network at all. */
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { invoice } from '@drawbridge/profiles/bis-3.0/example.ts';
import { profile } from '@drawbridge/profiles/bis-3.0/profile.ts';
import { Validator } from '@drawbridge/validation/validate.ts';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { mappings } from '../../scripts/demo/mappings.ts';
import { agentProgram, runAgent } from '../../test/kit/agent-process.ts';
import { eventually } from '../../test/kit/eventually.ts';
import { namespaceObstacle } from '../../test/kit/network-namespace.ts';
import { sqlAt } from '../../test/kit/postgres.ts';
import { mountSmallDisk } from '../../test/kit/small-disk.ts';
import { newIdentity } from '../agents/identities.ts';
import { addIdentity } from '../agents/identity-store.ts';
import { erpSettings } from './erp.kit.ts';
import { type Harness, startHarness } from './harness.kit.ts';

// Each test starts several agents one after the other.
vi.setConfig({ testTimeout: 240_000 });

const obstacle = namespaceObstacle();
/** In a namespace of its own in which not even the loopback interface is up. */
const program = ['unshare', '-n', ...agentProgram] as const;
let harness: Harness;
let folder: string;
let agentId: string;
let connector: string;

beforeAll(async () => {
  if (obstacle !== undefined) return;
  harness = await startHarness();
  await harness.erp.run(`alter table OSALES add column CHANGES integer not null default 0`);
  await harness.erp.run(`update OSALES set DOC_DATE = '20200131'`);
  folder = await mkdtemp(join(dirname(harness.erp.file), 'agent-'));
});
afterAll(async () => {
  if (obstacle !== undefined) return;
  await harness.stop();
  await rm(folder, { recursive: true, force: true });
});
beforeEach((context) => {
  if (obstacle !== undefined) context.skip(obstacle);
});

const home = () => join(folder, 'home');
const env = () => ({ DRAWBRIDGE_FILE_ROOTS: dirname(harness.erp.file) });

async function command(args: string[], input = '') {
  const ran = await runAgent(home(), [...args, '--json'], { input, env: env(), program });
  expect([ran.code, ran.stderr]).toEqual([0, '']);
  return JSON.parse(ran.stdout);
}

async function exported(...more: string[]): Promise<object[]> {
  const { bundles } = await command(['bundle', 'export', '--to', join(folder, 'out'), ...more]);
  const files = (bundles as { file: string }[]).map(({ file }) => readFile(file, 'utf8'));
  return (await Promise.all(files)).map((text) => JSON.parse(text));
}

const post = (bundle: object) => harness.call(`POST /v1/agents/${agentId}/bundles`, bundle);
const inventory = async () =>
  (await harness.call(`GET /v1/agents/${agentId}/bundles`)).body.results as Record<
    string,
    unknown
  >[];

async function takeAtAgent(bundle: object) {
  const file = join(folder, 'in.json');
  await writeFile(file, JSON.stringify(bundle));
  const { code, stdout, stderr } = await runAgent(home(), ['bundle', 'import', file, '--json'], {
    env: env(),
    program,
  });
  return { code, stderr, body: JSON.parse(stdout) };
}

test('the agent has no interface that is up', async () => {
  const ran = await runAgent(home(), ['-e', `console.log(Object.keys(os.networkInterfaces()))`], {
    program: ['unshare', '-n', process.execPath],
  });
  expect(ran).toMatchObject({ code: 0, stdout: '[]\n' });
});

test('a host is enrolled by files', async () => {
  const { body } = await harness.call('POST /v1/agents/enrolment-tokens', {});
  const request = join(folder, 'request.json');
  const answer = join(folder, 'answer.json');
  const enrol = ['enroll', '--url', 'https://control-plane.example', '--request-file', request];
  const nowhere = [...enrol.slice(0, -1), join(folder, 'none', 'request.json')];
  expect(await runAgent(home(), nowhere, { input: body.token, program })).toMatchObject({
    code: 3,
    stderr: expect.stringMatching(/BRIDGE_3033 .*request\.json cannot be written \(ENOENT\)/),
  });
  await command(enrol, body.token);
  const asked = JSON.parse(await readFile(request, 'utf8'));
  const enrolled = await harness.call('POST /v1/agents/enrol', asked);
  expect(enrolled.status).toBe(201);
  await writeFile(answer, JSON.stringify({ ...enrolled.body, agent_id: 'agt_forged' }));
  const forged = await runAgent(home(), ['enroll', '--answer-file', answer], { program });
  expect(forged).toMatchObject({ code: 2, stderr: expect.stringContaining('BRIDGE_2007') });
  // As PowerShell keeps what is answered.
  await writeFile(answer, Buffer.from(`\ufeff${enrolled.text}`, 'utf16le'));
  agentId = (await command(['enroll', '--answer-file', answer])).agent_id;
  expect(agentId).toBe(enrolled.body.agent_id);
  const twice = await runAgent(home(), ['enroll', '--replace', '--answer-file', answer], {
    program,
  });
  expect(twice).toMatchObject({ code: 2, stderr: expect.stringContaining('No enrolment waits') });
});

test('a document goes to the authority, and its verdict into the ERP, all by files', async () => {
  const file = join(folder, 'erp.json');
  const changes = { column: 'CHANGES', key: 'DOC_NO' };
  await writeFile(file, JSON.stringify({ ...erpSettings(harness.erp.file), changes }));
  const add = ['connector', 'add', 'sqlite', '--name', 'erp', '--settings-file', file];
  await command([...add, '--watch']);
  // The columns come first, so that they can be mapped; the old documents are not submitted.
  const [columns] = await exported();
  expect(await post(columns!)).toMatchObject({ status: 201, body: { number: 1 } });
  await connectHere();
  const today = new Date().toISOString().slice(0, 10);
  const ref = await harness.erp.add('MY', { header: { DOC_DATE: today.replaceAll('-', '') } });

  const [first] = await exported();
  expect(await exported()).toEqual([]); // it is on its way, and nothing is new
  const receipt = await post(first!);
  expect(receipt).toMatchObject({ status: 201, body: { number: 2 } });
  const id = await eventually(async () => {
    const { body } = await harness.call(`GET /v1/invoices?connector_id=${connector}`);
    const invoice = body.results.find(
      ({ source_ref }: { source_ref: string }) => source_ref === ref,
    );
    return invoice.id as string;
  });
  await harness.until(id, ['cleared', 'submitted', 'delivered']);
  await settle(id);

  const back = await harness.call(`POST /v1/agents/${agentId}/bundles/next`);
  expect(back).toMatchObject({ status: 200, body: { from: 'control-plane', number: 1 } });
  expect((await harness.call(`POST /v1/agents/${agentId}/bundles/next`)).body).toEqual(back.body);
  expect(await takeAtAgent(back.body)).toMatchObject({ code: 0, body: { number: 1, waiting: 0 } });
  expect(harness.erp.rows('select source_ref, invoice_id from einv_status_sandbox')).toEqual([
    { source_ref: ref, invoice_id: id },
  ]);

  const [second] = await exported();
  expect(await post(second!)).toMatchObject({ status: 201, body: { number: 3 } });
  await eventually(async () => {
    const { body } = await harness.call(`GET /v1/invoices/${id}`);
    expect(body.write_back).toMatchObject({ outcome: 'written' });
  });
  const taken = { taken_at: expect.any(String) };
  expect(await inventory()).toMatchObject([
    { direction: 'from_agent', number: 3, ...taken },
    { direction: 'from_agent', number: 2, ...taken },
    { direction: 'from_agent', number: 1, ...taken },
    { direction: 'to_agent', number: 1, ...taken },
  ]);
  // Here nobody has brought the receipt for the last one yet.
  expect(await command(['bundle', 'list'])).toMatchObject([
    { direction: 'from_control_plane', number: 1, ...taken },
    { direction: 'to_control_plane', number: 3, taken_at: null },
    { direction: 'to_control_plane', number: 2, ...taken },
    { direction: 'to_control_plane', number: 1, ...taken },
  ]);
});

/** The connector of this agent at the control plane. */
async function connectHere(): Promise<void> {
  const { body } = await harness.call('POST /v1/connectors', {
    pattern: 'agent',
    kind: 'agent',
    name: 'Without a wire',
    agent_id: agentId,
    settings: { connector: 'erp' },
    default_profile: 'PINT-MY',
  });
  connector = body.id;
  const fields = mappings['PINT-MY'].fields.map((field) => ({ ...field, status: 'approved' }));
  const path = `PUT /v1/connectors/${connector}/mapping?profile=PINT-MY`;
  expect((await harness.call(path, { mapping: { fields } })).status).toBe(200);
  const today = new Date().toISOString().slice(0, 10);
  await harness.call(`PATCH /v1/connectors/${connector}`, { submit_from: today });
}

/** Until the write-back waits for its agent. */
async function settle(id: string): Promise<void> {
  await eventually(async () => {
    harness.advance(60_000);
    await sqlAt(harness.databaseUrl, 'update job set run_at = now() where key = $1', [id]);
    const waiting = await harness.sql('select 1 from agent_command where outcome is null');
    expect(waiting).toHaveLength(1);
  });
}

test('what is lost on its way is carried again, and nothing is doubled', async () => {
  const before = (await harness.call(`GET /v1/invoices?connector_id=${connector}`)).body.results;
  const today = new Date().toISOString().slice(0, 10);
  await harness.erp.add('MY', { header: { DOC_DATE: today.replaceAll('-', '') } });
  const [lost] = await exported();
  const header = { DOC_DATE: today.replaceAll('-', '') };
  await harness.erp.add('MY', { header });
  const [next] = await exported();
  expect(await post(next!)).toMatchObject({ status: 409, body: { code: 'bundle_out_of_order' } });
  const [again] = await exported('--again', '4');
  expect(again).toEqual(lost);
  expect((await post(again!)).status).toBe(201);
  expect((await post(next!)).status).toBe(201);
  for (const known of [lost, next]) {
    expect(await post(known!)).toMatchObject({ status: 409, body: { code: 'bundle_replayed' } });
  }
  await eventually(async () => {
    const { body } = await harness.call(`GET /v1/invoices?connector_id=${connector}`);
    expect(body.results).toHaveLength(before.length + 2);
  });
});

test('a medium without room is told, with the bundle that it has no room for', async (context) => {
  const medium = mountSmallDisk(1);
  if (medium === undefined) return context.skip('only root may mount a small disk');
  medium.fill();
  const more = ['--to', medium.path, '--again', '5'];
  const { code, stderr } = await runAgent(home(), ['bundle', 'export', ...more], { program });
  expect(code).toBe(3);
  expect(stderr).toContain('cannot be written (ENOSPC)');
  expect(stderr).toContain('`drawbridge bundle export --again 5 --to FOLDER`');
  expect(await readdir(medium.path)).toEqual(['ballast']);
  medium.unmount();
});

test('a bundle that was changed, cut off or is of another is refused by both ends', async () => {
  const [bundle] = (await exported('--again', '5')) as [Record<string, string>];
  const late = { ...bundle, number: 6 };
  const changed = { ...late, sealed: `AAAA${bundle.sealed!.slice(4)}` };
  expect(await post(changed)).toMatchObject({ status: 409, body: { code: 'bundle_tampered' } });
  expect(await post(late)).toMatchObject({ status: 409, body: { code: 'bundle_tampered' } });
  const strange = { ...bundle, agent_id: 'agt_other' };
  expect(await post(strange)).toMatchObject({ status: 409, body: { code: 'bundle_foreign' } });
  const { signature: _, ...cut } = bundle;
  expect(await post(cut)).toMatchObject({ status: 400 });
  const file = await harness.call(`POST /v1/agents/${agentId}/bundles/next`);
  expect(await post(file.body)).toMatchObject({ status: 409, body: { code: 'bundle_outgoing' } });
  for (const [content, says] of [
    [bundle, 'comes from this end'],
    [{ ...file.body, agent_id: 'agt_other' }, 'of the agent agt_other'],
    [{ ...file.body, number: 9 }, 'does not verify'],
    ['{"format":', 'was cut off'],
  ] as const) {
    const refused = await takeAtAgent(content as object);
    expect(refused).toMatchObject({ code: 3, body: { error: { code: 'ERR_DRAWBRIDGE_3009' } } });
    expect(refused.body.error.cause).toContain(says);
  }
  expect(await takeAtAgent(file.body)).toMatchObject({ code: 0 });
  const replayed = await takeAtAgent(file.body);
  expect(replayed.body.error.cause).toContain('was taken before');
});

test('a supplier’s document goes out by a file, and its draft comes back by one', async () => {
  const mail = join(dirname(harness.erp.file), 'mail');
  await mkdir(mail, { recursive: true });
  const xml = new Validator().validate(
    profile,
    profile.complete({ ...invoice, number: 'M-1' }),
  ).xml;
  await writeFile(join(mail, 'first.xml'), xml);
  const file = join(folder, 'mail.json');
  await writeFile(file, JSON.stringify({ folder: mail, settleSeconds: 0 }));
  const add = ['connector', 'add', 'files', '--name', 'mail', '--settings-file', file];
  await command([...add, '--watch']);
  const { body: source } = await harness.call('POST /v1/connectors', {
    pattern: 'agent',
    kind: 'agent',
    name: 'Suppliers',
    agent_id: agentId,
    settings: { connector: 'mail' },
  });
  const receives = { import_to: connector };
  await harness.call(`PATCH /v1/connectors/${source.id}`, { receives });
  await carryOut();
  await eventually(async () => {
    const { body } = await harness.call(`GET /v1/received?source=${source.id}`);
    expect(body.results).toMatchObject([{ number: 'M-1', status: 'received' }]);
    expect(await harness.sql(waitingImports)).toHaveLength(1);
  });
  await carryIn();
  const drafts = 'select number, status from einv_received_sandbox';
  expect(harness.erp.rows(drafts)).toEqual([{ number: 'M-1', status: 'draft' }]);
  await carryOut();
  await eventually(async () => {
    const { body } = await harness.call(`GET /v1/received?source=${source.id}`);
    expect(body.results).toMatchObject([{ status: 'imported', import: { outcome: 'written' } }]);
  });
});

const waitingImports = `select 1 from agent_command where outcome is null and params->'command' ? 'action'`;

/** Brings all that waits to the control plane; returns the last bundle. */
async function carryOut(): Promise<Record<string, string>> {
  const bundles = await exported();
  for (const bundle of bundles) expect((await post(bundle)).status).toBe(201);
  return bundles.at(-1) as Record<string, string>;
}

const nextBundle = async () =>
  (await harness.call(`POST /v1/agents/${agentId}/bundles/next`)).body as Record<string, string>;

async function carryIn(): Promise<Record<string, string>> {
  const bundle = await nextBundle();
  expect(await takeAtAgent(bundle)).toMatchObject({ code: 0 });
  return bundle;
}

test('the keys of both ends are changed by files, whatever is on its way meanwhile', async () => {
  const before = await command(['keys', 'show']);
  const newDocument = async () => {
    const today = new Date().toISOString().slice(0, 10);
    await harness.erp.add('MY', { header: { DOC_DATE: today.replaceAll('-', '') } });
  };
  const made = await command(['keys', 'rotate']);
  expect(made).toMatchObject({ state: 'waiting', public_key: expect.any(String) });
  // The first tells the key, and is signed with the one before; the second is signed with the new one.
  const [telling] = await exported();
  await newDocument();
  const [following] = await exported();
  const early = await post(following!);
  expect(early).toMatchObject({ status: 409, body: { code: 'bundle_out_of_order' } });
  expect((await post(telling!)).status).toBe(201);
  expect((await post(following!)).status).toBe(201);
  expect(await post(telling!)).toMatchObject({ body: { code: 'bundle_replayed' } });
  await carryIn();
  const changed = await command(['keys', 'show']);
  expect(changed).toMatchObject({ public_key: made.public_key, next_public_key: null });
  expect(changed.public_key).not.toBe(before.public_key);

  const { db, secrets } = harness.app.platform;
  const newest = newIdentity(secrets, randomBytes);
  const later = newIdentity(secrets, randomBytes);
  await db.system((tx) => addIdentity(tx, newest));
  const offered = await eventually(async () => {
    const bundle = await nextBundle();
    expect(bundle).toMatchObject({
      control_plane_key: before.control_plane_key,
      number: expect.any(Number),
    });
    expect(await harness.sql(`select 1 from agent_bundle where identity is not null`)).toHaveLength(
      1,
    );
    return bundle;
  });
  // Another is made before the agent has heard of the first; both bundles are made with the old key.
  await db.system((tx) => addIdentity(tx, later));
  const second = await eventually(async () => {
    const bundle = await nextBundle();
    expect(bundle.number).not.toBe(offered.number);
    return bundle;
  });
  expect(second.control_plane_key).toBe(before.control_plane_key);
  expect(await takeAtAgent(offered)).toMatchObject({ code: 0 });
  expect(await takeAtAgent(second)).toMatchObject({ code: 0 });
  expect(await command(['keys', 'show'])).toMatchObject({ control_plane_key: later.public_key });
  await newDocument();
  expect(await carryOut()).toMatchObject({ control_plane_key: later.public_key });
  expect(await carryIn()).toMatchObject({ control_plane_key: later.public_key });
  await carryOut();
});

test('another tenant reaches neither the bundles nor the agent', async () => {
  const key = harness.other.keys.sandbox;
  for (const call of [
    `GET /v1/agents/${agentId}/bundles`,
    `GET /v1/agents/${agentId}/bundles/1`,
    `POST /v1/agents/${agentId}/bundles/next`,
  ]) {
    expect((await harness.call(call, undefined, { key })).status).toBe(404);
  }
  const [name] = await readdir(join(folder, 'out'));
  const bundle = JSON.parse(await readFile(join(folder, 'out', name!), 'utf8'));
  const foreign = await harness.call(`POST /v1/agents/${agentId}/bundles`, bundle, { key });
  expect(foreign.status).toBe(404);
});
