import { randomBytes } from 'node:crypto';
import type { AgentStatus } from '@drawbridge/link/agent-status.ts';
import { toBase64 } from '@drawbridge/link/bytes.ts';
import { transcript } from '@drawbridge/link/challenge.ts';
import { closeReasons } from '@drawbridge/link/close-reasons.ts';
import { sealEnrolment } from '@drawbridge/link/enrolment.ts';
import { identityChange } from '@drawbridge/link/identity-change.ts';
import { limits } from '@drawbridge/link/limits.ts';
import type { Reply } from '@drawbridge/link/methods.ts';
import { createJoiner } from '@drawbridge/link/parts.ts';
import nacl from 'tweetnacl';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { eventually } from '../../test/kit/eventually.ts';
import type { Identity } from '../store/identity.ts';
import type { OutboxBatch, OutboxEvent } from '../store/store.ts';
import { createCurrentIdentity } from './current-identity.ts';
import { createHandshake } from './handshake.ts';
import { Session, type SessionHandlers } from './session.ts';
import { identityFrame, type Peer, type Simulator, startSimulator } from './simulator.ts';

let simulator: Simulator;
let identity: Identity;
const random = (length: number) => new Uint8Array(randomBytes(length));

beforeEach(async () => {
  simulator = await startSimulator();
  const keys = nacl.sign.keyPair();
  const publicKey = Buffer.from(keys.publicKey).toString('base64');
  const controlPlaneKey = toBase64(simulator.identity.publicKey);
  const content = { token: 'good-token', publicKey, hostname: 'host', software: '0.1.0' };
  const answer = await fetch(simulator.url, {
    method: 'POST',
    body: JSON.stringify({ sealed: sealEnrolment(controlPlaneKey, content, random) }),
  });
  const enrolled = (await answer.json()) as Record<string, string>;
  identity = {
    agentId: enrolled.agent_id!,
    url: simulator.url,
    linkUrl: enrolled.link_url!,
    controlPlaneKey,
    publicKey,
    secretKey: Buffer.from(keys.secretKey).toString('base64'),
    enrolledAt: '2026-11-21T08:00:00Z',
  };
});
afterEach(() => simulator.close());

interface Scene {
  readonly session: Session;
  readonly peer: Peer;
  readonly accepted: string[];
  readonly events: OutboxEvent[];
}

/** A session whose handshake is done, with handlers that record their calls. */
async function link(
  handlers: Partial<SessionHandlers> = {},
  backlog = 0,
  batches: OutboxBatch[] = [],
): Promise<Scene> {
  const accepted: string[] = [];
  const events = Array.from({ length: backlog }, (_, index) => {
    return { number: index + 1, id: `e${index + 1}`, topic: 'command.done', body: '{}' };
  });
  const all: SessionHandlers = {
    store: {
      events: (after, limit) => events.filter((one) => one.number > after).slice(0, limit),
      batches: (after, limit) => batches.filter((one) => one.number > after).slice(0, limit),
      forget(numbers) {
        for (const number of numbers) {
          events.splice(
            events.findIndex((one) => one.number === number),
            1,
          );
        }
      },
    },
    serve: async () => ({ kind: 'ok', result: [] }),
    accept: (id) => void accepted.push(id),
    welcome() {},
    trust: () => false,
    keyChange: () => undefined,
    knownBy: () => true,
    status: () => undefined,
    alive() {},
    failed() {},
    ...handlers,
  };
  const socket = new WebSocket(identity.linkUrl);
  const session = new Session(socket, createHandshake(identity, 0, '0', random), all);
  return { session, peer: await simulator.nextPeer(), accepted, events };
}

async function replyOf(peer: Peer): Promise<Reply> {
  const join = createJoiner();
  for (;;) {
    const { part, last, text } = await peer.next('result');
    const joined = join(part, last, text);
    if (joined.kind === 'whole') return JSON.parse(joined.text) as Reply;
    if (joined.kind === 'refused') throw new Error(joined.close);
  }
}

const call = { kind: 'call', method: 'connectors.list', params: {}, deadlineMs: 5_000 } as const;
const command = (seq: number) => ({ kind: 'command' as const, seq, id: `c${seq}`, body: {} });

describe('a session ends, and names the reason, when the control plane sends', () => {
  test.each([
    {
      close: 'replayed',
      misbehave({ peer }: Scene) {
        const sealed = peer.pack(command(1));
        peer.socket.send(sealed);
        peer.socket.send(sealed);
      },
      accepted: ['c1'],
    },
    {
      close: 'out_of_order',
      misbehave({ peer }: Scene) {
        const first = peer.pack(command(1));
        peer.socket.send(peer.pack(command(2)));
        peer.socket.send(first);
      },
      accepted: [],
    },
    {
      close: 'unsealed',
      misbehave: ({ peer }: Scene) => peer.socket.send(JSON.stringify(command(1))),
      accepted: [],
    },
    {
      close: 'unsealed',
      misbehave({ peer }: Scene) {
        const sealed = peer.pack(command(1));
        sealed[sealed.length - 1]! ^= 1;
        peer.socket.send(sealed);
      },
      accepted: [],
    },
    {
      close: 'unknown_version',
      misbehave({ peer }: Scene) {
        const sealed = peer.pack(command(1));
        sealed[0] = 99;
        peer.socket.send(sealed);
      },
      accepted: [],
    },
    {
      close: 'oversized',
      misbehave: ({ peer }: Scene) =>
        peer.socket.send(new Uint8Array(limits.frameBytesMax + 40).fill(1)),
      accepted: [],
    },
    {
      close: 'unknown_kind',
      misbehave: ({ peer }: Scene) => peer.send({ kind: 'shout' } as never),
      accepted: [],
    },
    {
      close: 'unexpected',
      misbehave: ({ peer }: Scene) => peer.send(command(2)),
      accepted: [],
    },
    {
      close: 'unexpected',
      misbehave: ({ peer }: Scene) => peer.send({ kind: 'ack', upTo: 1 }),
      accepted: [],
    },
    {
      close: 'malformed',
      misbehave: ({ peer }: Scene) => peer.send({ ...call, id: 'x', deadlineMs: -1 }),
      accepted: [],
    },
  ] as const)('$close', async ({ close, misbehave, accepted }) => {
    const scene = await link();
    misbehave(scene);
    expect(await scene.session.ended).toMatchObject({ close, wasOpen: true });
    expect(await scene.peer.closed).toBe(closeReasons[close].code);
    expect(scene.accepted).toEqual(accepted);
  });
});

test('a control plane with another key is refused before anything is sent to it', async () => {
  const other = Buffer.from(nacl.sign.keyPair().publicKey).toString('base64');
  const welcomes: number[] = [];
  const session = new Session(
    new WebSocket(identity.linkUrl),
    createHandshake({ ...identity, controlPlaneKey: other }, 0, '0', random),
    {
      store: { events: () => [], batches: () => [], forget() {} },
      serve: async () => ({ kind: 'ok', result: [] }),
      accept() {},
      welcome: (epoch) => void welcomes.push(epoch),
      trust: () => false,
      keyChange: () => undefined,
      knownBy: () => true,
      status: () => undefined,
      alive() {},
      failed() {},
    },
  );
  expect(await session.ended).toMatchObject({ close: 'bad_proof', wasOpen: false });
  expect(welcomes).toEqual([]);
});

test('the close code of the control plane becomes the reason of the end', async () => {
  const { session, peer } = await link();
  peer.socket.close(closeReasons.superseded.code);
  expect(await session.ended).toMatchObject({ close: 'superseded' });
});

test('a result of ten thousand lines is sent in parts and arrives complete', async () => {
  const lines = Array.from({ length: 10_000 }, (_, index) => `line ${index} ${'€'.repeat(100)}`);
  const { session, peer } = await link({ serve: async () => ({ kind: 'ok', result: lines }) });
  peer.send({ ...call, id: '1' });
  expect(await replyOf(peer)).toEqual({ kind: 'ok', result: lines });
  session.close('draining');
});

test('a result over the limit is a fault, and the session goes on', async () => {
  const huge = 'x'.repeat(limits.resultLengthMax);
  const { session, peer } = await link({ serve: async () => ({ kind: 'ok', result: huge }) });
  peer.send({ ...call, id: '1' });
  expect(await replyOf(peer)).toMatchObject({ fault: { code: 'result_too_large' } });
  session.close('draining');
});

test('a cancelled call is aborted and not answered', async () => {
  const aborted = Promise.withResolvers<void>();
  const { session, peer } = await link({
    serve: (_, params, signal) => {
      if (params === 'quick') return Promise.resolve({ kind: 'ok', result: 'quick' });
      return new Promise((resolve) => {
        signal.addEventListener('abort', () => {
          aborted.resolve();
          resolve({ kind: 'ok', result: 'late' });
        });
      });
    },
  });
  peer.send({ ...call, id: 'slow', params: 'slow' });
  peer.send({ kind: 'cancel', id: 'slow' });
  await aborted.promise;
  peer.send({ ...call, id: 'quick', params: 'quick' });
  expect((await peer.next('result')).id).toBe('quick');
  session.close('draining');
});

test('a command is acknowledged only after it was accepted', async () => {
  const { peer, session } = await link({
    accept() {
      throw new Error('database or disk is full');
    },
  });
  peer.send(command(1));
  expect(await session.ended).toMatchObject({
    close: 'failed',
    detail: 'database or disk is full',
  });
  await expect(Promise.race([peer.next('ack'), peer.closed])).resolves.toBe(
    closeReasons.failed.code,
  );
});

test('events are sent up to the window; none is forgotten before it is acknowledged', async () => {
  const { session, peer, events } = await link({}, limits.windowMax + 2);
  for (let seq = 1; seq <= limits.windowMax; seq += 1) {
    expect(await peer.next('event')).toMatchObject({ seq, id: `e${seq}` });
  }
  expect(events).toHaveLength(limits.windowMax + 2);
  peer.send({ kind: 'ack', upTo: 2 });
  expect((await peer.next('event')).seq).toBe(limits.windowMax + 1);
  expect((await peer.next('event')).seq).toBe(limits.windowMax + 2);
  expect(events).toHaveLength(limits.windowMax);
  session.close('draining');
});

test('a draining agent answers the calls under way and takes no more', async () => {
  const answer = Promise.withResolvers<Reply>();
  const { session, peer } = await link({ serve: () => answer.promise });
  peer.send({ ...call, id: 'first' });
  // The agent takes frames in order: once it has acknowledged the command, it has the call.
  peer.send(command(1));
  await peer.next('ack');
  const drained = session.drain();
  await peer.next('drain');
  peer.send({ ...call, id: 'second' });
  expect(await replyOf(peer)).toMatchObject({ fault: { code: 'agent_busy' } });
  answer.resolve({ kind: 'ok', result: 'done' });
  expect(await replyOf(peer)).toEqual({ kind: 'ok', result: 'done' });
  await drained;
  session.close('draining');
});

describe('a new key of the control plane', () => {
  const next = nacl.sign.keyPair();
  const stranger = nacl.sign.keyPair();
  const keyOf = (pair: nacl.SignKeyPair) => toBase64(pair.publicKey);

  async function follower(write: (written: Identity) => void) {
    const current = createCurrentIdentity({ write }, identity);
    return { current, ...(await link({ trust: current.follow })) };
  }

  test('is stored before it is answered, and another may follow in the same session', async () => {
    const written: Identity[] = [];
    const { peer, session, current } = await follower((one) => void written.push(one));
    peer.send(identityFrame(simulator.identity, next));
    expect(await peer.next('trusts')).toEqual({ kind: 'trusts', publicKey: keyOf(next) });
    expect(written).toEqual([{ ...identity, controlPlaneKey: keyOf(next) }]);
    expect(current.value()).toEqual(written[0]);
    peer.send(identityFrame(next, stranger));
    expect((await peer.next('trusts')).publicKey).toBe(keyOf(stranger));
    session.close('draining');
  });

  test.each([
    { what: 'signed by a stranger', frame: () => identityFrame(stranger, next) },
    {
      what: 'signed by a stranger for the key that is trusted',
      frame: () =>
        identityFrame(stranger, next, identityChange(keyOf(simulator.identity), keyOf(next))),
    },
    {
      what: 'signed for a change from another key',
      frame: () =>
        identityFrame(simulator.identity, next, identityChange(keyOf(stranger), keyOf(next))),
    },
    {
      what: 'with a key that was exchanged',
      frame: () => ({ ...identityFrame(simulator.identity, next), publicKey: keyOf(stranger) }),
    },
    {
      what: 'with a signature of another purpose',
      frame: ({ hello }: Peer) => {
        const ends = { agent: keyOf(simulator.identity), controlPlane: keyOf(next) };
        const challenge = { kind: 'challenge', version: 2, sessionKey: keyOf(next) } as const;
        const handshake = transcript('control-plane', ends, hello, challenge);
        return identityFrame(simulator.identity, next, handshake);
      },
    },
    {
      what: 'with both keys signed without a purpose',
      frame: () => {
        const said = JSON.stringify([keyOf(simulator.identity), keyOf(next)]);
        const digest = nacl.hash(new TextEncoder().encode(said));
        return identityFrame(simulator.identity, next, digest);
      },
    },
  ])('$what is refused, and nothing changes', async ({ frame }) => {
    const written: Identity[] = [];
    const { peer, session, current } = await follower((one) => void written.push(one));
    peer.send(frame(peer));
    expect(await session.ended).toMatchObject({ close: 'unsigned_identity', wasOpen: true });
    expect(closeReasons.unsigned_identity.redial).toBe('later');
    expect(written).toEqual([]);
    expect(current.value()).toBe(identity);
  });

  test('that cannot be stored is not answered and not trusted', async () => {
    const { peer, session, current } = await follower(() => {
      throw new Error('no space left on device');
    });
    peer.send(identityFrame(simulator.identity, next));
    const detail = 'no space left on device';
    expect(await session.ended).toMatchObject({ close: 'failed', detail });
    expect(current.value()).toBe(identity);
    await expect(Promise.race([peer.next('trusts'), peer.closed])).resolves.toBe(
      closeReasons.failed.code,
    );
  });
});

test('an agent links to a control plane of version 1, whose hello has no key', async () => {
  simulator.versionMax = 1;
  const { peer, session } = await link();
  peer.send(command(1));
  expect(await peer.next('ack')).toEqual({ kind: 'ack', upTo: 1 });
  session.close('draining');
});

describe('batches of documents', () => {
  const batch = (number: number, bytes: number): OutboxBatch => {
    const refs = [`INV-${number}`];
    const body = { connector: 'erp', queue: 'q', sequence: number, cursor: 'c', refs };
    return {
      number,
      id: `b${number}`,
      topic: 'documents.read',
      body: JSON.stringify(body),
      documents: 1,
      content: Buffer.alloc(bytes, number),
    };
  };
  const three = [1, 2, 3].map((number) => batch(number, 100));

  test('are sent as far as credit allows, and other events do not wait for them', async () => {
    simulator.credit = undefined;
    const { session, peer, events } = await link({}, 0, three);
    const other = { number: 4, id: 'e4', topic: 'command.done', body: '{}' };
    events.push(other);
    session.sendEvents();
    expect((await peer.next('event')).id).toBe('e4');
    peer.send({ kind: 'credit', documents: 10, bytes: 250 });
    expect((await peer.next('event')).body).toMatchObject({
      sequence: 1,
      content: Buffer.alloc(100, 1).toString('base64'),
    });
    expect((await peer.next('event')).id).toBe('b2');
    peer.send({ kind: 'credit', documents: 2, bytes: 1_000 });
    peer.send({ kind: 'call', id: '1', method: 'connectors.list', params: {}, deadlineMs: 9_000 });
    await peer.next('result'); // the third was not sent before it
    peer.send({ kind: 'credit', documents: 3, bytes: 1_000 });
    expect((await peer.next('event')).id).toBe('b3');
    session.close('draining');
  });

  test('are told to an older control plane by their refs', async () => {
    simulator.versionMax = 2;
    const { session, peer } = await link({}, 0, three);
    expect(await peer.next('event')).toMatchObject({
      id: 'b1',
      topic: 'documents.changed',
      body: { connector: 'erp', refs: ['INV-1'] },
    });
    session.close('draining');
  });

  test('of more refs than an older control plane takes are told in parts, and forgotten with the last', async () => {
    simulator.versionMax = 2;
    const refs = Array.from({ length: limits.refsMax + 1 }, (_, index) => `INV-${index}`);
    const body = { connector: 'erp', queue: 'q', sequence: 1, cursor: 'c', refs };
    const large = { ...batch(1, 100), body: JSON.stringify(body), documents: refs.length };
    const forgotten: number[][] = [];
    const store = {
      events: () => [],
      batches: (after: number) => (after === 0 ? [large] : []),
      forget: (numbers: readonly number[]) => void forgotten.push([...numbers]),
    };
    const { session, peer } = await link({ store });
    expect((await peer.next('event')).body).toMatchObject({ refs: refs.slice(0, limits.refsMax) });
    expect(await peer.next('event')).toMatchObject({ body: { refs: refs.slice(limits.refsMax) } });
    peer.send({ kind: 'ack', upTo: 1 });
    peer.send({ kind: 'ack', upTo: 2 });
    await eventually(() => expect(forgotten).toEqual([[], [1]]));
    session.close('draining');
  });
});

describe('how the agent is', () => {
  const status = { examined_at: '2026-11-24T08:00:00.000Z' } as AgentStatus;

  test('is told when the link opens, and when there is news', async () => {
    let news: AgentStatus | undefined = status;
    const take = () => {
      const told = news;
      news = undefined;
      return told;
    };
    const { session, peer } = await link({ status: take });
    expect((await peer.next('status')).body).toEqual(status);
    session.sendStatus();
    news = { ...status, examined_at: '2026-11-24T09:00:00.000Z' };
    session.sendStatus();
    expect((await peer.next('status')).body).toEqual({ examined_at: '2026-11-24T09:00:00.000Z' });
    session.close('draining');
  });

  test('is not told to a control plane that does not know of it', async () => {
    simulator.versionMax = 7;
    let asked = 0;
    const { session } = await link({
      status: () => {
        asked += 1;
        return status;
      },
    });
    session.sendStatus();
    expect(asked).toBe(0);
    session.close('draining');
  });
});
