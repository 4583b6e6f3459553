/**
 * Permits that keys share, so that no key, and no few of them together, hold all: what a key holds is
 * at most three times what it leaves free, and a key that holds none takes any that is free. One key
 * alone holds three quarters of them; the more keys hold some, the less each may.
 *
 * ```ts
 * const connections = new FairSemaphore(20, () => AbortSignal.timeout(10_000));
 * const answer = await connections.run(tenantId, () => query());
 * if (answer === busy) return retryLater();
 * ```
 */
import { busy } from './semaphore.ts';

interface Share {
  used: number;
  /** In order of arrival. */
  readonly waiting: Set<() => void>;
}

/** What one may use of a bound that many share, for each that it leaves free. */
export const usedToFree = 3;

export class FairSemaphore {
  readonly #max: number;
  readonly #giveUp: () => AbortSignal;
  readonly #shares = new Map<string, Share>();
  #used = 0;

  /** `max`: permits in all, 1 or more. `giveUp`: a signal for each that waits, to end its wait. */
  constructor(max: number, giveUp: () => AbortSignal) {
    this.#max = max;
    this.#giveUp = giveUp;
  }

  /** How many wait for a permit. */
  get waiting(): number {
    let count = 0;
    for (const { waiting } of this.#shares.values()) count += waiting.size;
    return count;
  }

  /**
   * Does the work under a permit of its key; `busy` when it had none before `giveUp` aborted. Rejects
   * as `work` does.
   */
  async run<Result>(key: string, work: () => Promise<Result>): Promise<Result | typeof busy> {
    const share = this.#shares.get(key) ?? { used: 0, waiting: new Set() };
    this.#shares.set(key, share);
    if (this.#mayTake(share)) this.#take(share);
    else if (!(await this.#turn(share))) {
      this.#forget(key, share);
      return busy;
    }
    try {
      return await work();
    } finally {
      share.used -= 1;
      this.#used -= 1;
      this.#forget(key, share);
      this.#callWaiting();
    }
  }

  #mayTake({ used }: Share): boolean {
    const free = this.#max - this.#used;
    return used === 0 ? free > 0 : used + 1 <= usedToFree * (free - 1);
  }

  #take(share: Share): void {
    share.used += 1;
    this.#used += 1;
  }

  /** True once a permit is taken; false when it gave up first. */
  #turn(share: Share): Promise<boolean> {
    const signal = this.#giveUp();
    return new Promise((resolve) => {
      const take = () => {
        signal.removeEventListener('abort', giveUp);
        share.waiting.delete(take);
        this.#take(share);
        resolve(true);
      };
      const giveUp = () => {
        share.waiting.delete(take);
        resolve(false);
      };
      share.waiting.add(take);
      signal.addEventListener('abort', giveUp, { once: true });
    });
  }

  /** Those whose key holds the fewest come first. */
  #callWaiting(): void {
    for (;;) {
      let fewest: Share | undefined;
      for (const share of this.#shares.values()) {
        if (share.waiting.size > 0 && !(fewest && fewest.used <= share.used)) fewest = share;
      }
      if (fewest === undefined || !this.#mayTake(fewest)) return;
      const [take] = fewest.waiting;
      take!();
    }
  }

  #forget(key: string, { used, waiting }: Share): void {
    if (used === 0 && waiting.size === 0) this.#shares.delete(key);
  }
}
