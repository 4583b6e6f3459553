import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { limits } from './limits.ts';
import { createSeal, sessionKeys } from './seal.ts';

function session(version = 1) {
  const agentKeys = sessionKeys((length) => randomBytes(length));
  const controlPlaneKeys = sessionKeys((length) => randomBytes(length));
  return {
    agent: createSeal('agent', version, agentKeys, controlPlaneKeys.publicKey),
    controlPlane: createSeal('control-plane', version, controlPlaneKeys, agentKeys.publicKey),
  };
}

const frames = fc.array(fc.uint8Array({ maxLength: 200 }), { minLength: 1, maxLength: 8 });

test('frames sealed by either end open at the other, in order', () => {
  fc.assert(
    fc.property(frames, (plains) => {
      const { agent, controlPlane } = session();
      for (const bytes of plains) {
        expect(controlPlane.open(agent.seal(bytes))).toEqual({ kind: 'opened', bytes });
        expect(agent.open(controlPlane.seal(bytes))).toEqual({ kind: 'opened', bytes });
      }
    }),
    { numRuns: 20 },
  );
});

test('all frames open only in the order in which they were sealed', () => {
  const orders = fc.integer({ min: 1, max: 6 }).chain((count) =>
    fc.record({
      count: fc.constant(count),
      order: fc.array(fc.nat(count - 1), { minLength: 1, maxLength: 8 }),
    }),
  );
  fc.assert(
    fc.property(orders, ({ count, order }) => {
      const { agent, controlPlane } = session();
      const sealed = Array.from({ length: count }, (_, index) => agent.seal(Uint8Array.of(index)));
      let due = 0;
      for (const index of order) {
        const opened = controlPlane.open(sealed[index]!);
        if (index === due) {
          expect(opened).toEqual({ kind: 'opened', bytes: Uint8Array.of(index) });
          due += 1;
        } else {
          const close = index < due ? 'replayed' : 'out_of_order';
          expect(opened).toEqual({ kind: 'refused', close });
        }
      }
    }),
    { numRuns: 40 },
  );
});

test('a frame with any one bit changed does not open', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 40 }), fc.nat(), (plain, at) => {
      const { agent, controlPlane } = session();
      const sealed = agent.seal(plain);
      const bit = at % (sealed.length * 8);
      sealed[bit >> 3]! ^= 1 << (bit & 7);
      expect(controlPlane.open(sealed).kind).toBe('refused');
    }),
    { numRuns: 60 },
  );
});

describe('a frame that is refused', () => {
  const { agent, controlPlane } = session();
  test.each([
    { what: 'of an earlier session', sealed: session().agent.seal(Uint8Array.of(1)) },
    { what: 'sent back to its sender', sealed: controlPlane.seal(Uint8Array.of(1)) },
    { what: 'empty', sealed: new Uint8Array(0) },
    { what: 'shorter than its header', sealed: Uint8Array.of(1, 0, 0) },
    { what: 'never sealed', sealed: new TextEncoder().encode('\u0001\0\0\0\0\0\0\0\u0001{}') },
  ])('$what is unsealed', ({ sealed }) => {
    expect(controlPlane.open(sealed)).toEqual({ kind: 'refused', close: 'unsealed' });
  });

  test('of another version is unknown_version', () => {
    const sealed = agent.seal(Uint8Array.of(1));
    sealed[0] = 2;
    const opened = controlPlane.open(sealed);
    expect(opened).toEqual({ kind: 'refused', close: 'unknown_version' });
  });

  test('over the limit is oversized, before anything is opened', () => {
    const sealed = session().agent.seal(new Uint8Array(limits.frameBytesMax + 1));
    expect(controlPlane.open(sealed)).toEqual({ kind: 'refused', close: 'oversized' });
  });
});
