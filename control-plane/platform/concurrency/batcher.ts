import { withoutSpans } from '../tracing/active-spans.ts';
import { portions } from './portions.ts';

/** How items are written together. */
export interface BatcherOptions<Item, Result> {
  /** Returns a result for each item, in their order; when it throws it has written none of them. */
  write(items: readonly Item[]): Promise<readonly Result[]>;
  /** The most items of one batch. */
  readonly batchMax: number;
  /** Of how much in all; an item that is larger goes alone. Default: no bound. */
  readonly sizes?: { readonly of: (item: Item) => number; readonly max: number };
  /**
   * How long the first item of a series waits for others, in milliseconds. Default: only until the
   * items added in the same turn of the event loop are there.
   */
  readonly gatherMs?: number;
  /**
   * True for an error that no item caused, such as an unreachable database: then all items fail
   * with it at once. After any other error each item is tried once more, alone. Default: never
   * true.
   */
  isSharedError?(error: unknown): boolean;
}

/**
 * Gathers single items into batches: items that are added while a batch of their key is being
 * written go in the next one, so that one commit serves many. Items of a key are written in order,
 * one batch at a time; keys do not wait for each other.
 *
 * ```ts
 * const invoices = new Batcher({ write: (items) => insertAll(items), batchMax: 200 });
 * const id = await invoices.add(tenantId, invoice); // resolves once it is written
 * await invoices.drain();
 * ```
 */
export class Batcher<Item, Result> {
  readonly #options: BatcherOptions<Item, Result>;
  readonly #pending = new Map<string, Pending<Item, Result>[]>();
  readonly #draining = new Map<string, Promise<void>>();

  constructor(options: BatcherOptions<Item, Result>) {
    this.#options = options;
  }

  /**
   * Resolves with the item's result when its batch is written. When an item cannot be written only
   * its promise rejects; the rest of the batch is written without it.
   */
  add(key: string, item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      const queue = this.#pending.get(key) ?? [];
      queue.push({ item, resolve, reject });
      if (this.#pending.has(key)) return;
      this.#pending.set(key, queue);
      // What is written together belongs to no one's trace, unless `write` says so.
      this.#draining.set(
        key,
        withoutSpans(() => this.#drain(key, queue)),
      );
    });
  }

  /** Resolves when all items added so far are written or have failed. */
  async drain(): Promise<void> {
    await Promise.all(this.#draining.values());
  }

  async #drain(key: string, queue: Pending<Item, Result>[]): Promise<void> {
    const { gatherMs } = this.#options;
    // Items added in the same turn of the event loop go in the same batch.
    await new Promise((next) => {
      if (gatherMs === undefined) setImmediate(next);
      else setTimeout(next, gatherMs);
    });
    while (queue.length > 0) await this.#settle(queue.splice(0, this.#countOfNext(queue)));
    this.#pending.delete(key);
    this.#draining.delete(key);
  }

  #countOfNext(queue: readonly Pending<Item, Result>[]): number {
    const { batchMax, sizes } = this.#options;
    if (sizes === undefined) return batchMax;
    const next = queue.slice(0, batchMax);
    const [first = []] = portions(next, ({ item }) => sizes.of(item), sizes.max);
    return first.length;
  }

  async #settle(batch: readonly Pending<Item, Result>[]): Promise<void> {
    const { write, isSharedError } = this.#options;
    try {
      const results = await write(batch.map(({ item }) => item));
      for (const [at, { resolve }] of batch.entries()) resolve(results[at]!);
    } catch (error) {
      if (batch.length === 1 || isSharedError?.(error)) {
        for (const { reject } of batch) reject(error);
        return;
      }
      // Concurrently, so that a cause that fails all of them, such as a timeout, is waited for
      // once.
      await Promise.all(batch.map((each) => this.#settle([each])));
    }
  }
}

interface Pending<Item, Result> {
  readonly item: Item;
  resolve(result: Result): void;
  reject(error: unknown): void;
}
