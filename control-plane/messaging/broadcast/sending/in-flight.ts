/** The batches of a broadcast that are under way at the same time. */

/** Why a broadcast cannot go on. */
export interface Halt {
  readonly reason: string;
  readonly detail: string | null;
}

/**
 * With this many batches the provider or the database is slower than the rate; more would only
 * wait.
 */
const batchesMax = 64;
const messagesMax = 4_000;

/** Tracks the batches, and the first reason to stop that one of them finds. */
export class InFlightBatches {
  readonly #batches = new Set<Promise<void>>();
  #messages = 0;
  #failure: { readonly error: unknown } | undefined;
  /** Set by the first batch with a reason to stop. */
  halt: Halt | undefined;

  get isFull(): boolean {
    return this.#batches.size >= batchesMax || this.#messages >= messagesMax;
  }

  get isEmpty(): boolean {
    return this.#batches.size === 0;
  }

  /** A batch threw: no other may start, and `allSettled` throws. */
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

  /** Resolves when one batch has ended. */
  async oneSettled(): Promise<void> {
    await Promise.race(this.#batches);
  }

  /** Resolves when all batches have ended; throws what the first failed batch threw. */
  async allSettled(): Promise<void> {
    while (this.#batches.size > 0) await Promise.all(this.#batches);
    if (this.#failure !== undefined) throw this.#failure.error;
  }
}
