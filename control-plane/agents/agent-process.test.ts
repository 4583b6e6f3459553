import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { runCommand } from '../../test/kit/agent-commands.ts';
import { type RunningAgent, startAgent } from '../../test/kit/agent-process.ts';
import { sqlAt, startDb, type TestDb } from '../../test/kit/postgres.ts';
import { newTenant, startNode, type TestNode } from './node.fixture.ts';

/** Tests with a real agent and a real control plane, from the ERP's table to the hub's answer. */
let kit: TestDb;
let node: TestNode;
let tenantId: string;
let folder: string;
let erp: Database.Database;
let agentId: string;
let agent: RunningAgent;
const deadlineMs = 120_000;
const invoiceCount = 40;

beforeAll(async () => {
  kit = await startDb();
  tenantId = await newTenant(kit, randomUUID());
});
afterAll(() => kit.stop());

beforeEach(async () => {
  node = await startNode(kit);
  folder = mkdtempSync(join(tmpdir(), 'drawbridge-agent-process-'));
  erp = new Database(join(folder, 'erp.db'));
  erp.exec('create table invoice (number text primary key)');
  const insert = erp.prepare('insert into invoice values (?)');
  for (let index = 0; index < invoiceCount; index += 1) insert.run(`INV-${index}`);
  await enrolAgent();
  agent = start();
});
afterEach(async () => {
  await agent.stop('SIGKILL');
  await node.close();
  erp.close();
  rmSync(folder, { recursive: true });
});

const env = () => ({ DRAWBRIDGE_FILE_ROOTS: folder });
const home = () => join(folder, 'home');
const start = () => startAgent(home(), env());

async function enrolAgent(): Promise<void> {
  const { body } = await node.request('POST', '/v1/agents/enrolment-tokens', tenantId, {});
  const enrolled = await runCommand(home(), ['enroll', '--url', node.url, '--json'], {
    input: body.token,
  });
  expect(enrolled).toMatchObject({ code: 0, stderr: '' });
  agentId = JSON.parse(enrolled.stdout).agent_id;
  const file = join(folder, 'erp.db');
  const header = { table: 'invoice', key: 'number', match: 'number' };
  writeFileSync(join(folder, 'erp.json'), JSON.stringify({ file, sections: { header } }));
  const add = ['connector', 'add', 'sqlite', '--name', 'erp'];
  const added = await runCommand(home(), [...add, '--settings-file', join(folder, 'erp.json')], {
    env: env(),
  });
  expect(added.code).toBe(0);
}

function read(ref: string) {
  const params = { connector: 'erp', ref };
  return node.hub.call({ tenantId, agentId }, 'connector.read', params, { deadlineMs });
}

function confirm(index: number) {
  const confirmation = {
    invoiceId: `inv_${index}`,
    sourceRef: `INV-${index}`,
    status: 'cleared' as const,
    profile: 'PINT-MY',
    settledAt: '2026-11-21T08:00:00Z',
  };
  const command = { idempotencyKey: `key-${index}`, environment: 'live' as const, confirmation };
  const params = { connector: 'erp', command };
  return node.hub.call({ tenantId, agentId }, 'connector.writeBack', params, { deadlineMs });
}

test('a document is read and confirmed through the agent', async () => {
  await agent.event('connected');
  expect(await read('INV-7')).toMatchObject({ kind: 'answered', result: { kind: 'found' } });
  expect(await read('INV-x')).toEqual({ kind: 'answered', result: { kind: 'missing' } });
  expect(await confirm(7)).toMatchObject({ kind: 'answered', result: { kind: 'written' } });
  expect(erp.prepare('select source_ref, invoice_id from einv_status').all()).toEqual([
    { source_ref: 'INV-7', invoice_id: 'inv_7' },
  ]);
});

test('no write-back is lost or done twice when the agent is killed over and over', async () => {
  // Counts the connector's writes, because an upsert would hide a second write.
  await agent.event('connected');
  await confirm(0);
  erp.exec(`create table written (source_ref text);
    create trigger count_insert after insert on einv_status
      begin insert into written values (new.source_ref); end;
    create trigger count_update after update on einv_status
      begin insert into written values (new.source_ref); end`);
  const outcomes = Array.from({ length: invoiceCount - 1 }, (_, index) => confirm(index + 1));
  let isDone = false;
  const all = Promise.all(outcomes).finally(() => {
    isDone = true;
  });
  let kills = 0;
  // Killed as soon as it has written something new, so that kills hit every stage of a command.
  const writtenCount = erp.prepare('select count(*) from written').pluck();
  while (!isDone && kills < 6) {
    const before = writtenCount.get() as number;
    while (!isDone && (writtenCount.get() as number) < before + 3) await turn();
    await agent.stop('SIGKILL');
    kills += 1;
    agent = start();
  }
  const results = (await all).map((outcome) =>
    outcome.kind === 'answered' ? outcome.result.kind : outcome.kind,
  );
  expect(results.filter((kind) => kind !== 'written' && kind !== 'already')).toEqual([]);
  expect(kills).toBeGreaterThan(1);
  const written = erp.prepare('select source_ref from written').pluck().all();
  expect(written).toHaveLength(invoiceCount - 1);
  expect(new Set(written).size).toBe(invoiceCount - 1);
  const unfinished = await sqlAt(kit.url, 'select from agent_command where outcome is null');
  expect(unfinished).toEqual([]);
}, 180_000);

test('an agent survives a restart of the control plane, and then does what waited for it', async () => {
  await agent.event('connected');
  const port = Number(new URL(node.url).port);
  await node.close();
  await agent.event('redialling');
  node = await startNode(kit, port);
  const outcome = confirm(1); // before the agent is back
  expect(await outcome).toMatchObject({ result: { kind: 'written' } });
  expect(await read('INV-1')).toMatchObject({ result: { kind: 'found' } });
});

test('a revoked agent ends with code 2 and is none to callers', async () => {
  await agent.event('connected');
  const listed = await node.request('GET', '/v1/agents', tenantId);
  const shown = listed.body.results.find((row: { id: string }) => row.id === agentId);
  expect(shown).toMatchObject({ online: true, version: '0.1.0' });
  const revoked = await node.request('DELETE', `/v1/agents/${agentId}`, tenantId);
  expect(revoked.status).toBe(204);
  expect(await agent.exited).toBe(2);
  expect(await read('INV-1')).toEqual({ kind: 'absent' });
});

/** Lets the sockets and timers of this process run. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
