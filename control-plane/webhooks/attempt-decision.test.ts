import { type Breaker, closedBreaker } from '@drawbridge/webhooks/breaker.ts';
import type { Answer } from '@drawbridge/webhooks/outcome.ts';
import { expect, test } from 'vitest';
import { decideAttempt } from './attempt-decision.ts';
import type { DueRow } from './endpoint-queue-store.ts';
import type { SendError } from './errors.ts';

const now = new Date('2026-01-10T00:00:00Z');
const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000);
const halfOpen: Breaker = { state: 'half-open', probeAtMs: 0, samples: [] };
const status = (code: number): Answer => ({ kind: 'answered', status: code });

interface Circumstances {
  readonly row?: Partial<DueRow>;
  readonly error?: SendError;
  readonly breaker?: Breaker;
  readonly failingSince?: Date;
}

function judged(answer: Answer, over: Circumstances = {}) {
  const { row, error = null, breaker = closedBreaker, failingSince = null } = over;
  return decideAttempt({
    tenantId: '0192d9c0-0000-7000-8000-000000000001',
    endpointId: 'whe_1',
    row: {
      event_id: 'evt_1',
      traceparent: null,
      environment: 'live',
      seq: 1,
      subject_id: 'inv_1',
      attempt: 0,
      round_start: 0,
      is_test: false,
      is_fresh: true,
      is_blocked: false,
      scheduled_at: null,
      wake_after: null,
      answered_since: null,
      is_set_aside: false,
      payload: '{}',
      ...row,
    },
    at: now,
    now,
    exchange: { answer, error, ms: 5, head: '', body: '' },
    breaker,
    failingSince,
    recoveredAt: null,
    keepBackMs: 600_000,
    random: () => 0.5,
  });
}
const isTest = { row: { is_test: true } };
const resent = { row: { attempt: 12, round_start: 12 } };
const last = { row: { attempt: 9 } };

test.each<[string, ReturnType<typeof judged>, object]>([
  ['200', judged(status(200)), { attempt: { state: 'delivered', n: 1, next_at: null } }],
  [
    '200 ends a failure',
    judged(status(200), { failingSince: daysAgo(1), breaker: halfOpen }),
    { failingSince: null, breaker: closedBreaker },
  ],
  ['500', judged(status(500)), { attempt: { state: 'pending' }, failingSince: now }],
  ['the tenth failure', judged(status(500), last), { attempt: { state: 'failed', n: 10 } }],
  [
    'the first after a resend',
    judged(status(500), resent),
    { attempt: { state: 'pending', n: 13 } },
  ],
  ['410', judged(status(410)), { attempt: { state: 'failed' }, stop: 'gone' }],
  [
    '429',
    judged(status(429)),
    { attempt: { state: 'pending' }, pauseMs: 1_000, breaker: closedBreaker },
  ],
  ['429 to a probe', judged(status(429), { breaker: halfOpen }), { breaker: { state: 'open' } }],
  [
    'a refused address to a probe',
    judged({ kind: 'forbidden' }, { error: 'address_refused', breaker: halfOpen }),
    { breaker: { state: 'open' }, failingSince: null, attempt: { state: 'failed' } },
  ],
  [
    'a name that leads to a refused address',
    judged({ kind: 'unanswered' }, { error: 'address_refused' }),
    { breaker: closedBreaker, failingSince: null, attempt: { state: 'pending' } },
  ],
  [
    'a failed test',
    judged(status(410), isTest),
    { attempt: { state: 'failed' }, failingSince: null, breaker: closedBreaker },
  ],
  ['failing for six days', judged(status(500), { failingSince: daysAgo(6) }), { stop: 'failing' }],
])('%s', (_, settlement, expected) => {
  expect(settlement).toMatchObject(expected);
  if (!('stop' in expected)) expect(settlement.stop).toBeUndefined();
});
