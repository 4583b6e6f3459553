/** Batches of a broadcast that are under way at the same time. */

/** Why a broadcast cannot go on. */
export interface Halt {
  readonly reason: string;
  readonly detail: string | null;
}

/** Beyond these the provider or the database is slower than the rate, and more would only wait. */
const batchesMax = 64;
const messagesMax = 4_000;

/** Keeps track of batches, and of the first thing that any of them found to stop for. */
export class Flight {
  readonly #batches = new Set<Promise<void>>();
  #messages = 0;
  #failure: { readonly error: unknown } | undefined;
  /** Set by the first batch that says so. */
  halt: Halt | undefined;

  get isFull(): boolean {
    return this.#batches.size >= batchesMax || this.#messages >= messagesMax;
  }

  get isEmpty(): boolean {
    return this.#batches.size === 0;
  }

  /** A batch threw: nothing more may start, and `landed` throws. */
  get hasFailed(): boolean {
    return this.#failure !== undefined;
  }

  start(messages: number, batch: Promise<void>): void {
    this.#messages += messages;
    const tracked = batch
      .catch((error: unknown) => {
        this.#failure ??= { error };
      })
      .finally(() => {
        this.#messages -= messages;
        this.#batches.delete(tracked);
      });
    this.#batches.add(tracked);
  }

  /** Resolves when one of them has come down. */
  async oneLanded(): Promise<void> {
    await Promise.race(this.#batches);
  }

  /** Resolves when all have; throws what the first of them threw. */
  async landed(): Promise<void> {
    while (this.#batches.size > 0) await Promise.all(this.#batches);
    if (this.#failure !== undefined) throw this.#failure.error;
  }
}
