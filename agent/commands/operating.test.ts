import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Erp } from '@drawbridge/connectors/http/erp.fixture.ts';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { runCommand } from '../../test/kit/agent-commands.ts';
import { agentProgram, startAgent } from '../../test/kit/agent-process.ts';
import { eventually } from '../../test/kit/eventually.ts';
import { freePort } from '../../test/kit/free-ports.ts';
import { type Simulator, startSimulator } from '../link/simulator.ts';

vi.setConfig({ testTimeout: 120_000 }); // each test starts several processes

let simulator: Simulator;
let folder: string;
let home: string;
beforeEach(async () => {
  simulator = await startSimulator(); // its own, so that no link of another test is taken for one of this
  folder = mkdtempSync(join(tmpdir(), 'drawbridge-operating-'));
  home = join(folder, 'home');
});
afterEach(async () => {
  await simulator.close();
  rmSync(folder, { recursive: true });
});

async function agent(...args: string[]) {
  const ran = await runCommand(home, [...args, '--json'], {
    env: { DRAWBRIDGE_FILE_ROOTS: folder },
  });
  return { ...ran, data: ran.stdout === '' ? undefined : JSON.parse(ran.stdout) };
}
async function enroll(): Promise<void> {
  const ran = await runCommand(home, ['enroll', '--url', simulator.url], {
    input: simulator.goodToken(),
  });
  expect(ran).toMatchObject({ code: 0, stderr: '' });
}

/** `drawbridge tap`, which runs until it is ended. */
function startTap(...options: string[]) {
  const [file, ...first] = agentProgram;
  const env = { PATH: process.env.PATH, DRAWBRIDGE_AGENT_HOME: home };
  const child = spawn(file, [...first, 'tap', ...options], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const line = async (kind: string) => {
    for (;;) {
      const { value, done } = await lines.next();
      if (done) throw new Error('tap has ended');
      const shown = JSON.parse(value);
      if (shown.kind === kind) return shown;
    }
  };
  return {
    line,
    async end() {
      child.kill('SIGTERM');
      const [code] = await once(child, 'exit');
      return code as number | null;
    },
  };
}

function addDatabase(password: string) {
  const file = join(folder, 'mysql.json');
  const settings = { host: '127.0.0.1', port: 9, database: 'erp', user: 'reader', password };
  writeFileSync(file, JSON.stringify(settings));
  const add = ['connector', 'add', 'mysql', '--name', 'db', '--settings-file', file];
  return agent(...add, '--no-test', '--watch', '--replace');
}

test('what waits is listed, shown, exported and checked; its reason stands in the status', async () => {
  await enroll();
  await addDatabase('hunter2');
  const running = startAgent(home);
  const peer = await simulator.nextPeer();
  peer.send(writeBack('cmd_1'));
  const waiting = await eventually(async () => {
    const { data } = await agent('status');
    expect(data.write_back).toHaveLength(1);
    return data.write_back[0];
  });
  expect(waiting).toMatchObject({ connector: 'db', state: 'waiting', detail: /./ });
  expect((await runCommand(home, ['status'])).stdout).toMatch(
    /db write_back.*waiting, .*127\.0\.0\.1/,
  );
  await running.stop('SIGKILL');
  expect((await agent('queue', 'ls')).data).toMatchObject([
    { id: 'cmd_1', what: 'write_back', of: 'db' },
  ]);
  expect((await agent('queue', 'show', 'cmd_1')).data.content).toMatchObject({ connector: 'db' });
  expect((await agent('queue', 'show', 'cmd_2')).code).toBe(4);
  const file = join(folder, 'queue.jsonl');
  expect((await agent('queue', 'export', file)).data).toEqual({ file, items: 1 });
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ id: 'cmd_1' });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect((await agent('queue', 'fsck')).data).toEqual({ faults: [] });
  const { data } = await agent('queue', 'quarantine', '--yes');
  expect(existsSync(data.file)).toBe(true);
  expect((await agent('queue', 'quarantine', '--yes')).data).toEqual({ file: null });
  expect((await agent('queue', 'ls')).data).toEqual([]);
});

const confirmation = {
  invoiceId: 'inv_1',
  sourceRef: '1',
  status: 'cleared',
  profile: 'PINT-MY',
  settledAt: '2026-11-21T07:00:00Z',
};
const writeBack = (id: string, seq = 1) => {
  const command = { idempotencyKey: id, environment: 'live', confirmation };
  return { kind: 'command' as const, seq, id, body: { connector: 'db', command } };
};

function replaceDatabase() {
  const file = join(folder, 'erp.db');
  const erp = new Database(file);
  erp.exec("create table invoice (number text primary key); insert into invoice values ('1')");
  erp.close();
  const settingsFile = join(folder, 'sqlite.json');
  const header = { table: 'invoice', key: 'number', match: 'number' };
  writeFileSync(settingsFile, JSON.stringify({ file, sections: { header } }));
  return agent(
    'connector',
    'add',
    'sqlite',
    '--name',
    'db',
    '--settings-file',
    settingsFile,
    '--replace',
  );
}

describe('the running agent, asked on its host', () => {
  const anHour = { DRAWBRIDGE_REDIAL_BASE_MS: '3600000', DRAWBRIDGE_REDIAL_CAP_MS: '3600000' };

  test('tries at once what waits, and says what came of it', async () => {
    await enroll();
    await addDatabase('hunter2');
    const running = startAgent(home, { ...anHour, DRAWBRIDGE_FILE_ROOTS: folder });
    const peer = await simulator.nextPeer();
    expect((await agent('queue', 'retry')).data).toEqual([]);
    peer.send(writeBack('cmd_1'));
    await peer.next('ack');
    expect(await agent('queue', 'retry', 'db')).toMatchObject({
      code: 1,
      data: [{ connector: 'db', state: 'waiting', detail: expect.stringMatching(/127.0.0.1/) }],
    });
    expect((await agent('queue', 'retry', 'other')).code).toBe(4);
    expect((await replaceDatabase()).code).toBe(0);
    expect((await agent('queue', 'ls')).data).toMatchObject([{ id: 'cmd_1' }]);
    expect(await agent('queue', 'retry')).toMatchObject({
      code: 0,
      data: [{ connector: 'db', state: 'written' }],
    });
    expect((await peer.next('event')).topic).toBe('command.done');
    await running.stop('SIGTERM');
  });

  test('names documents that a server fails, goes on with the others, and reads them when told to', async () => {
    await enroll();
    const erp = new Erp();
    await erp.start();
    let isMended = false;
    erp.before = ({ url = '' }, response) => {
      if (isMended || !url.includes('number=BAD')) return false;
      response.writeHead(500).end('{}');
      return true;
    };
    for (const number of ['A', 'BAD', 'C']) erp.put(number, JSON.stringify({ number }));
    const list = { path: '/invoices', records: '$.data', ref: '$.number', changes: {} };
    const read = { path: '/invoices?number={ref}', record: '$.data' };
    const settings = { url: erp.url, list: { ...list, paging: { by: 'offset' } }, read };
    const file = join(folder, 'http.json');
    writeFileSync(file, JSON.stringify(settings));
    const add = ['connector', 'add', 'http', '--name', 'api', '--settings-file', file, '--watch'];
    expect((await agent(...add)).code).toBe(0);
    const port = await freePort();
    const running = startAgent(home, { ...anHour, DRAWBRIDGE_PROBES_PORT: String(port) });
    const peer = await simulator.nextPeer();
    expect(await peer.next('event')).toMatchObject({ body: { refs: ['A', 'C'] } });
    const bad = { connector: 'api', ref: 'BAD', detail: expect.stringContaining('answered 500') };
    expect((await agent('status')).data.set_aside).toMatchObject([bad]);
    expect((await runCommand(home, ['status'])).stdout).toMatch(/api set aside.*1 document: BAD: /);
    expect((await agent('queue', 'ls')).data).toContainEqual(
      expect.objectContaining({ id: 'api/BAD', what: 'document', of: 'api' }),
    );
    expect((await agent('queue', 'show', 'api/BAD')).data.content).toMatchObject({ ref: 'BAD' });
    const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    expect(metrics).toContain('drawbridge_agent_documents_set_aside 1');
    expect(await agent('queue', 'retry')).toMatchObject({
      code: 1,
      data: [{ connector: 'api', state: 'set_aside', detail: expect.stringContaining('BAD') }],
    });
    isMended = true;
    expect(await agent('queue', 'retry', 'api')).toMatchObject({
      code: 0,
      data: [{ connector: 'api', state: 'read' }],
    });
    expect(await peer.next('event')).toMatchObject({ body: { refs: ['BAD'] } });
    expect((await agent('status')).data.set_aside).toEqual([]);
    await running.stop('SIGTERM');
    await erp.stop();
  });

  test('delivers what a comparison of a source has queued, and tells of one that cannot be read', async () => {
    await enroll();
    const file = join(folder, 'erp.db');
    new Database(file)
      .exec(`create table invoice (number text primary key); insert into invoice values ('INV-1')`)
      .close();
    const sections = { header: { table: 'invoice', key: 'number', match: 'number' } };
    const settings = join(folder, 'erp.json');
    writeFileSync(
      settings,
      JSON.stringify({ file, sections, changes: { column: 'number', key: 'number' } }),
    );
    const add = ['connector', 'add', 'sqlite', '--settings-file', settings, '--no-test'];
    expect((await agent(...add, '--name', 'erp')).code).toBe(0);
    expect((await agent(...add, '--name', 'outside', '--watch')).code).toBe(0);
    const running = startAgent(home, { ...anHour, DRAWBRIDGE_FILE_ROOTS: '/none' });
    const peer = await simulator.nextPeer();
    await running.event('unreadable');
    const told = await agent('status');
    expect(told.data.unreadable).toMatchObject([
      { connector: 'outside', detail: expect.stringMatching(/DRAWBRIDGE_FILE_ROOTS/) },
    ]);
    expect(await agent('cursor', 'reconcile', 'erp')).toMatchObject({ code: 0 });
    expect((await peer.next('event')).topic).toMatch(/documents\.read|source\.reconciled/);
    await running.stop('SIGTERM');
  });

  test('shows what passes as lines of JSON, without secrets, and content only when asked', async () => {
    await enroll();
    await addDatabase('hunter2');
    const running = startAgent(home);
    const peer = await simulator.nextPeer();
    const taps = [startTap('--json'), startTap('--json', '--content')];
    for (const tap of taps) expect((await tap.line('link')).of).toMatch(/^connected/);
    const params = { connector: 'db', note: 'the password is hunter2' };
    peer.send({ kind: 'call', id: '7', method: 'connector.describe', params, deadlineMs: 9_000 });
    const [brief, whole] = await Promise.all(taps.map((tap) => tap.line('call')));
    expect(brief).toEqual({
      at: expect.any(String),
      direction: 'received',
      kind: 'call',
      bytes: expect.any(Number),
      of: '7 connector.describe db',
    });
    expect(whole.content).toContain('the password is ***');
    expect(await taps[0]!.line('result')).toMatchObject({
      direction: 'sent',
      of: '7 part 0, the last',
    });
    for (const tap of taps) expect(await tap.end()).toBe(0);
    await running.stop('SIGTERM');
  });

  test('is for the owner of its folder alone, and outlives a kill', async () => {
    await enroll();
    await startAgent(home).stop('SIGKILL');
    expect(await agent('queue', 'retry')).toMatchObject({
      code: 4,
      data: {
        error: { code: 'ERR_DRAWBRIDGE_4033', next: expect.stringMatching(/drawbridge run/) },
      },
    });
    for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
      const running = startAgent(home);
      await simulator.nextPeer();
      await running.event('connected');
      expect(statSync(join(home, 'agent.sock')).mode & 0o777).toBe(0o600);
      expect((await agent('queue', 'retry')).code).toBe(0);
      await running.stop(signal);
    }
    expect((await agent('tap')).code).toBe(4);
  });

  test('answers a caller that speaks something else, and goes on', async () => {
    await enroll();
    const running = startAgent(home);
    await running.event('connected');
    const say = async (text: string) => {
      const socket = connect(join(home, 'agent.sock'));
      socket.write(text);
      let answer = '';
      for await (const chunk of socket) answer += String(chunk);
      return answer;
    };
    expect(await say('{"method":"exec","command":"id"}\n')).toContain('"channel_failed"');
    expect(await say('GET / HTTP/1.1\r\n\r\n')).toBe('');
    expect(await say('x'.repeat(100_000))).toBe('');
    expect((await agent('queue', 'retry')).code).toBe(0);
    await running.stop('SIGTERM');
  });
});

test('a damaged queue is told by fsck', async () => {
  await enroll();
  await agent('queue', 'ls');
  const file = join(home, 'queue.db');
  const bytes = readFileSync(file);
  writeFileSync(file, bytes.fill(0x5a, 100));
  const checked = await agent('queue', 'fsck');
  expect(checked).toMatchObject({
    code: 1,
    data: { faults: [expect.stringMatching(/set aside/)] },
  });
});

test('what the agent says is logged, and read by level and time', async () => {
  await enroll();
  const running = startAgent(home);
  (await simulator.nextPeer()).socket.terminate();
  await simulator.nextPeer();
  await running.stop('SIGTERM');
  const lines = async (...options: string[]) => {
    const { stdout } = await runCommand(home, ['logs', '--json', ...options]);
    return stdout
      .trim()
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line).event);
  };
  expect(await lines()).toEqual(expect.arrayContaining(['connected', 'redialling', 'draining']));
  expect(new Set(await lines('--level', 'warn'))).toEqual(new Set(['redialling']));
  expect(await lines('--since', '1h')).toContain('connected');
  expect(await lines('--since', '2100-01-01T00:00:00Z')).toEqual([]);
  for (const since of ['soon', '5', '01/02/2026', '2026-11-23T08:00:00']) {
    expect((await agent('logs', '--since', since)).code).toBe(3);
  }
  expect(statSync(join(home, 'log', 'agent.log')).mode & 0o777).toBe(0o600);
});

describe('probes', () => {
  test('tell health, readiness and metrics on the loopback address, when asked for', async () => {
    await enroll();
    const port = await freePort();
    const running = startAgent(home, { DRAWBRIDGE_PROBES_PORT: String(port) });
    const peer = await simulator.nextPeer();
    await running.event('connected');
    const get = async (path: string) => {
      const response = await fetch(`http://127.0.0.1:${port}${path}`);
      return { status: response.status, text: await response.text() };
    };
    expect(await get('/healthz')).toEqual({ status: 200, text: '{"status":"ok","stalled":[]}\n' });
    expect(await get('/readyz')).toMatchObject({ status: 200 });
    const { text } = await get('/metrics');
    expect(text).toMatch(/^drawbridge_agent_linked 1$/m);
    expect(text).toMatch(/^drawbridge_agent_write_backs_pending 0$/m);
    expect(text).toMatch(/^process_resident_memory_bytes \d{6,}$/m);
    expect(await get('/')).toMatchObject({ status: 404 });
    simulator.refusal = 'suspended';
    peer.socket.terminate();
    await running.event('redialling');
    expect(await get('/readyz')).toMatchObject({ status: 503 });
    expect(await get('/metrics')).toMatchObject({ text: expect.stringMatching(/_linked 0$/m) });
    simulator.refusal = undefined;
    await running.stop('SIGKILL');
  });
});

describe('the shell completes', () => {
  const complete = (script: string, ...words: string[]) => {
    const program = `${script}
      COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}
      _drawbridge; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return execFileSync('bash', ['-c', program], { encoding: 'utf8' }).split('\n').filter(Boolean);
  };

  test('commands, what follows them, and options', async () => {
    const { stdout } = await runCommand(home, ['completion', 'bash']);
    expect(complete(stdout, 'drawbridge', 'conn')).toEqual(['connect', 'connector']);
    expect(complete(stdout, 'drawbridge', 'connector', 'en')).toEqual(['enable']);
    expect(complete(stdout, 'drawbridge', 'connector', 'add', 'sqlite', '--set')).toEqual([
      '--settings-file',
    ]);
    expect(complete(stdout, 'drawbridge', 'nothing', 'x')).toEqual([]);
    const fish = (await runCommand(home, ['completion', 'fish'])).stdout;
    expect(fish).toContain("'__fish_seen_subcommand_from connector' -a enable");
    expect((await runCommand(home, ['completion', 'tcsh'])).code).toBe(3);
  });
});

/** The files of an archive that `tar` unpacks. */
function unpacked(archive: string): string {
  const into = join(folder, 'unpacked');
  mkdirSync(into, { recursive: true });
  execFileSync('tar', ['-xzf', archive, '-C', into]);
  return execFileSync('grep', ['-rh', '', into], { encoding: 'utf8' });
}

test('one archive has what helps, and no secret of settings, proxies, logs or errors', async () => {
  await enroll();
  const [secret] = fc.sample(
    fc.string({ minLength: 12, maxLength: 24, unit: fc.constantFrom(...'aZ09-_%$"\\é') }),
    { numRuns: 1, seed: 7 },
  );
  await addDatabase(secret!);
  mkdirSync(join(home, 'log'), { recursive: true });
  const detail = `dial wss://me:${encodeURIComponent(secret!)}@proxy failed: ${secret}; Authorization: Bearer abcdefgh12345678`;
  const line = { at: '2026-11-23T08:00:00.000Z', level: 'error', event: 'failed', detail };
  writeFileSync(join(home, 'log', 'agent.log'), `${JSON.stringify(line)}\n`);
  const proxy = `http://me:${encodeURIComponent(secret!)}@127.0.0.1:9`;
  const output = join(folder, 'diag.tar.gz');
  const ran = await runCommand(home, ['diag', '--output', output, '--json'], {
    env: { HTTPS_PROXY: proxy },
  });
  expect(JSON.parse(ran.stdout).contains).toEqual(
    expect.arrayContaining(['agent.json', 'doctor.json', 'connectors.json', 'log-1.jsonl']),
  );
  const text = unpacked(output);
  expect(text).toContain('"db"');
  expect(text).toContain('dial wss://***@proxy failed');
  for (const form of [secret!, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret!)]) {
    expect(text).not.toContain(form);
  }
  expect(text).not.toContain('abcdefgh12345678');
});
