import { retryAfterMs } from '@drawbridge/retry/retry-after.ts';
import { nextAttemptAt } from './retry-schedule.ts';

/** How one attempt ended: with an answer of the receiver, or without one. */
export type Answer =
  | { readonly kind: 'answered'; readonly status: number; readonly retryAfter?: string }
  | { readonly kind: 'unanswered' }
  /** The address may never be called, whatever it resolves to: trying again cannot help. */
  | { readonly kind: 'forbidden' };

/** What to do after an attempt. */
export type Outcome =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'retry'; readonly at: Date }
  /** The receiver is overloaded: retry at `at`, and send it nothing at all for `pauseMs`. */
  | { readonly kind: 'slow-down'; readonly at: Date; readonly pauseMs: number }
  /** The receiver wants no more (410). */
  | { readonly kind: 'disable' }
  /** The schedule is used up, or the address is forbidden. */
  | { readonly kind: 'give-up' };

/** The longest wait a receiver may ask for. */
const retryAfterMsMax = 24 * 60 * 60 * 1_000;
/** How long one refusal may stop the whole endpoint; after it, the next request finds out. */
const pauseMsMax = 60_000;
const pauseMsMin = 1_000;

/**
 * What to do after attempt number `attempts` (from 1), by its answer. A 3xx is a failure: redirects
 * are not followed.
 */
export function outcomeOf(
  answer: Answer,
  attempts: number,
  now: Date,
  random: () => number,
): Outcome {
  if (answer.kind === 'forbidden') return { kind: 'give-up' };
  const status = answer.kind === 'answered' ? answer.status : 0;
  if (status >= 200 && status < 300) return { kind: 'delivered' };
  if (status === 410) return { kind: 'disable' };
  const at = nextAttemptAt(now, attempts, random);
  if (at === undefined) return { kind: 'give-up' };
  if (status !== 429 && status !== 503) return { kind: 'retry', at };
  const header = answer.kind === 'answered' ? answer.retryAfter : undefined;
  const askedMs = retryAfterMs(header, now, retryAfterMsMax);
  if (askedMs === undefined && status === 503) return { kind: 'retry', at };
  const waitMs = askedMs ?? 0;
  return {
    kind: 'slow-down',
    at: new Date(Math.max(at.getTime(), now.getTime() + waitMs)),
    pauseMs: Math.min(Math.max(waitMs, pauseMsMin), pauseMsMax),
  };
}
