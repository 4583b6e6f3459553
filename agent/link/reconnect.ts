import { setTimeout as wait } from 'node:timers/promises';
import { type CloseName, closes } from '@drawbridge/link/closes.ts';
import { type BackoffLimits, fullJitter } from '@drawbridge/retry/backoff.ts';
import type { Ended } from './session.ts';

export interface Redialling {
  /** Dials, and resolves when that session is over. */
  session(): Promise<Ended>;
  /** Told before each wait. */
  waiting(ended: Ended, delayMs: number): void;
  readonly backoff: BackoffLimits;
  readonly clock: () => Date;
  readonly random: () => number;
  /** Aborted when the agent stops. */
  readonly signal: AbortSignal;
}

export type LinkOutcome =
  | { readonly kind: 'stopped' }
  /** Dialling again would not help; a person must act. */
  | { readonly kind: 'refused'; readonly close: CloseName };

/** Dials again and again until stopped or refused for good. */
export async function stayLinked(edge: Redialling): Promise<LinkOutcome> {
  for (let attempt = 0; !edge.signal.aborted; attempt += 1) {
    const startedAt = edge.clock().getTime();
    const ended = await edge.session();
    if (edge.signal.aborted) break;
    const redial = ended.close === undefined ? 'later' : closes[ended.close].redial;
    if (redial === 'never') return { kind: 'refused', close: ended.close! };
    // A session that broke soon after it opened is a failure like any other, or it would be retried
    // without pause.
    const lasted = ended.wasOpen && edge.clock().getTime() - startedAt > edge.backoff.capMs;
    if (lasted || redial === 'now') attempt = 0;
    const delayMs = fullJitter(attempt, edge.random, edge.backoff);
    edge.waiting(ended, delayMs);
    // The wait fails only when the agent is stopped, and then the loop ends.
    await wait(delayMs, undefined, { signal: edge.signal }).catch(() => {});
  }
  return { kind: 'stopped' };
}
