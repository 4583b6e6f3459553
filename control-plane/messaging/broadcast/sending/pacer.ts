import { setTimeout as delay } from 'node:timers/promises';
import { arrivals } from '@drawbridge/messaging/broadcast/arrivals.ts';
import { spacing } from '@drawbridge/messaging/broadcast/spacing.ts';
import type { Turn } from '../../messages/sending/sender-contract.ts';

/** A little more than a second: messages may arrive a little closer together than they left. */
const windowMs = 1_002;
/**
 * What may arrive in a second beyond the rate. As round trips vary, messages count for longer than a
 * second, and without this share the rate would not be reached.
 */
const surplus = 0.04;

/**
 * Spreads messages evenly between their grant and their sending, in this process only, and holds
 * them back while the far end is slow to read what left. The database and the disk delay batches now
 * and then; without the pacer delayed batches would leave together, more in a second than were
 * granted in any second. `RateLimits` cannot do this, because it counts at the grant.
 */
export class Pacer {
  readonly perSecond: number;
  readonly #stopwatch: () => number;
  readonly #spacing;
  readonly #arrivals;
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  /** `stopwatch` returns milliseconds that never go backwards. */
  constructor(perSecond: number, stopwatch: () => number) {
    this.perSecond = perSecond;
    this.#stopwatch = stopwatch;
    this.#spacing = spacing(perSecond, windowMs);
    this.#arrivals = arrivals(Math.floor(perSecond * (1 + surplus)), windowMs);
  }

  /** How many messages wait to leave. */
  get waitingCount(): number {
    return this.#waiting;
  }

  /** Resolves when one more message may leave, in the order of the calls. */
  wait(): Promise<Turn> {
    this.#waiting += 1;
    const turn = this.#last.then(() => this.#leave());
    this.#last = turn;
    return turn;
  }

  async #leave(): Promise<Turn> {
    for (;;) {
      const nowMs = this.#stopwatch();
      const waitMs = Math.max(this.#spacing.waitMs(nowMs), this.#arrivals.waitMs(nowMs));
      if (waitMs === 0) break;
      await delay(waitMs);
    }
    const leftMs = this.#stopwatch();
    this.#spacing.left(leftMs);
    const message = this.#arrivals.left(leftMs);
    this.#waiting -= 1;
    return { end: () => this.#arrivals.answered(message, this.#stopwatch()) };
  }
}
