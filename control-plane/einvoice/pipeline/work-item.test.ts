import { expect, test } from 'vitest';
import type { Job } from '../../platform/jobs/job.ts';
import {
  type PipelineJobPayload,
  retryAt,
  retryLater,
  retryWhenFree,
  waitUntil,
} from './work-item.ts';

const now = new Date('2026-11-21T08:00:00Z');
const courseWith = (payload: PipelineJobPayload) => ({
  job: { payload } as Job<PipelineJobPayload>,
});
const fresh = courseWith({ environment: 'sandbox' });
const tried = courseWith({
  environment: 'live',
  failures: 3,
  firstFailedAt: '2026-11-20T08:00:00.000Z',
});
const secondsTo = (at: Date) => (at.getTime() - now.getTime()) / 1_000;

test.each([
  [0, undefined, 1],
  [1, undefined, 2],
  [4, undefined, 30],
  [7, undefined, 300],
  [10_000, undefined, 300],
  [0, 90_000, 90],
  [7, 90_000, 300],
])('after %i failures and a demanded wait of %s ms: %i s', (failures, afterMs, seconds) => {
  expect(secondsTo(retryAt(now, failures, afterMs))).toBe(seconds);
});

test('failures are counted, and the time of the first is kept', () => {
  expect(retryLater(fresh, now, 'down').payload).toEqual({
    environment: 'sandbox',
    failures: 1,
    firstFailedAt: now.toISOString(),
  });
  expect(retryLater(tried, now, 'down')).toMatchObject({
    payload: { environment: 'live', failures: 4, firstFailedAt: '2026-11-20T08:00:00.000Z' },
    error: 'down',
  });
});

test('waiting until a set time resets the failures', () => {
  expect(waitUntil(tried, now).payload).toEqual({ environment: 'live' });
});

test('waiting for a free call is not a failure, and has a limit', () => {
  expect(retryWhenFree(fresh, now).payload).toEqual({
    environment: 'sandbox',
    firstFailedAt: now.toISOString(),
  });
  expect(retryWhenFree(tried, now).payload).toMatchObject({ failures: 3 });
  expect(secondsTo(retryWhenFree(tried, now).at)).toBe(5);
});
