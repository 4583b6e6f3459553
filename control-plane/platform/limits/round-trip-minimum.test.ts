import { expect, test } from 'vitest';
import { RoundTripMinimum } from './round-trip-minimum.ts';

function after(...took: readonly number[]): number {
  const trips = new RoundTripMinimum();
  for (const ms of took) trips.observe(ms);
  return trips.shortestMs;
}

const times = (count: number, ms: number) => Array<number>(count).fill(ms);

test.each([
  ['nothing is known before there are enough', times(63, 40), 0],
  ['then it is the shortest of them', [...times(63, 40), 30], 30],
  ['a shorter one counts at once', [...times(64, 40), 10], 10],
  ['longer ones count when the shorter are long ago', [...times(64, 10), ...times(128, 40)], 40],
  ['and not before', [...times(64, 10), ...times(63, 40)], 10],
])('%s', (_, took, shortest) => {
  expect(after(...took)).toBe(shortest);
});
