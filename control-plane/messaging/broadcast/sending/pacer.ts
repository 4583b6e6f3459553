import { setTimeout as delay } from 'node:timers/promises';
import { spacing } from '@drawbridge/messaging/broadcast/spacing.ts';

/** A little more than a second: messages may arrive a little closer together than they left. */
const windowMs = 1_002;

/**
 * Spreads messages evenly between their grant and their sending, in this process only. The database
 * and the disk delay batches now and then; without the pacer delayed batches would leave together,
 * more in a second than were granted in any second. `RateLimits` cannot do this, because it counts
 * at the grant.
 */
export class Pacer {
  readonly perSecond: number;
  readonly #stopwatch: () => number;
  readonly #spacing;
  #last = Promise.resolve();
  #waiting = 0;

  /** `stopwatch` returns milliseconds that never go backwards. */
  constructor(perSecond: number, stopwatch: () => number) {
    this.perSecond = perSecond;
    this.#stopwatch = stopwatch;
    this.#spacing = spacing(perSecond, windowMs);
  }

  /** How many messages wait to leave. */
  get waitingCount(): number {
    return this.#waiting;
  }

  /** Resolves when one more message may leave, in the order of the calls. */
  wait(): Promise<void> {
    this.#waiting += 1;
    this.#last = this.#last.then(() => this.#leave());
    return this.#last;
  }

  async #leave(): Promise<void> {
    for (;;) {
      const waitMs = this.#spacing.waitMs(this.#stopwatch());
      if (waitMs === 0) break;
      await delay(waitMs);
    }
    this.#spacing.left(this.#stopwatch());
    this.#waiting -= 1;
  }
}
