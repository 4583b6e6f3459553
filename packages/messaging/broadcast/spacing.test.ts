import fc from 'fast-check';
import { expect, test } from 'vitest';
import { spacing } from './spacing.ts';

/** When each item leaves that arrives at one of these instants, in their order. */
function departures(comings: readonly number[], max: number, windowMs: number): number[] {
  const { waitMs, left } = spacing(max, windowMs);
  let now = 0;
  return comings.map((at) => {
    now = Math.max(now, at);
    now += waitMs(now);
    left(now);
    return now;
  });
}

test('no window has more than its maximum, and nothing waits longer than it must', () => {
  const gaps = fc.array(fc.integer({ min: 0, max: 40 }), { minLength: 1, maxLength: 200 });
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 20 }),
      fc.integer({ min: 1, max: 200 }),
      gaps,
      (max, windowMs, pauses) => {
        let at = 0;
        const comings = pauses.map((pause) => (at += pause));
        const leaving = departures(comings, max, windowMs);
        for (const [place, leftAt] of leaving.entries()) {
          const window = (leaving[place - max] ?? Number.NEGATIVE_INFINITY) + windowMs;
          expect(leftAt).toBe(Math.max(comings[place]!, leaving[place - 1] ?? 0, window));
        }
      },
    ),
  );
});

test('items held up by a stall leave as fast as the rate allows', () => {
  // Five in 100 ms; none for 60 ms, then all that waited.
  expect(departures([0, 20, 80, 80, 80, 100, 120], 5, 100)).toEqual([0, 20, 80, 80, 80, 100, 120]);
  expect(departures([0, 0, 0, 0, 0, 0, 10], 5, 100)).toEqual([0, 0, 0, 0, 0, 100, 100]);
});
