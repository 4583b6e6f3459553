/**
 * Runs work one after another under each key, in the order in which it was put in; keys do not wait
 * for each other. Work that fails does not hold up what comes after it.
 *
 * ```ts
 * const writes = new KeyedQueue();
 * await writes.run(path, () => append(path, line));
 * ```
 */
export class KeyedQueue {
  readonly #tails = new Map<string, Promise<void>>();
  readonly #sizes = new Map<string, number>();

  /** Resolves or rejects as `work` does, once all earlier work under the key has ended. */
  run<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const result = (this.#tails.get(key) ?? Promise.resolve()).then(work);
    this.#sizes.set(key, this.size(key) + 1);
    const ended = () => this.#ended(key);
    this.#tails.set(key, result.then(ended, ended));
    return result;
  }

  /** How much work of the key has not ended: what runs and what waits. */
  size(key: string): number {
    return this.#sizes.get(key) ?? 0;
  }

  /** Resolves when the work of the key that was put in so far has ended. Never rejects. */
  async ended(key: string): Promise<void> {
    await this.#tails.get(key);
  }

  /** Resolves when all work has ended, including work added meanwhile. Never rejects. */
  async drain(): Promise<void> {
    while (this.#tails.size > 0) await Promise.all(this.#tails.values());
  }

  #ended(key: string): void {
    const left = this.size(key) - 1;
    this.#sizes.set(key, left);
    if (left > 0) return;
    this.#sizes.delete(key);
    this.#tails.delete(key);
  }
}
