import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type RunningAgent, runAgent, startAgent } from '../test/kit/agent-process.ts';
import { eventually } from '../test/kit/eventually.ts';
import { mountSmallDisk, type SmallDisk } from '../test/kit/small-disk.ts';
import { type Simulator, startSimulator } from './link/simulator.ts';

let simulator: Simulator;
let disk: SmallDisk;
let folder: string;
let home: string;
let agent: RunningAgent;

beforeEach(async (context) => {
  const mounted = mountSmallDisk(8);
  if (mounted === undefined) return context.skip('only root may mount a small disk');
  disk = mounted;
  home = join(disk.path, 'home');
  folder = mkdtempSync(join(tmpdir(), 'drawbridge-erp-'));
  simulator = await startSimulator();
  await runAgent(home, ['enroll', '--url', simulator.url], { input: simulator.goodToken() });
});
afterEach(async () => {
  if (disk === undefined) return;
  await agent?.stop('SIGKILL');
  await simulator.close();
  disk.unmount();
  rmSync(folder, { recursive: true });
});

const env = (freeBytesMin: number) => ({
  DRAWBRIDGE_FILE_ROOTS: folder,
  DRAWBRIDGE_WATCH_SECONDS: '1',
  DRAWBRIDGE_FREE_BYTES_MIN: String(freeBytesMin),
});

/** An ERP on a disk of its own, with that many invoices more. */
function addInvoices(count: number, from = 0): void {
  const erp = new Database(join(folder, 'erp.db'));
  erp.exec('create table if not exists invoice (number text primary key, note text)');
  const insert = erp.prepare('insert into invoice values (?, ?)');
  erp.transaction(() => {
    for (let one = from; one < from + count; one += 1) {
      insert.run(`INV-${String(one).padStart(6, '0')}`, 'x'.repeat(200));
    }
  })();
  erp.close();
}

async function watch(): Promise<void> {
  const file = join(folder, 'erp.json');
  const header = { table: 'invoice', key: 'number', match: 'number' };
  writeFileSync(file, JSON.stringify({ file: join(folder, 'erp.db'), sections: { header } }));
  const add = ['connector', 'add', 'sqlite', '--name', 'erp', '--watch', '--settings-file', file];
  expect((await runAgent(home, add, { env: env(0) })).code).toBe(0);
}

const status = async () =>
  JSON.parse((await runAgent(home, ['status', '--json'], { env: env(0) })).stdout);

test('an agent whose disk is full says so, stays linked, and goes on by itself with room', async () => {
  addInvoices(1);
  await watch();
  agent = startAgent(home, env(0));
  const peer = await simulator.nextPeer();
  peer.send({ kind: 'ack', upTo: (await peer.next('event')).seq });
  disk.fill();
  addInvoices(4_000, 1);
  await agent.event('disk_full');
  expect(await status()).toMatchObject({
    running: true,
    link: { state: 'connected' },
    disk: { state: 'full', detail: expect.stringContaining('bytes are free') },
  });
  const params = { connector: 'erp', ref: 'INV-000007' };
  const call = { kind: 'call', id: '1', method: 'connector.read', params, deadlineMs: 9_000 };
  peer.send(call as never);
  expect(JSON.parse((await peer.next('result')).text)).toMatchObject({ result: { kind: 'found' } });
  disk.empty();
  await agent.event('disk_has_room');
  expect((await peer.next('event')).topic).toBe('documents.read');
  await eventually(async () => expect((await status()).disk.state).toBe('room'));
});

test('a link that breaks while the disk is full comes back when there is room', async () => {
  agent = startAgent(home, env(0));
  const peer = await simulator.nextPeer();
  disk.fill();
  peer.socket.terminate();
  await agent.event('redialling');
  await agent.event('redialling');
  disk.empty();
  await simulator.nextPeer();
});

test('less room than is to be kept free stops the reading, and nothing is lost by it', async () => {
  addInvoices(1);
  await watch();
  agent = startAgent(home, env(16 * 1_048_576));
  const peer = await simulator.nextPeer();
  await agent.event('disk_full');
  disk.resize(64);
  await agent.event('disk_has_room');
  await peer.next('event');
});

test('a fault that waiting does not mend ends the agent with a code of its own', async () => {
  addInvoices(1);
  await watch();
  agent = startAgent(home, env(0));
  await simulator.nextPeer();
  const queue = new Database(join(home, 'queue.db'));
  queue.exec('drop table cursor');
  queue.close();
  expect(await agent.exited).toBe(5);
});

test('an agent that finds no room for its queue ends and says why', async () => {
  disk.fill();
  const ran = await runAgent(home, ['run', '--json']);
  expect(ran.code).toBe(5);
  expect(ran.stderr).toContain('ERR_DRAWBRIDGE_1010');
});
