/**
 * Bounds how much is under way at once. Whoever finds no permit waits in order of arrival.
 *
 * ```ts
 * const requests = new Semaphore(64);
 * if (await requests.acquire(AbortSignal.timeout(2_000))) {
 *   try { await send(); } finally { requests.release(); }
 * }
 * ```
 */
export class Semaphore {
  readonly #max: number;
  readonly #waiting = new Set<() => void>();
  #used = 0;

  /** `max`: permits in all, 1 or more. */
  constructor(max: number) {
    this.#max = max;
  }

  /** Permits that are taken and not given back. */
  get used(): number {
    return this.#used;
  }

  /** True: a permit is taken, to be given back by `release`. */
  tryAcquire(): boolean {
    if (this.#used >= this.#max) return false;
    this.#used += 1;
    return true;
  }

  /** True once a permit is taken; false when the signal aborts first. Without one it waits on. */
  acquire(signal?: AbortSignal): Promise<boolean> {
    if (this.tryAcquire()) return Promise.resolve(true);
    if (signal?.aborted) return Promise.resolve(false);
    return new Promise((resolve) => {
      const take = () => {
        signal?.removeEventListener('abort', giveUp);
        resolve(this.tryAcquire());
      };
      const giveUp = () => {
        this.#waiting.delete(take);
        resolve(false);
      };
      this.#waiting.add(take);
      signal?.addEventListener('abort', giveUp, { once: true });
    });
  }

  /**
   * Calls back once, later, when a permit is free; it is not taken yet. The same function waits once
   * only, and one that takes no permit leaves it to the next.
   */
  whenFree(callback: () => void): void {
    this.#waiting.add(callback);
  }

  /** Gives one permit back, and calls those that wait for as long as one is free. */
  release(): void {
    this.#used -= 1;
    // Those that begin to wait while they are called wait for the next release.
    for (const callback of [...this.#waiting]) {
      if (this.#used >= this.#max) return;
      this.#waiting.delete(callback);
      callback();
    }
  }
}

/** What `KeyedSemaphore.run` answers when no permit was free in time. */
export const busy = Symbol('busy');

/**
 * A semaphore a key, so that one source that answers slowly cannot hold everything.
 *
 * ```ts
 * const sources = new KeyedSemaphore(2, () => AbortSignal.timeout(2_000));
 * const answer = await sources.run(id, () => read(id));
 * if (answer === busy) return retryLater();
 * ```
 */
export class KeyedSemaphore {
  readonly #max: number;
  readonly #giveUp: (() => AbortSignal) | undefined;
  readonly #semaphores = new Map<string, Semaphore>();

  /** `max`: permits of each key. `giveUp`: a signal for each that waits, to end its wait. */
  constructor(max: number, giveUp?: () => AbortSignal) {
    this.#max = max;
    this.#giveUp = giveUp;
  }

  /**
   * Does the work under a permit of its key; `busy` when none was free before `giveUp` aborted, or
   * in time. Rejects as `work` does.
   */
  async run<Result>(
    key: string,
    work: () => Promise<Result>,
    giveUp?: AbortSignal,
  ): Promise<Result | typeof busy> {
    const semaphore = this.#semaphores.get(key) ?? new Semaphore(this.#max);
    this.#semaphores.set(key, semaphore);
    const hasPermit =
      semaphore.tryAcquire() || (await semaphore.acquire(giveUp ?? this.#giveUp?.()));
    if (!hasPermit) return busy;
    try {
      return await work();
    } finally {
      semaphore.release();
      if (semaphore.used === 0) this.#semaphores.delete(key);
    }
  }
}
