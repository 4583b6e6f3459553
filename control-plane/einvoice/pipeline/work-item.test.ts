import { expect, test } from 'vitest';
import type { Job } from '../../platform/jobs/job.ts';
import {
  type PipelineJobPayload,
  retryAt,
  retryLater,
  retryWhenFree,
  triedForMs,
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
const hours = 3_600_000;
const at = (inHours: number) => new Date(now.getTime() + inHours * hours).toISOString();
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

test.each([
  ['in time', {}, 3 * hours],
  ['an hour late, behind others', { dueAt: at(-1) }, 3 * hours],
  ['days late, as nobody tried', { firstTriedAt: at(-100), dueAt: at(-97) }, 4 * hours],
  [
    'in time, after it was late before',
    { firstTriedAt: at(-100), untriedMs: 96 * hours },
    4 * hours,
  ],
  ['for the first time', { firstTriedAt: undefined, dueAt: undefined }, 0],
] as const)('what is tried %s', (_when, payload, ms) => {
  const { job } = courseWith({
    environment: 'live',
    firstTriedAt: at(-3),
    dueAt: at(0),
    ...payload,
  } as PipelineJobPayload);
  expect(triedForMs(job, new Date(at(-1_000)), now)).toBe(ms);
});
