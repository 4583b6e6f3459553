import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fullJitter } from './backoff.ts';

const almostOne = 1 - Number.EPSILON;

test.each([
  { attempt: 0, ceilingMs: 1_000 },
  { attempt: 1, ceilingMs: 2_000 },
  { attempt: 5, ceilingMs: 32_000 },
  { attempt: 6, ceilingMs: 60_000 },
  { attempt: 1_000_000, ceilingMs: 60_000 },
])('attempt $attempt waits less than $ceilingMs ms, possibly 0 ms', (row) => {
  expect(fullJitter(row.attempt, () => almostOne)).toBe(row.ceilingMs - 1);
  expect(fullJitter(row.attempt, () => 0)).toBe(0);
});

test('the wait is spread over the whole range below the ceiling', () => {
  const fraction = fc.double({ min: 0, max: almostOne, noNaN: true });
  fc.assert(
    fc.property(fraction, (random) => {
      expect(fullJitter(3, () => random)).toBe(Math.floor(random * 8_000));
    }),
  );
});
