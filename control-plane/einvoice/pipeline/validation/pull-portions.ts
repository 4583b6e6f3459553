/** Bytes of documents that are pulled together, as far as it can be known; a single one may have more. */
const bytesAtOnce = 4_000_000;
/** Documents of a source of which nothing is known yet: all of them may be as large as can be. */
const firstCount = 1;
/** Sources that are remembered, the latest. */
const sourcesMax = 10_000;

/** How many documents of a source are pulled together. */
interface PullPortion {
  readonly count: number;
  /** They are so large that a tenant has one such portion under way at a time. */
  readonly isLarge: boolean;
}

/**
 * Tells how many documents of a source may be pulled together, by the largest of those that were pulled
 * last: how large a document is shows only when it is here.
 */
export class PullPortions {
  readonly #countMax: number;
  /** Bytes of the largest document by source, the latest at the end. */
  readonly #largest = new Map<string, number>();

  /** `countMax`: documents that are pulled together when they are small. */
  constructor(countMax: number) {
    this.#countMax = countMax;
  }

  next(sourceId: string): PullPortion {
    const largest = this.#largest.get(sourceId);
    if (largest === undefined) return { count: firstCount, isLarge: false };
    const fitting = Math.floor(bytesAtOnce / Math.max(1, largest));
    const count = Math.max(1, Math.min(fitting, this.#countMax));
    return { count, isLarge: fitting < this.#countMax };
  }

  /** Remembers the largest of the documents that were pulled; `bytes` has one or more. */
  note(sourceId: string, bytes: readonly number[]): void {
    this.#largest.delete(sourceId);
    this.#largest.set(sourceId, Math.max(...bytes));
    const [oldest] = this.#largest.keys();
    if (this.#largest.size > sourcesMax && oldest !== undefined) this.#largest.delete(oldest);
  }
}
