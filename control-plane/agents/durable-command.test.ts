import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { sqlAt, startDb, type TestDb } from '../../test/kit/postgres.ts';
import { newTenant, startNode, type TestNode } from './node.fixture.ts';
import type { AgentCredentials, SimulatedAgent } from './simulator.ts';
import { insertCommand, orderCommands } from './store.ts';

let kit: TestDb;
let node: TestNode;
let other: TestNode;
let tenantId: string;

beforeAll(async () => {
  kit = await startDb();
  tenantId = await newTenant(kit, randomUUID());
  node = await startNode(kit);
  other = await startNode(kit);
});
afterAll(async () => {
  await node.close();
  await other.close();
  await kit.stop();
});

const deadlineMs = 20_000;

async function linked(
  at = node,
): Promise<{ credentials: AgentCredentials; agent: SimulatedAgent }> {
  const credentials = await node.enrol(tenantId);
  return { credentials, agent: await at.link(credentials) };
}

const params = (idempotencyKey: string) => ({
  connector: 'erp',
  command: {
    idempotencyKey,
    environment: 'live' as const,
    confirmation: {
      invoiceId: 'inv_1',
      sourceRef: '1',
      status: 'cleared' as const,
      profile: 'PINT-MY',
      settledAt: '2026-11-21T08:00:00Z',
    },
  },
});
const written = { kind: 'written', target: 'einv_status' };

test.each(['the same node', 'another node'])(
  'a write-back is done by an agent on %s',
  async (where) => {
    const { credentials, agent } = await linked(where === 'the same node' ? node : other);
    const address = { tenantId, agentId: credentials.agentId };
    const outcome = node.hub.call(address, 'connector.writeBack', params('k'), { deadlineMs });
    const { seq, id, body } = await agent.next('command');
    expect(body).toEqual(params('k'));
    agent.send({ kind: 'ack', upTo: seq });
    agent.send({ kind: 'event', seq: 1, id, topic: 'command.done', body: written });
    expect(await outcome).toEqual({ kind: 'answered', result: written });
    expect((await agent.next('ack')).upTo).toBe(1);
    // The same command again asks no agent.
    const again = await other.hub.call(address, 'connector.writeBack', params('k'), { deadlineMs });
    expect(again).toEqual({ kind: 'answered', result: written });
    agent.socket.close();
  },
);

test('a write-back waits for its agent, and is sent again until its outcome is known', async () => {
  const credentials = await node.enrol(tenantId);
  const address = { tenantId, agentId: credentials.agentId };
  const early = await node.hub.call(address, 'connector.writeBack', params('k'), {
    deadlineMs: 1,
  });
  expect(early).toEqual({ kind: 'timeout' });
  const first = await node.link(credentials);
  const { seq, id } = await first.next('command');
  first.send({ kind: 'ack', upTo: seq });
  first.socket.terminate();
  const second = await other.link(credentials, { epoch: 1 });
  expect((await second.next('command')).id).toBe(id);
  const outcome = node.hub.call(address, 'connector.writeBack', params('k'), { deadlineMs });
  second.send({ kind: 'event', seq: 1, id, topic: 'command.done', body: written });
  expect(await outcome).toEqual({ kind: 'answered', result: written });
  second.socket.close();
});

test('a write-back that was given back without being written is queued again by the next call', async () => {
  const { credentials, agent } = await linked();
  const address = { tenantId, agentId: credentials.agentId };
  const fault = { code: 'unreachable', message: 'Down.', retry: 'later' };
  const first = node.hub.call(address, 'connector.writeBack', params('k'), { deadlineMs });
  const one = await agent.next('command');
  const body = { kind: 'unreachable', fault };
  agent.send({ kind: 'event', seq: 1, id: one.id, topic: 'command.done', body });
  expect(await first).toEqual({ kind: 'answered', result: body });
  const second = node.hub.call(address, 'connector.writeBack', params('k'), { deadlineMs });
  const two = await agent.next('command');
  expect(two.id).not.toBe(one.id);
  agent.send({ kind: 'event', seq: 2, id: two.id, topic: 'command.done', body: written });
  expect(await second).toEqual({ kind: 'answered', result: written });
  agent.socket.close();
});

test('a write-back that commits late is not skipped', async () => {
  const { credentials, agent } = await linked();
  const { agentId } = credentials;
  const address = { tenantId, agentId };
  const target = { agentId, connector: 'erp', key: 'late' };
  const later = await kit.db.tenant(tenantId, async (tx) => {
    await orderCommands(tx, agentId);
    await insertCommand(tx, tenantId, { id: randomUUID(), ...target, params: params('late') });
    const call = node.hub.call(address, 'connector.writeBack', params('k'), { deadlineMs });
    const waiting = `select 1 from pg_locks join pg_database on pg_database.oid = database
      where datname = current_database() and locktype = 'advisory' and not granted`;
    await vi.waitUntil(async () => (await sqlAt(kit.url, waiting)).length > 0, deadlineMs);
    return { call };
  });
  const [one, two] = [await agent.next('command'), await agent.next('command')];
  expect([one.body, two.body]).toEqual([params('late'), params('k')]);
  agent.send({ kind: 'event', seq: 1, id: two.id, topic: 'command.done', body: written });
  expect(await later.call).toEqual({ kind: 'answered', result: written });
  agent.socket.close();
});

test('a write-back keeps its first outcome', async () => {
  const { credentials, agent } = await linked();
  const address = { tenantId, agentId: credentials.agentId };
  const outcome = node.hub.call(address, 'connector.writeBack', params('k'), { deadlineMs });
  const { id } = await agent.next('command');
  agent.send({ kind: 'event', seq: 1, id, topic: 'command.done', body: written });
  await outcome;
  const conflict = { kind: 'conflict', found: 'x' };
  agent.send({ kind: 'event', seq: 2, id, topic: 'command.done', body: conflict });
  await agent.next('ack');
  expect(await node.hub.call(address, 'connector.writeBack', params('k'), { deadlineMs })).toEqual({
    kind: 'answered',
    result: written,
  });
  agent.socket.close();
});

test('a document change is handled once, also when it is sent several times', async () => {
  const { credentials, agent } = await linked();
  const event = {
    kind: 'event' as const,
    id: randomUUID(),
    topic: 'documents.changed',
    body: { connector: 'erp', refs: ['1', '2'] },
  };
  agent.send({ ...event, seq: 1 });
  agent.send({ ...event, seq: 2 });
  expect((await agent.next('ack')).upTo).toBe(1);
  expect((await agent.next('ack')).upTo).toBe(2);
  expect(node.changes.filter((change) => change.agentId === credentials.agentId)).toEqual([
    { id: event.id, tenantId, agentId: credentials.agentId, connector: 'erp', refs: ['1', '2'] },
  ]);
  agent.socket.close();
});

test('a document change that is not valid is acknowledged and not handled', async () => {
  const { credentials, agent } = await linked();
  const event = { kind: 'event' as const, id: 'x', topic: 'weather', body: {} };
  agent.send({ ...event, seq: 1 });
  expect((await agent.next('ack')).upTo).toBe(1);
  expect(node.changes.filter((change) => change.agentId === credentials.agentId)).toEqual([]);
  agent.socket.close();
});
