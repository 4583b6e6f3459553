import { randomBytes, randomUUID } from 'node:crypto';
import { closes } from '@drawbridge/link/closes.ts';
import { limits } from '@drawbridge/link/limits.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sqlAt, startDb, type TestDb } from '../../test/kit/postgres.ts';
import { newTenant, startNode, type TestNode } from './node.fixture.ts';
import { dial, newKeys, type Persona, type SimulatedAgent } from './simulator.ts';

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

async function linked(at = node): Promise<{ persona: Persona; agent: SimulatedAgent }> {
  const persona = await node.enrol(tenantId);
  return { persona, agent: await at.link(persona) };
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
    { what: 'of an epoch that was never given', dialling: { epoch: 7 }, close: 'superseded' },
  ] as const)('$what', async ({ close, ...row }) => {
    const persona = { ...(await node.enrol(tenantId)), ...('change' in row && row.change) };
    const agent = await dial(
      node.linkUrl,
      persona,
      randomBytes,
      'dialling' in row ? row.dialling : {},
    );
    expect(await agent.closed).toBe(closes[close].code);
  });

  test('whose proof was heard in an earlier session', async () => {
    const persona = await node.enrol(tenantId);
    const first = await node.link(persona);
    const second = await node.link(persona, { epoch: 1 });
    expect(await first.closed).toBe(closes.superseded.code);
    // Frames of the first session mean nothing in the second.
    second.socket.send(first.pack({ kind: 'ping' }));
    expect([closes.unsealed.code, closes.out_of_order.code]).toContain(await second.closed);
  });
});

describe('an agent that misbehaves is shut out, by name', () => {
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
        sealed[0] = 2;
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
    expect(await agent.closed).toBe(closes[close].code);
  });

  test('a frame over the limit ends the session before it is taken in', async () => {
    const { agent } = await linked();
    agent.socket.send(new Uint8Array(limits.frameBytesMax + 1_000));
    expect(await agent.closed).toBe(1009);
  });
});

describe('of two copies of an agent', () => {
  test.each(['the same node', 'another node'])('the newer on %s ends the older', async (where) => {
    const { persona, agent } = await linked();
    const newer = await (where === 'the same node' ? node : other).link(persona, { epoch: 1 });
    expect(await agent.closed).toBe(closes.superseded.code);
    const address = { tenantId, agentId: persona.agentId };
    const outcome = node.hub.call(address, 'connector.test', erp, { deadlineMs });
    newer.answer((await newer.next('call')).id, { kind: 'ok', detail: 'x', sampleRefs: [] });
    expect(await outcome).toMatchObject({ kind: 'answered' });
    newer.socket.close();
  });

  test('the one restored from a backup is fenced off by the epoch of the other', async () => {
    const { persona, agent } = await linked();
    await agentSettled(persona);
    const copy = await dial(node.linkUrl, persona, randomBytes, { epoch: 0 });
    expect(await copy.closed).toBe(closes.superseded.code);
    agent.socket.close();
  });

  test('an agent that died before its epoch was on disk may come back', async () => {
    const persona = await node.enrol(tenantId);
    const first = await dial(node.linkUrl, persona, randomBytes, { epoch: 0 });
    await first.next('welcome');
    first.socket.terminate();
    const second = await node.link(persona, { epoch: 0 });
    second.send({ kind: 'ping' });
    await second.next('pong');
    second.socket.close();
  });
});

/** Resolves when the agent's epoch is known to be on its disk. */
async function agentSettled({ agentId }: Persona): Promise<void> {
  for (;;) {
    const [row] = await sqlAt<{ settled: boolean }>(
      kit.url,
      'select epoch = confirmed_epoch as settled from agent where id = $1',
      [agentId],
    );
    if (row?.settled) return;
  }
}
