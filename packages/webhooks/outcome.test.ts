import { expect, test } from 'vitest';
import { type Answer, outcomeOf } from './outcome.ts';

const now = new Date('2026-01-01T00:00:00Z');
const after = (seconds: number) => new Date(now.getTime() + seconds * 1_000);
const answered = (status: number, retryAfter?: string): Answer => ({
  kind: 'answered',
  status,
  ...(retryAfter === undefined ? {} : { retryAfter }),
});
const slow = (seconds: number, pauseMs: number) => ({
  kind: 'slow-down',
  at: after(seconds),
  pauseMs,
});

test.each<[Answer, number, unknown]>([
  [answered(200), 1, { kind: 'delivered' }],
  [answered(299), 10, { kind: 'delivered' }],
  [answered(301), 1, { kind: 'retry', at: after(5) }],
  [answered(400), 1, { kind: 'retry', at: after(5) }],
  [answered(401), 2, { kind: 'retry', at: after(300) }],
  [answered(410), 1, { kind: 'disable' }],
  [answered(410), 10, { kind: 'disable' }],
  [answered(500), 9, { kind: 'retry', at: after(86_400) }],
  [answered(500), 10, { kind: 'give-up' }],
  [answered(500, '900'), 1, { kind: 'retry', at: after(5) }],
  [answered(199), 1, { kind: 'retry', at: after(5) }],
  [{ kind: 'unanswered' }, 1, { kind: 'retry', at: after(5) }],
  [{ kind: 'unanswered' }, 10, { kind: 'give-up' }],
  [{ kind: 'forbidden' }, 1, { kind: 'give-up' }],
  [answered(429), 1, slow(5, 1_000)],
  [answered(429, '30'), 1, slow(30, 30_000)],
  [answered(429, '2'), 2, slow(300, 2_000)],
  [answered(429, 'Thu, 01 Jan 2026 00:00:20 GMT'), 1, slow(20, 20_000)],
  [answered(429, 'Wed, 31 Dec 2025 00:00:20 GMT'), 1, slow(5, 1_000)],
  [answered(429, 'soon'), 1, slow(5, 1_000)],
  [answered(503, '999999999'), 1, slow(86_400, 60_000)],
  [answered(503), 1, { kind: 'retry', at: after(5) }],
  [answered(503, '3'), 10, { kind: 'give-up' }],
])('%j on attempt %i', (answer, attempts, expected) => {
  expect(outcomeOf(answer, attempts, now, () => 0.5)).toEqual(expected);
});
