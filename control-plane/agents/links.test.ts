import { randomBytes, randomUUID } from 'node:crypto';
import { closeReasons } from '@drawbridge/link/close-reasons.ts';
import { packDocuments } from '@drawbridge/link/documents.ts';
import { limits } from '@drawbridge/link/limits.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../test/kit/eventually.ts';
import { sqlAt, startDb, type TestDb } from '../../test/kit/postgres.ts';
import { setSuspended } from '../platform/auth/store.ts';
import { windowOfSession } from './credit.ts';
import { newTenant, startNode, type TestNode } from './node.fixture.ts';
import { type AgentCredentials, dial, newKeys, type SimulatedAgent } from './simulator.ts';

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

describe('a handshake is refused', () => {
  test.each([
    { what: 'of an agent nobody enrolled', change: { agentId: 'agt_x' }, close: 'unknown_agent' },
    {
      what: 'with another key’s proof',
      dialling: { secretKey: newKeys().secretKey },
      close: 'bad_proof',
    },
    {
      what: 'of versions we do not speak',
      dialling: { versions: { min: 90, max: 99 } },
      close: 'no_common_version',
    },
    {
      what: 'of an epoch that nobody counts to',
      dialling: { epoch: limits.epochMax + 1 },
      close: 'malformed',
    },
  ] as const)('$what', async ({ close, ...row }) => {
    const credentials = { ...(await node.enrol(tenantId)), ...('change' in row && row.change) };
    const agent = await dial(
      node.linkUrl,
      credentials,
      randomBytes,
      'dialling' in row ? row.dialling : {},
    );
    expect(await agent.closed).toBe(closeReasons[close].code);
  });

  test('whose proof is from an earlier session', async () => {
    const credentials = await node.enrol(tenantId);
    const first = await node.link(credentials);
    const second = await node.link(credentials, { epoch: 1 });
    expect(await first.closed).toBe(closeReasons.superseded.code);
    // Frames of the first session do not open in the second.
    second.socket.send(first.pack({ kind: 'ping' }));
    expect([closeReasons.unsealed.code, closeReasons.out_of_order.code]).toContain(
      await second.closed,
    );
  });
});

describe('a session ends, and names the reason, when the agent sends', () => {
  const event = { kind: 'event', seq: 1, id: 'e', topic: 'documents.changed' } as const;
  test.each([
    {
      close: 'replayed',
      misbehave(agent: SimulatedAgent) {
        const sealed = agent.pack({ kind: 'ping' });
        agent.socket.send(sealed);
        agent.socket.send(sealed);
      },
    },
    {
      close: 'out_of_order',
      misbehave(agent: SimulatedAgent) {
        agent.pack({ kind: 'ping' });
        agent.send({ kind: 'ping' });
      },
    },
    { close: 'unsealed', misbehave: (a: SimulatedAgent) => a.socket.send('{"kind":"ping"}') },
    {
      close: 'unknown_version',
      misbehave(agent: SimulatedAgent) {
        const sealed = agent.pack({ kind: 'ping' });
        sealed[0] = 99;
        agent.socket.send(sealed);
      },
    },
    {
      close: 'unknown_kind',
      misbehave: (agent: SimulatedAgent) => agent.send({ kind: 'shout' } as never),
    },
    {
      close: 'malformed',
      misbehave: (agent: SimulatedAgent) => agent.send({ kind: 'ack', upTo: -1 }),
    },
    {
      close: 'unexpected',
      misbehave: (agent: SimulatedAgent) => agent.send({ ...event, seq: 2, body: {} }),
    },
    {
      close: 'unexpected',
      misbehave: (agent: SimulatedAgent) => agent.send({ kind: 'ack', upTo: 1 }),
    },
  ] as const)('$close', async ({ close, misbehave }) => {
    const { agent } = await linked();
    misbehave(agent);
    expect(await agent.closed).toBe(closeReasons[close].code);
  });

  test('a frame over the limit ends the session before it is read', async () => {
    const { agent } = await linked();
    agent.socket.send(new Uint8Array(limits.frameBytesMax + 1_000));
    expect(await agent.closed).toBe(1009);
  });
});

test('answers that are sent without end take the room of their own tenant alone', async () => {
  const partLength = 100_000;
  const unfinishedResults = { tenantMax: 1.5 * partLength, allMax: 10 * partLength };
  const small = await startNode(kit, 0, { unfinishedResults });
  try {
    const strangerId = await newTenant(kit, randomUUID());
    const asked = async (tenant: string) => {
      const credentials = await small.enrol(tenant);
      const agent = await small.link(credentials);
      const address = { tenantId: tenant, agentId: credentials.agentId };
      const outcome = small.hub.call(address, 'connector.test', erp, { deadlineMs });
      const { id } = await agent.next('call');
      const text = 'x'.repeat(partLength);
      agent.send({ kind: 'result', id, part: 0, last: false, text });
      return { agent, id, outcome };
    };
    const first = await asked(tenantId);
    const second = await asked(tenantId);
    expect(await second.outcome).toMatchObject({ kind: 'fault', fault: { code: 'agent_busy' } });
    expect(await second.agent.next('cancel')).toEqual({ kind: 'cancel', id: second.id });
    const stranger = await asked(strangerId);
    for (const { agent, id } of [stranger, first]) {
      agent.send({ kind: 'result', id, part: 1, last: true, text: 'x' });
    }
    // What they sent is no answer, and gives its room back all the same.
    expect(await stranger.outcome).toMatchObject({ fault: { code: 'result_invalid' } });
    expect(await first.outcome).toMatchObject({ fault: { code: 'result_invalid' } });
    const { agent, id, outcome } = await asked(tenantId);
    agent.send({ kind: 'result', id, part: 1, last: true, text: 'x' });
    expect(await outcome).toMatchObject({ fault: { code: 'result_invalid' } });
  } finally {
    await small.close();
  }
});

describe('of two copies of an agent', () => {
  test.each(['the same node', 'another node'])('the newer on %s ends the older', async (where) => {
    const { credentials, agent } = await linked();
    const newer = await (where === 'the same node' ? node : other).link(credentials, { epoch: 1 });
    expect(await agent.closed).toBe(closeReasons.superseded.code);
    const address = { tenantId, agentId: credentials.agentId };
    const outcome = node.hub.call(address, 'connector.test', erp, { deadlineMs });
    newer.answer((await newer.next('call')).id, { kind: 'ok', detail: 'x', sampleRefs: [] });
    expect(await outcome).toMatchObject({ kind: 'answered' });
    newer.socket.close();
  });

  test('the one restored from a backup is refused because its epoch is older', async () => {
    const { credentials, agent } = await linked();
    await agentSettled(credentials);
    const copy = await dial(node.linkUrl, credentials, randomBytes, { epoch: 0 });
    expect(await copy.closed).toBe(closeReasons.superseded.code);
    agent.socket.close();
  });

  test('an agent that died before it stored its epoch may link again', async () => {
    const credentials = await node.enrol(tenantId);
    const first = await dial(node.linkUrl, credentials, randomBytes, { epoch: 0 });
    await first.next('welcome');
    first.socket.terminate();
    const second = await node.link(credentials, { epoch: 0 });
    second.send({ kind: 'ping' });
    await second.next('pong');
    second.socket.close();
  });
});

test('a control plane that was restored from a backup links agents that were linked since, and no older copy of them', async () => {
  const credentials = await node.enrol(tenantId);
  const copy = await node.link(credentials, { epoch: 6 });
  await agentSettled(credentials);
  const agent = await node.link(credentials, { epoch: 9 });
  expect(await copy.closed).toBe(closeReasons.superseded.code);
  await agentSettled(credentials);
  const refused = await dial(node.linkUrl, credentials, randomBytes, { epoch: 7 });
  expect(await refused.closed).toBe(closeReasons.superseded.code);
  agent.send({ kind: 'ping' });
  await agent.next('pong');
  agent.socket.close();
});

/** Resolves when the control plane knows that the agent has stored its epoch. */
async function agentSettled({ agentId }: AgentCredentials): Promise<void> {
  for (;;) {
    const [row] = await sqlAt<{ settled: boolean }>(
      kit.url,
      'select epoch = confirmed_epoch as settled from agent where id = $1',
      [agentId],
    );
    if (row?.settled) return;
  }
}

test('the links of a suspended tenant end, and none is opened until it is resumed', async () => {
  const suspendedId = await newTenant(kit, randomUUID());
  const credentials = await node.enrol(suspendedId);
  const agent = await other.link(credentials);
  const { agent: neighbour } = await linked();
  const set = (isSuspended: boolean) =>
    kit.db.tenant(suspendedId, (tx) => setSuspended(tx, suspendedId, isSuspended));
  await set(true);
  expect(await agent.closed).toBe(closeReasons.suspended.code);
  expect(closeReasons.suspended.redial).toBe('later');
  const again = await dial(other.linkUrl, credentials, randomBytes, { epoch: 1 });
  expect(await again.closed).toBe(closeReasons.suspended.code);
  await set(false);
  await eventually(async () => {
    const back = await dial(other.linkUrl, credentials, randomBytes, { epoch: 1 });
    await Promise.race([
      back.next('welcome'),
      back.closed.then((code) => Promise.reject(new Error(String(code)))),
    ]);
  });
  expect(neighbour.socket.readyState).toBe(neighbour.socket.OPEN);
});

describe('batches of documents', () => {
  const body = (sequence: number, over: object = {}) => ({
    connector: 'erp',
    queue: 'q1',
    sequence,
    cursor: `c${sequence}`,
    refs: ['INV-1'],
    content: packDocuments(['{"ref":"INV-1","sections":{}}']).toString('base64'),
    ...over,
  });
  const event = (seq: number, sequence: number, over: object = {}) =>
    ({
      kind: 'event',
      seq,
      id: randomUUID(),
      topic: 'documents.read',
      body: body(sequence, over),
    }) as const;

  test('are taken against credit, stored once, and told at the next welcome', async () => {
    const { credentials, agent } = await linked();
    const granted = await agent.next('credit');
    expect(granted).toMatchObject(windowOfSession);
    agent.send(event(1, 1));
    agent.send(event(2, 2));
    for (const stored of [1, 2]) {
      expect(await agent.next('credit')).toMatchObject({ documents: granted.documents + stored });
      expect((await agent.next('ack')).upTo).toBe(stored);
    }
    const taken = () => node.batches.filter(({ agentId }) => agentId === credentials.agentId);
    expect(taken().map(({ sequence }) => sequence)).toEqual([1, 2]);
    agent.socket.terminate();
    const again = await dial(node.linkUrl, credentials, randomBytes, { epoch: 1 });
    const welcome = await again.next('welcome');
    expect(welcome.sources).toEqual([{ connector: 'erp', queue: 'q1', sequence: 2, cursor: 'c2' }]);
    again.send({ kind: 'ready', epoch: welcome.epoch });
    await again.next('credit');
    again.send(event(1, 2)); // its acknowledgement was lost
    again.send(event(2, 1, { queue: 'q2' })); // its queue was lost
    expect((await again.next('ack')).upTo).toBe(1);
    expect((await again.next('ack')).upTo).toBe(2);
    expect(taken().map(({ queue, sequence }) => `${queue} ${sequence}`)).toEqual([
      'q1 1',
      'q1 2',
      'q2 1',
    ]);
    const path = `/v1/agents/${credentials.agentId}`;
    const shown = await node.request('GET', path, tenantId);
    expect(shown.body.sources).toMatchObject([
      { connector: 'erp', documents: 3, reconciliation: null },
    ]);
    again.socket.terminate();
  });

  test('beyond the credit end the session', async () => {
    const { agent } = await linked();
    await agent.next('credit');
    const refs = Array.from({ length: windowOfSession.documents + 1 }, () => 1);
    agent.send(event(1, 1, { refs }));
    expect(await agent.closed).toBe(closeReasons.over_credit.code);
  });

  test('an agent of version 2 is told neither of sources nor of credit', async () => {
    const credentials = await node.enrol(tenantId);
    const agent = await dial(node.linkUrl, credentials, randomBytes, {
      versions: { min: 1, max: 2 },
    });
    const welcome = await agent.next('welcome');
    expect(welcome.sources).toBeUndefined();
    agent.send({ kind: 'ready', epoch: welcome.epoch });
    const changed = { connector: 'erp', refs: ['INV-1'] };
    agent.send({ kind: 'event', seq: 1, id: 'e', topic: 'documents.changed', body: changed });
    await agent.next('ack');
    expect(agent.skipped).not.toContain('credit');
    expect(node.changes.at(-1)).toMatchObject({ agentId: credentials.agentId, refs: ['INV-1'] });
    agent.socket.terminate();
  });

  test('what a comparison of a source came to is shown', async () => {
    const { credentials, agent } = await linked();
    agent.send(event(1, 1));
    const examples = [{ kind: 'late' as const, ref: 'INV-0' }];
    const at = '2026-11-23T08:00:00.000Z';
    const report = { connector: 'erp', at, documents: 9, late: 1, edited: 0, deleted: 0, examples };
    agent.send({ kind: 'event', seq: 2, id: 'r', topic: 'source.reconciled', body: report });
    await agent.next('ack');
    await agent.next('ack');
    const shown = await node.request('GET', `/v1/agents/${credentials.agentId}`, tenantId);
    const { connector: _, ...reconciliation } = report;
    expect(shown.body.sources).toMatchObject([{ reconciliation }]);
    agent.socket.terminate();
  });
});
