/**
 * Writes together what comes one by one: whatever arrives while a lot of its key is being written
 * goes in the next, so the disk is asked once for many. Each is answered when its lot is written.
 */
export class Gathered<Item, Result> {
  readonly #write: (items: readonly Item[]) => Promise<readonly Result[]>;
  readonly #lotMax: number;
  readonly #waiting = new Map<string, Waiting<Item, Result>[]>();

  /** `write` answers a result for each item, in their order, or throws and has written none. */
  constructor(write: (items: readonly Item[]) => Promise<readonly Result[]>, lotMax: number) {
    this.#write = write;
    this.#lotMax = lotMax;
  }

  put(key: string, item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      const queue = this.#waiting.get(key) ?? [];
      queue.push({ item, resolve, reject });
      if (this.#waiting.has(key)) return;
      this.#waiting.set(key, queue);
      void this.#drain(key, queue);
    });
  }

  async #drain(key: string, queue: Waiting<Item, Result>[]): Promise<void> {
    await new Promise(setImmediate); // what came with the first goes with it
    while (queue.length > 0) await this.#settle(queue.splice(0, this.#lotMax));
    this.#waiting.delete(key);
  }

  async #settle(lot: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.#write(lot.map(({ item }) => item));
      for (const [at, { resolve }] of lot.entries()) resolve(results[at]!);
    } catch (error) {
      if (lot.length === 1) return lot[0]!.reject(error);
      // One that cannot be written must not fail the others. All at once: what fails each of them,
      // as a database that is away, is not waited for over and over.
      await Promise.all(lot.map((each) => this.#settle([each])));
    }
  }
}

interface Waiting<Item, Result> {
  readonly item: Item;
  resolve(result: Result): void;
  reject(error: unknown): void;
}
