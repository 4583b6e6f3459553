/** Decides what one attempt means for its delivery and for its endpoint; saves nothing. */
import { type Breaker, recorded } from '@drawbridge/webhooks/breaker.ts';
import {
  afterFailure,
  type FailedDelivery,
  isExtraAttempt,
  type NextAttempt,
  neverFailed,
} from '@drawbridge/webhooks/failed-delivery.ts';
import { type Outcome, outcomeOf } from '@drawbridge/webhooks/outcome.ts';
import type { AttemptRecord, DueRow } from './endpoint-queue-store.ts';
import type { Exchange } from './send.ts';

export interface FinishedAttempt {
  readonly tenantId: string;
  readonly endpointId: string;
  readonly row: DueRow;
  /** When it was signed, and when it was over. */
  readonly at: Date;
  readonly now: Date;
  readonly exchange: Exchange;
  readonly breaker: Breaker;
  readonly failingSince: Date | null;
  /** When the endpoint last answered after it had failed. */
  readonly recoveredAt: Date | null;
  /** How long a delivery may keep back others of its subject while its endpoint answers. */
  readonly keepBackMs: number;
  /** In [0, 1). */
  readonly random: () => number;
}

export interface AttemptDecision {
  readonly attempt: AttemptRecord;
  readonly breaker: Breaker;
  readonly failingSince: Date | null;
  readonly recoveredAt: Date | null;
  /** Whether later events of its subject go on without it from now on. */
  readonly isSetAsideNow: boolean;
  /** For how long nothing is sent to the endpoint. */
  readonly pauseMs: number;
  /** Why the endpoint is to be disabled. */
  readonly stop?: 'gone' | 'failing';
}

/** An endpoint that fails for this long without a success is disabled. */
const failingMsMax = 5 * 24 * 60 * 60 * 1_000;

export function decideAttempt(attempted: FinishedAttempt): AttemptDecision {
  const { row, now, exchange } = attempted;
  const n = row.attempt + 1;
  const failed = failedOf(row);
  const isExtra = isExtraAttempt(failed, now);
  const planned = n - row.round_start - (isExtra ? 1 : 0);
  const made = outcomeOf(exchange.answer, planned, now, attempted.random);
  // A test is one attempt, and its failure does not count against the endpoint.
  const outcome: Outcome = row.is_test && made.kind !== 'delivered' ? { kind: 'give-up' } : made;
  const isOk = outcome.kind === 'delivered';
  // An address that the policy refuses is not a failure of the endpoint.
  const isCounted = isOk || !(row.is_test || exchange.error === 'address_refused');
  const failingSince = isOk
    ? null
    : isCounted
      ? (attempted.failingSince ?? now)
      : attempted.failingSince;
  const stop =
    outcome.kind === 'disable'
      ? 'gone'
      : failingSince !== null && isCounted && now.getTime() - failingSince.getTime() > failingMsMax
        ? 'failing'
        : undefined;
  const isRecovered = isOk && attempted.failingSince !== null;
  const next = nextAttemptOf(attempted, failed, outcome);
  return {
    attempt: { ...recordOf(attempted, n, outcome, next), is_extra: isExtra },
    breaker: breakerAfter(attempted, outcome, isCounted),
    failingSince,
    recoveredAt: isRecovered ? now : attempted.recoveredAt,
    isSetAsideNow: next?.isSetAside === true && !failed.isSetAside,
    pauseMs: outcome.kind === 'slow-down' ? outcome.pauseMs : 0,
    ...(stop === undefined ? {} : { stop }),
  };
}

function failedOf(row: DueRow): FailedDelivery {
  return {
    scheduledAt: row.scheduled_at,
    wakeAfter: row.wake_after,
    answeredSince: row.answered_since,
    isSetAside: row.is_set_aside,
  };
}

/** Undefined when there is none. */
function nextAttemptOf(
  { now, recoveredAt, keepBackMs }: FinishedAttempt,
  failed: FailedDelivery,
  outcome: Outcome,
): NextAttempt | undefined {
  if (outcome.kind !== 'retry' && outcome.kind !== 'slow-down') return undefined;
  const { scheduledAt } = failed;
  // An attempt beside the schedule leaves it as it is, unless the receiver asks for more time.
  const isKept = isExtraAttempt(failed, now) && scheduledAt !== null;
  const retryAt = !isKept
    ? outcome.at
    : outcome.kind === 'retry'
      ? scheduledAt
      : new Date(Math.max(scheduledAt.getTime(), outcome.at.getTime()));
  return afterFailure(failed, { now, retryAt, recoveredAt, keepBackMs });
}

function breakerAfter(
  { breaker, row, now }: FinishedAttempt,
  outcome: Outcome,
  isCounted: boolean,
) {
  const isProbe = breaker.state === 'half-open' && !row.is_test;
  // A receiver that asks for fewer requests is not broken: the pause is enough.
  const isNeutral = !isCounted || outcome.kind === 'slow-down';
  if (isNeutral && !isProbe) return breaker;
  return recorded(breaker, outcome.kind === 'delivered', now.getTime());
}

function recordOf(
  { tenantId, endpointId, row, at, exchange }: FinishedAttempt,
  n: number,
  outcome: Outcome,
  next: NextAttempt | undefined,
) {
  const { scheduledAt, wakeAfter, answeredSince, isSetAside } = next ?? neverFailed;
  return {
    tenant_id: tenantId,
    endpoint_id: endpointId,
    environment: row.environment,
    event_id: row.event_id,
    n,
    at,
    ms: exchange.ms,
    status: exchange.answer.kind === 'answered' ? exchange.answer.status : null,
    error: exchange.error,
    response_head: exchange.head,
    response_body: exchange.body,
    state: outcome.kind === 'delivered' ? 'delivered' : next === undefined ? 'failed' : 'pending',
    next_at: next?.nextAt ?? null,
    scheduled_at: scheduledAt,
    wake_after: wakeAfter,
    answered_since: answeredSince,
    is_set_aside: isSetAside,
  } as const;
}
