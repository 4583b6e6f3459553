import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import nacl from 'tweetnacl';
import { describe, expect, test } from 'vitest';
import {
  type BundleFile,
  type BundleReceiver,
  bundleDigest,
  type CarriedFromAgent,
  makeBundle,
  openBundle,
} from './bundle.ts';
import { toBase64 } from './bytes.ts';
import { openSealed, sealFor } from './sealed-message.ts';

const agent = nacl.sign.keyPair();
const controlPlane = nacl.sign.keyPair();
const stranger = nacl.sign.keyPair();
const random = (length: number) => new Uint8Array(randomBytes(length));
const ends = {
  agentId: 'agt_1',
  agentKey: toBase64(agent.publicKey),
  controlPlaneKey: toBase64(controlPlane.publicKey),
};
const at = new Date('2026-11-23T08:00:00Z');
const frames: CarriedFromAgent[] = [
  { kind: 'event', seq: 1, id: 'e1', topic: 'documents.changed', body: { refs: ['INV-1'] } },
  { kind: 'ack', upTo: 3 },
];
const made = (number = 1, secretKey = agent.secretKey, own = ends) =>
  makeBundle('agent', own, secretKey, { number, at, frames }, random);
const receiver: BundleReceiver = {
  agentId: ends.agentId,
  keys: [{ ends, secretKey: controlPlane.secretKey }],
  last: 0,
  digestOf: () => undefined,
};
const open = (file: unknown, over: Partial<BundleReceiver> = {}) =>
  openBundle('agent', file, { ...receiver, ...over });

test('a bundle opens at the other end, and names nothing in clear text', () => {
  const file = made();
  expect(open(file)).toEqual({ kind: 'opened', file, frames, ends });
  expect(JSON.stringify(file)).not.toContain('INV-1');
});

describe('a bundle that is refused', () => {
  const known = made();
  test.each([
    { what: 'that is no bundle', file: {}, refusal: 'unreadable' },
    { what: 'without its end', file: { ...known, signature: undefined }, refusal: 'unreadable' },
    {
      what: 'that goes the other way',
      file: makeBundle(
        'control-plane',
        ends,
        controlPlane.secretKey,
        { number: 1, at, frames: [] },
        random,
      ),
      refusal: 'outgoing',
    },
    { what: 'of another agent', file: { ...known, agent_id: 'agt_2' }, refusal: 'foreign' },
    {
      what: 'of another control plane',
      file: { ...known, control_plane_key: toBase64(stranger.publicKey) },
      refusal: 'foreign',
    },
    {
      what: 'with another number',
      file: { ...known, number: 2 },
      over: { last: 1 },
      refusal: 'tampered',
    },
    {
      what: 'with another date',
      file: { ...known, created_at: '2026-01-01T00:00:00Z' },
      refusal: 'tampered',
    },
    { what: 'signed by a stranger', file: made(1, stranger.secretKey), refusal: 'tampered' },
    {
      what: 'sealed for a stranger',
      file: made(1, agent.secretKey, { ...ends, agentKey: ends.agentKey }),
      over: { keys: [{ ends, secretKey: stranger.secretKey }] },
      refusal: 'tampered',
    },
    { what: 'that was taken', file: known, over: { last: 1 }, refusal: 'replayed' },
    { what: 'from long ago', file: known, over: { last: 9 }, refusal: 'replayed' },
    {
      what: 'from a copy of the agent',
      file: made(),
      over: { last: 1, digestOf: () => bundleDigest(known) },
      refusal: 'forked',
    },
    { what: 'that comes too early', file: made(3), over: { last: 1 }, refusal: 'out_of_order' },
  ])('$what is $refusal', ({ file, over, refusal }) => {
    expect(open(file, over)).toMatchObject({ kind: 'refused', refusal });
  });

  test('holds a frame that is not carried', () => {
    const ping = [{ kind: 'ping' }] as unknown as CarriedFromAgent[];
    const file = makeBundle(
      'agent',
      ends,
      agent.secretKey,
      { number: 1, at, frames: ping },
      random,
    );
    expect(open(file)).toMatchObject({ refusal: 'tampered' });
  });
});

test('while a key is being changed a bundle opens with whichever it was made for', () => {
  const next = nacl.sign.keyPair();
  const later = { ...ends, agentKey: toBase64(next.publicKey) };
  const keys = [ends, later].map((each) => ({ ends: each, secretKey: controlPlane.secretKey }));
  expect(open(made(), { keys })).toMatchObject({ kind: 'opened', ends });
  const signed = made(1, next.secretKey, later);
  expect(open(signed, { keys })).toMatchObject({ kind: 'opened', ends: later });
  expect(open(signed)).toMatchObject({ refusal: 'tampered' });
  // It may be told by one that comes before.
  expect(open(made(2, next.secretKey, later))).toMatchObject({ refusal: 'out_of_order' });
  // What was taken is known also when its key is none any more.
  const before = made();
  const taken = { last: 1, digestOf: () => bundleDigest(before), keys: [keys[1]!] };
  expect(open(before, taken)).toMatchObject({ refusal: 'replayed' });
});

test('a bundle with any character of its sealed content changed does not open', () => {
  const file = made();
  fc.assert(
    fc.property(fc.nat(file.sealed.length - 5), (index) => {
      const other = file.sealed[index] === 'A' ? 'B' : 'A';
      const sealed = file.sealed.slice(0, index) + other + file.sealed.slice(index + 1);
      const changed: BundleFile = { ...file, sealed };
      expect(open(changed)).toMatchObject({ kind: 'refused', refusal: 'tampered' });
    }),
    { numRuns: 40 },
  );
});

test('a sealed message opens for its receiver alone', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.nat(), (plain, bit) => {
      const sealed = sealFor(ends.agentKey, plain, random)!;
      expect(openSealed(agent.secretKey, sealed)).toEqual(plain);
      expect(openSealed(stranger.secretKey, sealed)).toBeUndefined();
      const at = bit % (sealed.length * 8);
      sealed[at >> 3]! ^= 1 << (at & 7);
      expect(openSealed(agent.secretKey, sealed)).toBeUndefined();
    }),
    { numRuns: 30 },
  );
  expect(openSealed(agent.secretKey, new Uint8Array(10))).toBeUndefined();
});
