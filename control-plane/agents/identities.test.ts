import { randomBytes, randomUUID } from 'node:crypto';
import { closeReasons } from '@drawbridge/link/close-reasons.ts';
import type { ControlPlaneFrame } from '@drawbridge/link/frames.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { eventually } from '../../test/kit/eventually.ts';
import { sqlAt, startDb, type TestDb } from '../../test/kit/postgres.ts';
import { createLog } from '../platform/log/log.ts';
import { newIdentity, openIdentities } from './identities.ts';
import { addIdentity, retireIdentities } from './identity-store.ts';
import { newTenant, secrets, startNode, type TestNode } from './node.fixture.ts';
import { type AgentCredentials, dial, type SimulatedAgent } from './simulator.ts';

let kit: TestDb;
let node: TestNode;
let other: TestNode;
let tenantId: string;

// A database each, because its identities are the whole installation's.
beforeEach(async () => {
  kit = await startDb();
  tenantId = await newTenant(kit, randomUUID());
  [node, other] = await Promise.all([startNode(kit), startNode(kit)]);
});
afterEach(async () => {
  await node.close();
  await other.close();
  await kit.stop();
});

const retire = (keptKey: string, isForced = false) =>
  kit.db.system((tx) => retireIdentities(tx, keptKey, isForced));

/** The control plane's key that the agent is known to trust. */
async function trustedBy({ agentId }: AgentCredentials): Promise<string | null> {
  const [row] = await sqlAt<{ control_plane_key: string | null }>(
    kit.url,
    'select control_plane_key from agent where id = $1',
    [agentId],
  );
  return row!.control_plane_key;
}

/** Waits for the frame, answers it, and returns it. */
async function follow(agent: SimulatedAgent) {
  const frame: Extract<ControlPlaneFrame, { kind: 'identity' }> = await agent.next('identity');
  agent.send({ kind: 'trusts', publicKey: frame.publicKey });
  return frame;
}

test.each(['the same node', 'another node'])(
  'an agent linked to %s is sent the new key at once, and is known to trust it after its answer',
  async (where) => {
    const credentials = await node.enrol(tenantId);
    const agent = await (where === 'the same node' ? node : other).link(credentials);
    const key = await node.rotate();
    const frame = await agent.next('identity');
    expect(frame.publicKey).toBe(key);
    expect(await trustedBy(credentials)).toBe(credentials.controlPlaneKey);
    agent.send({ kind: 'trusts', publicKey: key });
    await eventually(async () => expect(await trustedBy(credentials)).toBe(key));
    agent.send({ kind: 'ping' });
    await agent.next('pong');
  },
);

test('an agent that was away is sent the newest of many keys when it links, signed with its own', async () => {
  const credentials = await node.enrol(tenantId);
  await node.rotate();
  const key = await other.rotate();
  const agent = await node.link(credentials);
  expect((await follow(agent)).publicKey).toBe(key);
  await eventually(async () => expect(await trustedBy(credentials)).toBe(key));
  agent.socket.terminate();
  const again = await other.link({ ...credentials, controlPlaneKey: key }, { epoch: 1 });
  again.send({ kind: 'ping' });
  await again.next('pong');
});

test('a second change waits for the answer to the first', async () => {
  const credentials = await node.enrol(tenantId);
  const agent = await node.link(credentials);
  const first = await node.rotate();
  expect((await agent.next('identity')).publicKey).toBe(first);
  const second = await node.rotate();
  // Another agent has been told, so this node knows.
  const neighbour = await node.link(await node.enrol(tenantId));
  neighbour.send({ kind: 'ping' });
  await neighbour.next('pong');
  agent.send({ kind: 'trusts', publicKey: first });
  expect((await follow(agent)).publicKey).toBe(second);
  await eventually(async () => expect(await trustedBy(credentials)).toBe(second));
});

test('an agent that trusts the new key is answered with it, though its answer was lost', async () => {
  const credentials = await node.enrol(tenantId);
  const agent = await node.link(credentials);
  const key = await node.rotate();
  await agent.next('identity');
  agent.socket.terminate();
  const again = await other.link({ ...credentials, controlPlaneKey: key }, { epoch: 1 });
  expect(await trustedBy(credentials)).toBe(key);
  again.socket.terminate();
});

test.each([
  { what: 'nobody sent', answer: (key: string) => `A${key.slice(1)}` },
  { what: 'it trusts already', answer: (_: string, own: string) => own },
])('an answer about a key that $what ends the session', async ({ answer }) => {
  const credentials = await node.enrol(tenantId);
  const agent = await node.link(credentials);
  const key = await node.rotate();
  await agent.next('identity');
  agent.send({ kind: 'trusts', publicKey: answer(key, credentials.controlPlaneKey) });
  expect(await agent.closed).toBe(closeReasons.unexpected.code);
  expect(await trustedBy(credentials)).toBe(credentials.controlPlaneKey);
});

test('an agent of version 1 links while the old key stands, and is sent no frame that it does not know', async () => {
  const credentials = await node.enrol(tenantId);
  await node.rotate();
  const versions = { min: 1, max: 1 };
  const agent = await node.link(credentials, { versions });
  await node.rotate();
  const neighbour = await node.link(await node.enrol(tenantId));
  agent.send({ kind: 'ping' });
  await agent.next('pong');
  expect(agent.skipped).toEqual([]);
  expect(await trustedBy(credentials)).toBe(credentials.controlPlaneKey);
  neighbour.socket.terminate();
});

test('an enrolment gives the newest key, also on a node that has not heard of it', async () => {
  const key = await node.rotate();
  const credentials = await other.enrol(tenantId);
  expect(credentials.controlPlaneKey).toBe(key);
  expect(await trustedBy(credentials)).toBe(key);
});

describe('an older identity', () => {
  test('is not retired while an agent trusts it; a revoked one does not count', async () => {
    const [lagging, revoked] = [await node.enrol(tenantId), await node.enrol(tenantId)];
    const key = await node.rotate();
    await node.request('DELETE', `/v1/agents/${revoked.agentId}`, tenantId);
    expect(await retire(key)).toBeUndefined();
    const agent = await node.link(lagging);
    await follow(agent);
    await eventually(async () => expect(await retire(key)).toEqual([lagging.controlPlaneKey]));
    expect(await retire(key)).toEqual([]);
    agent.send({ kind: 'ping' });
    await agent.next('pong');
  });

  test('that was retired by force answers nobody, and its agents are told so', async () => {
    const credentials = await node.enrol(tenantId);
    const key = await node.rotate();
    expect(await retire(key, true)).toEqual([credentials.controlPlaneKey]);
    expect(await trustedBy(credentials)).toBeNull();
    for (const versions of [
      { min: 1, max: 1 },
      { min: 1, max: 2 },
    ]) {
      await eventually(async () => {
        const agent = await dial(other.linkUrl, credentials, randomBytes, { versions });
        expect(await agent.closed).toBe(closeReasons.retired_key.code);
      });
    }
    expect(closeReasons.retired_key.redial).toBe('never');
  });

  test('that is retired by force ends the links of agents that cannot follow, on all nodes', async () => {
    const versions = { min: 1, max: 1 };
    const [one, two] = [await node.enrol(tenantId), await node.enrol(tenantId)];
    const linked = [await node.link(one, { versions }), await other.link(two, { versions })];
    const following = await node.link(await node.enrol(tenantId));
    const key = await node.rotate();
    await follow(following);
    await retire(key, true);
    for (const agent of linked) expect(await agent.closed).toBe(closeReasons.retired_key.code);
    following.send({ kind: 'ping' });
    await following.next('pong');
  });

  test('stays when a newer one is made while it is retired', async () => {
    const credentials = await node.enrol(tenantId);
    const middle = await node.rotate();
    const newest = await node.rotate();
    expect(await retire(middle, true)).toEqual([credentials.controlPlaneKey]);
    expect((await node.enrol(tenantId)).controlPlaneKey).toBe(newest);
  });
});

test('a node that was not told of a new identity finds it when an agent names it', async () => {
  const deaf = { ...kit.db, listen: async () => ({ stop: async () => {} }) };
  const log = createLog({ level: 'silent' });
  const identities = await openIdentities({ db: deaf, secrets, random: randomBytes, log });
  const key = await node.rotate();
  expect((await identities.find(key))?.publicKey).toBe(key);
  expect(identities.newest().publicKey).toBe(key);
  expect(await identities.find(newIdentity(secrets, randomBytes).public_key)).toBeUndefined();
  await identities.close();
});

test('an identity whose secret is of another one is not used, so nobody is led to a planted key', async () => {
  const credentials = await node.enrol(tenantId);
  const { public_key } = newIdentity(secrets, randomBytes);
  const [own] = await sqlAt<{ sealed_secret_key: string }>(
    kit.url,
    'select sealed_secret_key from control_plane_identity',
  );
  await kit.db.system((tx) => addIdentity(tx, { public_key, ...own! }));
  const log = createLog({ level: 'silent' });
  const identities = await openIdentities({ db: kit.db, secrets, random: randomBytes, log });
  expect(identities.newest().publicKey).toBe(credentials.controlPlaneKey);
  await expect(identities.find(public_key)).rejects.toThrow(/is of another one/);
  await identities.close();
  expect((await node.enrol(tenantId)).controlPlaneKey).toBe(credentials.controlPlaneKey);
});

test('nodes that start together on an empty database have one identity', async () => {
  const rows = await sqlAt(kit.url, 'select from control_plane_identity');
  expect(rows).toHaveLength(1);
});
