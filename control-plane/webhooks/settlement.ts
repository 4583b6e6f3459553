/** What one attempt means for its delivery, and for its endpoint. Decides; writes nothing. */
import { type Breaker, recorded } from '@drawbridge/webhooks/breaker.ts';
import { type Outcome, outcomeOf } from '@drawbridge/webhooks/outcome.ts';
import type { AttemptRecord, DueRow } from './lane-store.ts';
import type { Exchange } from './send.ts';

export interface Attempted {
  readonly endpointId: string;
  readonly row: DueRow;
  /** When it was signed, and when it was over. */
  readonly at: Date;
  readonly now: Date;
  readonly exchange: Exchange;
  readonly breaker: Breaker;
  readonly failingSince: Date | null;
  /** In [0, 1). */
  readonly random: () => number;
}

export interface Settlement {
  readonly attempt: AttemptRecord;
  readonly breaker: Breaker;
  readonly failingSince: Date | null;
  /** How long the endpoint is to be left alone. */
  readonly pauseMs: number;
  /** Why it is to be disabled. */
  readonly stop?: 'gone' | 'failing';
}

/** An endpoint that has failed for so long, without one success, is disabled. */
export const failingMsMax = 5 * 24 * 60 * 60 * 1_000;

export function judge(attempted: Attempted): Settlement {
  const { row, now, exchange } = attempted;
  const n = row.attempt + 1;
  const made = outcomeOf(exchange.answer, n - row.round_start, now, attempted.random);
  // A test is one attempt, and its failure says nothing against the endpoint.
  const outcome: Outcome = row.is_test && made.kind !== 'delivered' ? { kind: 'give-up' } : made;
  const isOk = outcome.kind === 'delivered';
  // Addresses that we refuse are no failures of theirs.
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
  return {
    attempt: recordOf(attempted, n, outcome),
    breaker: breakerAfter(attempted, outcome, isCounted),
    failingSince,
    pauseMs: outcome.kind === 'slow-down' ? outcome.pauseMs : 0,
    ...(stop === undefined ? {} : { stop }),
  };
}

function breakerAfter({ breaker, row, now }: Attempted, outcome: Outcome, isCounted: boolean) {
  const isProbe = breaker.state === 'half-open' && !row.is_test;
  // Overrun is not broken: the pause it asked for is enough.
  const isNeutral = !isCounted || outcome.kind === 'slow-down';
  if (isNeutral && !isProbe) return breaker;
  return recorded(breaker, outcome.kind === 'delivered', now.getTime());
}

function recordOf({ endpointId, row, at, exchange }: Attempted, n: number, outcome: Outcome) {
  const isPending = outcome.kind === 'retry' || outcome.kind === 'slow-down';
  return {
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
    state: outcome.kind === 'delivered' ? 'delivered' : isPending ? 'pending' : 'failed',
    next_at: isPending ? outcome.at : null,
  } as const;
}
