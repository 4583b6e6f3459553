import { nextAttemptAt } from './retry-schedule.ts';

/** What one attempt met: an answer of the receiver, or none. */
export type Answer =
  | { readonly kind: 'answered'; readonly status: number; readonly retryAfter?: string }
  | { readonly kind: 'unanswered' }
  /** The address may never be called, whatever it resolves to: trying again cannot help. */
  | { readonly kind: 'forbidden' };

export type Outcome =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'retry'; readonly at: Date }
  /** The receiver is overrun: retry then, and send it nothing at all for `pauseMs`. */
  | { readonly kind: 'slow-down'; readonly at: Date; readonly pauseMs: number }
  /** The receiver wants no more (410). */
  | { readonly kind: 'disable' }
  /** The schedule is used up, or the address is forbidden. */
  | { readonly kind: 'give-up' };

/** The longest wait a receiver may ask for. */
export const retryAfterMsMax = 24 * 60 * 60 * 1_000;
/** How long one refusal may silence the whole endpoint: after it, one more request asks again. */
export const pauseMsMax = 60_000;
const pauseMsMin = 1_000;

/**
 * What follows from attempt number `attempts` (from 1), by its answer. 3xx is a failure: never
 * followed.
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
  const askedMs = answer.kind === 'answered' ? retryAfterMs(answer.retryAfter, now) : undefined;
  if (askedMs === undefined && status === 503) return { kind: 'retry', at };
  const waitMs = Math.min(askedMs ?? 0, retryAfterMsMax);
  return {
    kind: 'slow-down',
    at: new Date(Math.max(at.getTime(), now.getTime() + waitMs)),
    pauseMs: Math.min(Math.max(waitMs, pauseMsMin), pauseMsMax),
  };
}

/**
 * Milliseconds a `Retry-After` value asks for (seconds or an HTTP date); undefined when it says
 * nothing.
 */
function retryAfterMs(value: string | undefined, now: Date): number | undefined {
  if (value === undefined) return undefined;
  const ms = /^\d{1,9}$/.test(value.trim())
    ? Number(value) * 1_000
    : Date.parse(value) - now.getTime();
  return Number.isNaN(ms) ? undefined : Math.max(ms, 0);
}
