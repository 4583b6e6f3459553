import { expect, test } from 'vitest';
import { nextAttemptAt, retrySchedule } from './retry-schedule.ts';

const failedAt = new Date('2026-01-01T00:00:00Z');
const secondsAfter = (attempts: number, random: number) => {
  const at = nextAttemptAt(failedAt, attempts, () => random);
  return at && (at.getTime() - failedAt.getTime()) / 1_000;
};

test.each([
  [1, 0, 4],
  [1, 0.5, 5],
  [1, 1, 6],
  [2, 0.5, 300],
  [9, 0, 69_120],
  [9, 1, 103_680],
])('after %i attempts, random %f: %i s', (attempts, random, seconds) => {
  expect(secondsAfter(attempts, random)).toBe(seconds);
});

test('ten attempts over more than three days, then none', () => {
  expect(retrySchedule).toHaveLength(10);
  expect(retrySchedule.reduce<number>((sum, wait) => sum + wait, 0)).toBeGreaterThan(72 * 3_600);
  expect(secondsAfter(10, 0.5)).toBeUndefined();
});
