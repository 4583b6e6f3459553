import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toBase64 } from '@drawbridge/link/bytes.ts';
import { closeReasons } from '@drawbridge/link/close-reasons.ts';
import { tokenText } from '@drawbridge/link/enrolment.ts';
import Database from 'better-sqlite3';
import nacl from 'tweetnacl';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { runCommand } from '../test/kit/agent-commands.ts';
import { agentProgram, runAgent, startAgent } from '../test/kit/agent-process.ts';
import { identityFrame, type Simulator, startSimulator } from './link/simulator.ts';

let simulator: Simulator;
let folder: string;
let home: string;
let env: Record<string, string>;

beforeAll(async () => {
  simulator = await startSimulator();
});
afterAll(() => simulator.close());
beforeEach(() => {
  simulator.identity = nacl.sign.keyPair();
  folder = mkdtempSync(join(tmpdir(), 'drawbridge-agent-'));
  home = join(folder, 'home');
  env = { DRAWBRIDGE_FILE_ROOTS: folder };
});
afterEach(() => rmSync(folder, { recursive: true }));

/** An ERP of two invoices, and the file with the settings to read it. */
function makeErp(): string {
  const file = join(folder, 'erp.db');
  const database = new Database(file);
  database.exec(`create table if not exists invoice (number text primary key, total text);
    insert or ignore into invoice values ('INV-1', '10.00'), ('INV-2', '20.00')`);
  database.close();
  const settingsFile = join(folder, 'erp.json');
  const header = { table: 'invoice', key: 'number', match: 'number' };
  writeFileSync(settingsFile, JSON.stringify({ file, sections: { header } }));
  return settingsFile;
}

const freshKey = () => toBase64(nacl.sign.keyPair().publicKey);
const enroll = () =>
  runCommand(home, ['enroll', '--url', simulator.url], {
    input: `${simulator.goodToken()}\n`,
    env,
  });
const enrollAnew = () =>
  runCommand(home, ['enroll', '--url', simulator.url, '--replace'], {
    input: simulator.goodToken(),
  });
const addErp = () =>
  runCommand(home, ['connector', 'add', 'sqlite', '--name', 'erp', '--settings-file', makeErp()], {
    env,
  });

test.each(['run', 'status'])('%s with a home folder that cannot be made says why', async (name) => {
  writeFileSync(home, '');
  const below = join(home, 'below');
  expect(await runCommand(home, [name])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`${home} cannot be used: a file stands in its place`),
  });
  expect((await runCommand(below, [name])).stderr).toContain('in the place of a folder above it');
  if (process.platform === 'linux') {
    expect((await runCommand('/proc/drawbridge', [name])).stderr).toContain(
      'no folder can be made',
    );
  }
});

test('who reads no further than the first lines is told of no error', async () => {
  const [file, ...first] = agentProgram;
  const child = spawn(file, [...first, 'explain', 'ERR_DRAWBRIDGE_1003'], {
    env: { PATH: process.env.PATH, DRAWBRIDGE_AGENT_HOME: home },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stdout.destroy();
  let told = '';
  child.stderr.on('data', (chunk) => {
    told += String(chunk);
  });
  const [code] = await once(child, 'close');
  expect([code, told]).toEqual([0, '']);
});

test.each([
  { args: ['status'], code: 2, error: 2001 },
  { args: ['run'], code: 2, error: 2001 },
  { args: ['nonsense'], code: 3, error: 3001 },
  { args: ['status', '--nonsense'], code: 3, error: 3001 },
  { args: ['enroll'], code: 3, error: 3001 },
  { args: ['enroll', '--url', 'http://example.com'], code: 3, error: 3003 },
  { args: ['enroll', '--url', 'http://127.0.0.1:1'], code: 3, error: 3004 },
  {
    args: ['enroll', '--url', 'http://127.0.0.1:1', '--token-file', '/none'],
    code: 4,
    error: 4003,
  },
  { args: ['connector', 'test', 'none'], code: 4, error: 4001 },
  {
    args: ['connector', 'add', 'abacus', '--name', 'x', '--settings-file', '/none'],
    code: 4,
    error: 4002,
  },
  {
    args: ['connector', 'add', 'sqlite', '--name', 'Not A Name', '--settings-file', '/none'],
    code: 3,
    error: 3005,
  },
  {
    args: ['connector', 'add', 'sqlite', '--name', 'erp', '--settings-file', '/none'],
    code: 4,
    error: 4003,
  },
  { args: ['connector', 'add', 'sqlite', '--name', 'erp'], code: 3, error: 3001 },
])('$args ends with code $code and ERR_DRAWBRIDGE_$error', async ({ args, code, error }) => {
  const ran = await runCommand(home, [...args, '--json'], { env });
  expect(ran.code).toBe(code);
  expect(JSON.parse(ran.stdout)).toMatchObject({
    error: {
      code: `ERR_DRAWBRIDGE_${error}`,
      cause: expect.any(String),
      next: expect.any(String),
    },
  });
  expect(ran.stderr).toContain(`ERR_DRAWBRIDGE_${error}`);
});

test.each([
  { args: ['statsu'], meant: 'status' },
  { args: ['connector', 'ad'], meant: 'add' },
  { args: ['status', '--jsn'], meant: '--json' },
])('$args names the nearest and prints no stack', async ({ args, meant }) => {
  const ran = await runCommand(home, args, { env });
  expect(ran.code).toBe(3);
  expect(ran.stderr).toContain(`Did you mean ${meant}?`);
  expect(ran.stderr).not.toMatch(/^ +at /m);
});

test('an unenrolled host has no identity, keeps its sources, and can enrol again', async () => {
  await enroll();
  await addErp();
  expect((await runCommand(home, ['unenroll', '--json'])).code).toBe(3);
  const ran = await runCommand(home, ['unenroll', '--yes']);
  expect(ran.stdout).toMatch(/revoke (agt_\w+)\. .*connector take-over --from \1/);
  expect((await runCommand(home, ['status'])).code).toBe(2);
  expect((await runCommand(home, ['unenroll', '--yes'])).code).toBe(2);
  expect((await runCommand(home, ['connector', 'list', '--json'])).stdout).toContain('erp');
  expect((await enroll()).code).toBe(0);
});

test('an address that does not speak TLS is told so, and what to compare', async () => {
  const url = simulator.url.replace(/^http:/, 'https:');
  const ran = await runCommand(home, ['enroll', '--url', url], { input: simulator.goodToken() });
  expect(ran.stderr).toMatch(/1002 .*does not speak TLS.*Compare the address.*--ca-file/);
});

test('a setting that does not read is named', async () => {
  const ran = await runCommand(home, ['status'], { env: { DRAWBRIDGE_GRACE_SECONDS: 'long' } });
  expect(ran.code).toBe(3);
  expect(ran.stderr).toMatch(/ERR_DRAWBRIDGE_3002 .*DRAWBRIDGE_GRACE_SECONDS/);
});

test('a token that the control plane refuses leaves no identity behind', async () => {
  const input = simulator.tokenOf('stolen-token');
  const ran = await runCommand(home, ['enroll', '--url', simulator.url], { input });
  expect(ran.code).toBe(2);
  expect(ran.stdout + ran.stderr).not.toContain('stolen-token');
  expect((await runCommand(home, ['status'])).code).toBe(2);
});

test.each([
  { what: 'that names no key', token: () => 'enrol_x', error: 2006 },
  { what: 'that was cut off', token: () => simulator.goodToken().slice(0, -5), error: 2002 },
  {
    what: 'of another control plane',
    token: () => tokenText({ secret: 'good-token', controlPlaneKey: freshKey() }),
    error: 2002,
  },
])('a token $what is refused', async ({ token, error }) => {
  const ran = await runCommand(home, ['enroll', '--url', simulator.url], { input: token() });
  expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining(`BRIDGE_${error}`) });
});

test('an agent is enrolled once, with its own keys, in a home that only its owner can read', async () => {
  expect(await enroll()).toMatchObject({ code: 0, stderr: '' });
  expect(simulator.enrolments.at(-1)).toEqual({
    token: 'good-token',
    publicKey: expect.stringMatching(/^[A-Za-z0-9+/]{43}=$/),
    hostname: expect.any(String),
    software: '0.1.0',
  });
  expect(statSync(home).mode & 0o777).toBe(0o700);
  expect((await enroll()).code).toBe(2);
});

test('a host that is enrolled again starts with an empty queue', async () => {
  await enroll();
  const running = startAgent(home);
  const peer = await simulator.nextPeer();
  expect((await enrollAnew()).stderr).toContain('ERR_DRAWBRIDGE_1004');
  peer.send({ kind: 'command', seq: 1, id: 'c1', body: { connector: 'none' } });
  await peer.next('event'); // never acknowledged, so it stays queued
  await running.stop('SIGKILL');
  expect((await enrollAnew()).code).toBe(0);
  const status = await runCommand(home, ['status', '--json']);
  expect(JSON.parse(status.stdout)).toMatchObject({ unsent_events: 0, pending_commands: 0 });
});

test('a connector is added, tested and described; its settings are never shown', async () => {
  expect(await addErp()).toMatchObject({ code: 0 });
  expect((await addErp()).stderr).toContain('ERR_DRAWBRIDGE_3006');
  const list = await runCommand(home, ['connector', 'list', '--json']);
  expect(JSON.parse(list.stdout)).toEqual([
    { name: 'erp', kind: 'sqlite', watch: false, enabled: true },
  ]);
  const tested = await runCommand(home, ['connector', 'test', 'erp', '--json'], { env });
  expect(JSON.parse(tested.stdout).sample_refs).toContain('INV-1');
  const mapped = await runCommand(home, ['mapping', 'show', 'erp', '--source'], { env });
  expect(mapped.stdout).toMatch(/header.*invoice.*total/);
  const infer = ['mapping', 'infer', 'erp', '--profile', 'PINT-MY', '--json'];
  const { mapping } = JSON.parse((await runCommand(home, infer, { env })).stdout);
  const sources = mapping.fields.map((field: { from?: { column: string } }) => field.from?.column);
  expect(sources).toContain('number');
});

test('the ERP is read through the agent, and a stopping agent drains before it closes', async () => {
  await enroll();
  await addErp();
  const agent = startAgent(home, env);
  const peer = await simulator.nextPeer();
  const params = { connector: 'erp', ref: 'INV-2' };
  const call = { kind: 'call', id: '1', method: 'connector.read', params, deadlineMs: 9_000 };
  peer.send(call as never);
  const { text } = await peer.next('result');
  expect(JSON.parse(text)).toMatchObject({
    kind: 'ok',
    result: { kind: 'found', document: { sections: { header: [{ values: { total: '20.00' } }] } } },
  });
  await agent.event('connected');
  const status = await runCommand(home, ['status', '--json']);
  expect(JSON.parse(status.stdout)).toMatchObject({ running: true, link: { state: 'connected' } });
  expect((await runAgent(home, ['run'])).stderr).toContain('ERR_DRAWBRIDGE_1004');
  const stopped = agent.stop('SIGTERM');
  await peer.next('drain');
  expect(await peer.closed).toBe(closeReasons.draining.code);
  expect(await stopped).toBe(0);
  const after = await runCommand(home, ['status', '--json']);
  expect(JSON.parse(after.stdout)).toMatchObject({ running: false, link: { state: 'stopped' } });
});

test('new documents of a watched connector are reported until they are acknowledged', async () => {
  await enroll();
  await addErp();
  const settingsFile = join(folder, 'erp.json');
  await runCommand(
    home,
    ['connector', 'add', 'sqlite', '--name', 'erp', '--settings-file', settingsFile].concat(
      '--watch',
      '--replace',
    ),
    { env },
  );
  const first = startAgent(home, env);
  // A status may be sent before it.
  const report = async (peer: Awaited<ReturnType<Simulator['nextPeer']>>) => {
    for (;;) {
      const event = await peer.next('event');
      if (event.topic === 'documents.read') return event;
    }
  };
  const event = await report(await simulator.nextPeer());
  expect(event.body).toMatchObject({ connector: 'erp', sequence: 1, refs: ['INV-1', 'INV-2'] });
  await first.stop('SIGKILL');
  const second = startAgent(home, env);
  const peer = await simulator.nextPeer();
  expect((await report(peer)).id).toBe(event.id);
  peer.send({ kind: 'ack', upTo: 1 });
  await second.stop('SIGTERM');
});

test('a source is compared with what was read, wound back, and read again', async () => {
  await enroll();
  await addErp();
  const reconciled = async () => {
    const ran = await runCommand(home, ['cursor', 'reconcile', 'erp', '--json'], { env });
    return JSON.parse(ran.stdout);
  };
  expect(await reconciled()).toMatchObject({ documents: 2, late: 0, edited: 0, deleted: 0 });
  const erp = new Database(join(folder, 'erp.db'));
  erp.exec(
    `insert into invoice values ('INV-0', '1.00'); delete from invoice where number = 'INV-2'`,
  );
  erp.close();
  expect(await reconciled()).toMatchObject({ documents: 2, deleted: 1 });
  const [shown] = JSON.parse((await runCommand(home, ['cursor', 'show', '--json'])).stdout);
  expect(shown).toMatchObject({ connector: 'erp', documents: 2, findings: [{ ref: 'INV-2' }] });
  const rewind = ['cursor', 'rewind', 'erp', '--to', 'start', '--send-again', '--json'];
  expect(JSON.parse((await runCommand(home, rewind)).stdout).cursor).toBeNull();
  await reconciled();
  const status = JSON.parse((await runCommand(home, ['status', '--json'])).stdout);
  expect(status).toMatchObject({ unsent_documents: 5, reconciliations: [{ connector: 'erp' }] });
  const day = await runCommand(home, ['cursor', 'rewind', 'erp', '--to', '01/02/2026']);
  expect(day).toMatchObject({ code: 3, stderr: expect.stringContaining('01/02/2026') });
  const wrong = await runCommand(home, ['cursor', 'rewind', 'none', '--to', 'start']);
  expect([wrong.code, wrong.stderr]).toEqual([4, expect.stringContaining('ERR_DRAWBRIDGE_4001')]);
});

test.each(['superseded', 'revoked'] as const)(
  'an agent that is %s ends with code 2',
  async (why) => {
    await enroll();
    const agent = startAgent(home);
    const peer = await simulator.nextPeer();
    peer.socket.close(closeReasons[why].code);
    expect(await agent.exited).toBe(2);
  },
);

test('an agent dials again after its link broke, with the epoch it was given', async () => {
  await enroll();
  const agent = startAgent(home);
  const first = await simulator.nextPeer();
  first.socket.terminate();
  const second = await simulator.nextPeer();
  expect(second.hello.epoch).toBe(first.hello.epoch + 1);
  await agent.event('redialling');
  expect(await agent.stop('SIGTERM')).toBe(0);
});

test('an agent trusts the new key of its control plane, and nobody with the old one any more', async () => {
  await enroll();
  const agent = startAgent(home);
  const peer = await simulator.nextPeer();
  const [old, next, stranger] = [simulator.identity, nacl.sign.keyPair(), nacl.sign.keyPair()];
  peer.send(identityFrame(old, next));
  const { publicKey } = await peer.next('trusts');
  const trusted = async () =>
    JSON.parse((await runCommand(home, ['status', '--json'])).stdout).control_plane_key;
  expect(await trusted()).toBe(publicKey);
  // The old key signs for a stranger: the agent ends the session, and is linked again.
  simulator.identity = next;
  peer.send(identityFrame(old, stranger));
  expect(await peer.closed).toBe(closeReasons.unsigned_identity.code);
  const again = await simulator.nextPeer();
  expect(again.hello.controlPlaneKey).toBe(publicKey);
  expect(await trusted()).toBe(publicKey);
  // A stranger with the old key answers in the place of the control plane.
  simulator.identity = old;
  again.socket.terminate();
  expect(await agent.exited).toBe(2);
  expect(await trusted()).toBe(publicKey);
});

test('an agent that trusts a retired key is told what to do, and enrols again', async () => {
  await enroll();
  simulator.refusal = 'retired_key';
  const ran = await runAgent(home, ['run', '--json']);
  simulator.refusal = undefined;
  expect(ran.code).toBe(2);
  expect(JSON.parse(ran.stdout.trim().split('\n').at(-1)!)).toEqual({
    error: {
      code: 'ERR_DRAWBRIDGE_2005',
      cause: 'The control plane no longer has the key that this agent trusts.',
      next: expect.stringContaining('drawbridge enroll --replace'),
    },
  });
  expect((await enrollAnew()).code).toBe(0);
  const agent = startAgent(home);
  await simulator.nextPeer();
  expect(await agent.stop('SIGTERM')).toBe(0);
});

test('the doctor runs every check and says what is not well', async () => {
  await enroll();
  await addErp();
  const ran = await runCommand(home, ['doctor', '--json'], { env });
  const { findings } = JSON.parse(ran.stdout);
  const statuses = Object.fromEntries(
    findings.map((row: Record<string, string>) => [row.component, row.status]),
  );
  expect(statuses).toEqual({
    identity: 'ok',
    disk: 'ok',
    queue: 'ok',
    proxy: 'ok',
    dns: 'ok',
    tcp: 'ok',
    clock: 'ok',
    connector: 'ok',
    rules: 'ok',
  });
  const offline = await runCommand(home, ['doctor', '--offline', '--json'], { env });
  const left = JSON.parse(offline.stdout).findings as { component: string }[];
  expect(new Set(left.map(({ component }) => component))).toEqual(
    new Set(['identity', 'disk', 'queue', 'connector', 'rules']),
  );
  const outside = await runCommand(home, ['doctor'], { env: { DRAWBRIDGE_FILE_ROOTS: '/none' } });
  expect(outside.code).toBe(1);
  expect(outside.stdout).toMatch(/connector.*erp.*fail/);
  simulator.refusal = 'suspended';
  const agent = startAgent(home, env);
  await agent.event('redialling');
  const linked = async () => (await runAgent(home, ['doctor'], { env })).stdout;
  expect(await linked()).toMatch(/link.*warn.*redialling since .*the workspace is suspended/);
  simulator.refusal = undefined;
  await agent.event('connected');
  expect(await linked()).toMatch(/link.*ok.*connected since/);
});
