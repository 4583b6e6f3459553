import { expect, test } from 'vitest';
import type { Job } from '../../platform/jobs/job.ts';
import { again, later, type Memory, outOfTurn, retryAt } from './course.ts';

const now = new Date('2026-11-21T08:00:00Z');
const courseWith = (payload: Memory) => ({ job: { payload } as Job<Memory> });
const fresh = courseWith({ environment: 'sandbox' });
const tried = courseWith({ environment: 'live', tries: 3, since: '2026-11-20T08:00:00.000Z' });
const secondsTo = (at: Date) => (at.getTime() - now.getTime()) / 1_000;

test.each([
  [0, undefined, 1],
  [1, undefined, 2],
  [4, undefined, 30],
  [7, undefined, 300],
  [10_000, undefined, 300],
  [0, 90_000, 90],
  [7, 90_000, 300],
])('after %i failures, told to wait %s ms: %i s', (tries, afterMs, seconds) => {
  expect(secondsTo(retryAt(now, tries, afterMs))).toBe(seconds);
});

test('a failure is counted, and when the first of them was is kept', () => {
  expect(again(fresh, now, 'down').memory).toEqual({
    ...{ environment: 'sandbox', tries: 1, since: now.toISOString() },
  });
  expect(again(tried, now, 'down')).toMatchObject({
    memory: { environment: 'live', tries: 4, since: '2026-11-20T08:00:00.000Z' },
    error: 'down',
  });
});

test('to be early forgets all failures', () => {
  expect(later(tried, now).memory).toEqual({ environment: 'live' });
});

test('to wait for a turn counts no failure, and is bounded all the same', () => {
  expect(outOfTurn(fresh, now).memory).toEqual({
    ...{ environment: 'sandbox', since: now.toISOString() },
  });
  expect(outOfTurn(tried, now).memory).toMatchObject({ tries: 3 });
  expect(secondsTo(outOfTurn(tried, now).at)).toBe(5);
});
