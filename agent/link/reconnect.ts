import { setTimeout as wait } from 'node:timers/promises';
import { type CloseReason, closeReasons } from '@drawbridge/link/close-reasons.ts';
import { type BackoffLimits, fullJitter } from '@drawbridge/retry/backoff.ts';
import type { SessionEnd } from './session.ts';

export interface ReconnectOptions {
  /** Dials, and resolves when that session is over. */
  session(): Promise<SessionEnd>;
  /** Called before each wait. */
  waiting(ended: SessionEnd, delayMs: number): void;
  readonly backoff: BackoffLimits;
  readonly clock: () => Date;
  readonly random: () => number;
  /** Aborted when the agent stops. */
  readonly signal: AbortSignal;
}

export type LinkOutcome =
  | { readonly kind: 'stopped' }
  /** Dialling again would not help; a person must act. */
  | { readonly kind: 'refused'; readonly close: CloseReason };

/** Dials again and again until stopped or refused for good. */
export async function stayLinked(options: ReconnectOptions): Promise<LinkOutcome> {
  for (let attempt = 0; !options.signal.aborted; attempt += 1) {
    const startedAt = options.clock().getTime();
    const ended = await options.session();
    if (options.signal.aborted) break;
    const redial = ended.close === undefined ? 'later' : closeReasons[ended.close].redial;
    if (redial === 'never') return { kind: 'refused', close: ended.close! };
    // A session that broke soon after it opened is a failure like any other, or it would be retried
    // without pause.
    const lasted = ended.wasOpen && options.clock().getTime() - startedAt > options.backoff.capMs;
    if (lasted || redial === 'now') attempt = 0;
    const delayMs = fullJitter(attempt, options.random, options.backoff);
    options.waiting(ended, delayMs);
    // The wait rejects only when the agent is stopped, and then the loop ends.
    await wait(delayMs, undefined, { signal: options.signal }).catch(() => {});
  }
  return { kind: 'stopped' };
}
