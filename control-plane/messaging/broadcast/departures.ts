import { setTimeout as delay } from 'node:timers/promises';
import { spacing } from '@drawbridge/messaging/broadcast/spacing.ts';

/** A little more than a second: what leaves evenly may arrive a little closer together. */
const windowMs = 1_002;

/**
 * The way from the grants to the wire. The database and the disk hold batches up now and then;
 * without it they would leave together then, more in a second than were granted in any.
 */
export class Departures {
  readonly perSecond: number;
  readonly #stopwatch: () => number;
  readonly #spacing;
  #line = Promise.resolve();
  #waiting = 0;

  constructor(perSecond: number, stopwatch: () => number) {
    this.perSecond = perSecond;
    this.#stopwatch = stopwatch;
    this.#spacing = spacing(perSecond, windowMs);
  }

  get waiting(): number {
    return this.#waiting;
  }

  /** Resolves when one more may leave, for each in the order in which they asked. */
  next(): Promise<void> {
    this.#waiting += 1;
    this.#line = this.#line.then(() => this.#turn());
    return this.#line;
  }

  async #turn(): Promise<void> {
    for (;;) {
      const waitMs = this.#spacing.waitMs(this.#stopwatch());
      if (waitMs === 0) break;
      await delay(waitMs);
    }
    this.#spacing.left(this.#stopwatch());
    this.#waiting -= 1;
  }
}
