import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rateRing, rateWindowMs } from './rate-ring.ts';

/**
 * The instants at which a client sends that asks again exactly when it may, each time late by the
 * next of `delays`.
 */
function greedy(limit: number, untilMs: number, delays: readonly number[]): number[] {
  const ring = rateRing(limit);
  const sent: number[] = [];
  let now = 0;
  for (let asked = 0; now < untilMs; asked += 1) {
    const waitMs = ring.take(now);
    if (waitMs === 0) {
      ring.sent(now);
      sent.push(now);
    } else now += waitMs + (delays[asked % delays.length] ?? 0);
  }
  return sent;
}

const mostInAnySecond = (instants: readonly number[]) => {
  let from = 0;
  return instants.reduce((most, instant, at) => {
    while (instants[from]! <= instant - 1_000) from += 1;
    return Math.max(most, at - from + 1);
  }, 0);
};

/** One round: time passes by `step`, some ask, and some of the granted are sent or given up. */
const turn = fc.record({
  step: fc.oneof(fc.double({ min: 0, max: 9, noNaN: true }), fc.nat(3_000)),
  asks: fc.nat(8),
  written: fc.nat(8),
  givenUp: fc.constantFrom(0, 0, 0, 1),
});

test('no 1,000 ms hold more than the limit, however late the granted requests are written', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 300 }),
      fc.array(turn, { minLength: 500, maxLength: 1_000 }),
      (limit, turns) => {
        const ring = rateRing(limit);
        const sent: number[] = [];
        let [now, open] = [0, 0];
        for (const { step, asks, written, givenUp } of turns) {
          now += step;
          for (let asked = 0; asked < asks; asked += 1) open += ring.take(now) === 0 ? 1 : 0;
          for (let at = 0; at < written && open > 0; at += 1, open -= 1) {
            ring.sent(now);
            sent.push(now);
          }
          for (let at = 0; at < givenUp && open > 0; at += 1, open -= 1) ring.unsent();
        }
        expect(mostInAnySecond(sent)).toBeLessThanOrEqual(limit);
      },
    ),
    { numRuns: 50 },
  );
});

test.each([[[0]], [[0, 1, 0.5, 2]], [[0, 0, 0, 15]]])(
  'a client that always wants to send gets 99 %% of the limit, late by %j ms',
  (delays) => {
    const sent = greedy(200, 20_000, delays);
    expect(mostInAnySecond(sent)).toBeLessThanOrEqual(200);
    expect(sent.length / 20).toBeGreaterThanOrEqual(198);
  },
);

test('after a pause a tenth leaves at once, and the rest is spread over the second', () => {
  const ring = rateRing(200);
  const atOnce = Array.from({ length: 200 }, () => ring.take(5_000)).filter((wait) => wait === 0);
  expect(atOnce).toHaveLength(20);
  expect(ring.take(5_000)).toBeCloseTo(rateWindowMs / 200, 1);
});

test('a grant that is neither used nor given up keeps its place', () => {
  const ring = rateRing(2);
  expect([ring.take(0), ring.take(600)]).toEqual([0, 0]);
  expect(ring.take(5_000)).toBe(Number.POSITIVE_INFINITY);
  ring.sent(5_000);
  expect(ring.take(5_001)).toBe(rateWindowMs - 1);
  ring.unsent();
  expect(ring.take(5_002)).toBe(0);
});
