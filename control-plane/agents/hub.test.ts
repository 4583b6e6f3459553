import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startDb, type TestDb } from '../../test/kit/postgres.ts';
import { newTenant, startNode, type TestNode } from './node.fixture.ts';
import type { AgentCredentials, SimulatedAgent } from './simulator.ts';

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
const erp = { connector: 'erp' };

async function linked(
  at = node,
): Promise<{ credentials: AgentCredentials; agent: SimulatedAgent }> {
  const credentials = await node.enrol(tenantId);
  return { credentials, agent: await at.link(credentials) };
}

test.each(['the same node', 'another node'])('a call reaches an agent on %s', async (where) => {
  const { credentials, agent } = await linked(where === 'the same node' ? node : other);
  const address = { tenantId, agentId: credentials.agentId };
  const outcome = node.hub.call(address, 'connector.test', erp, { deadlineMs });
  const call = await agent.next('call');
  expect(call).toMatchObject({ method: 'connector.test', params: erp });
  const result = { kind: 'ok', detail: 'fine', sampleRefs: ['1'] };
  agent.answer(call.id, result);
  expect(await outcome).toEqual({ kind: 'answered', result });
  agent.socket.close();
});

test('a call to an agent on another node returns a complete document of ten thousand lines', async () => {
  const { credentials, agent } = await linked(other);
  const address = { tenantId, agentId: credentials.agentId };
  const outcome = node.hub.call(
    address,
    'connector.read',
    { connector: 'erp', ref: '1' },
    { deadlineMs },
  );
  const lines = Array.from({ length: 10_000 }, (_, index) => {
    return { origin: 'INV1', key: String(index), values: { Text: 'x'.repeat(200) } };
  });
  const document = { ref: '1', sections: { lines } };
  agent.answer((await agent.next('call')).id, { kind: 'found', document });
  expect(await outcome).toEqual({ kind: 'answered', result: { kind: 'found', document } });
  agent.socket.close();
});

test.each(['the same node', 'another node'])(
  'a call of an agent on %s that vanishes in the middle of its answer is offline',
  async (where) => {
    const { credentials, agent } = await linked(where === 'the same node' ? node : other);
    const address = { tenantId, agentId: credentials.agentId };
    const params = { connector: 'erp', ref: '1' };
    const outcome = node.hub.call(address, 'connector.read', params, { deadlineMs });
    const { id } = await agent.next('call');
    agent.send({ kind: 'result', id, part: 0, last: false, text: '{"kind":"ok","result":{' });
    agent.socket.terminate();
    expect(await outcome).toEqual({ kind: 'offline' });
  },
);

test('a call to another tenant’s agent finds none, and the agent receives nothing', async () => {
  const { credentials, agent } = await linked();
  const stranger = await newTenant(kit, randomUUID());
  for (const hub of [node.hub, other.hub]) {
    const address = { tenantId: stranger, agentId: credentials.agentId };
    const outcome = await hub.call(address, 'connector.test', erp, { deadlineMs });
    expect(outcome).toEqual({ kind: 'absent' });
  }
  const own = { tenantId, agentId: credentials.agentId };
  void node.hub.call(own, 'connectors.list', {}, { deadlineMs });
  expect((await agent.next('call')).method).toBe('connectors.list');
  agent.socket.close();
});

test.each(['the same node', 'another node'])(
  'a call that is given up reaches the agent on %s as a cancel',
  async (where) => {
    const { credentials, agent } = await linked(where === 'the same node' ? node : other);
    const address = { tenantId, agentId: credentials.agentId };
    const cancellation = new AbortController();
    const options = { deadlineMs, signal: cancellation.signal };
    const outcome = node.hub.call(address, 'connector.test', erp, options);
    const { id } = await agent.next('call');
    cancellation.abort();
    expect(await outcome).toEqual({ kind: 'timeout' });
    expect((await agent.next('cancel')).id).toBe(id);
    agent.answer(id, { kind: 'ok', detail: 'late', sampleRefs: [] }); // ignored
    const next = node.hub.call(address, 'connector.test', erp, { deadlineMs });
    const call = await agent.next('call');
    agent.answer(call.id, { kind: 'ok', detail: 'next', sampleRefs: [] });
    expect(await next).toMatchObject({ result: { detail: 'next' } });
    agent.socket.close();
  },
);

test('a call that is not answered by its deadline is a timeout', async () => {
  const { credentials, agent } = await linked();
  const address = { tenantId, agentId: credentials.agentId };
  const outcome = await node.hub.call(address, 'connector.test', erp, { deadlineMs: 5 });
  expect(outcome).toEqual({ kind: 'timeout' });
  agent.socket.close();
});

test.each([
  { what: 'not of the method', result: { kind: 'found' }, code: 'result_invalid' },
  { what: 'nothing', result: undefined, code: 'result_invalid' },
])('a call answered with a result that is $what is a fault', async ({ result, code }) => {
  const { credentials, agent } = await linked();
  const address = { tenantId, agentId: credentials.agentId };
  const outcome = node.hub.call(address, 'connector.test', erp, { deadlineMs });
  agent.answer((await agent.next('call')).id, result);
  expect(await outcome).toMatchObject({ kind: 'fault', fault: { code } });
  agent.socket.close();
});
