/** One accepted message; every message has an entry, so it is small. */
export interface Entry {
  readonly id: string;
  readonly at: string;
  /** Digits, or the network's id. */
  readonly to: string;
  /** The sender's own id, where it gave one. */
  readonly reference?: string;
  /** The connection was cut after the message was accepted: the sender never got its id. */
  readonly isAnswerLost?: true;
}

/** The numbers that a test compares with its own. */
export interface LogCounts {
  readonly accepted: number;
  readonly refused: number;
  readonly answersLost: number;
  /** Different references among the accepted messages. */
  readonly references: number;
  /** Messages beyond the first with the same reference: each was sent twice. */
  readonly doubled: number;
  /** Refusals by the provider's code. */
  readonly refusals: Readonly<Record<string, number>>;
  /** Reports sent, by the provider's word. */
  readonly reports: Readonly<Record<string, number>>;
}

/** Entries kept: more than any test makes, and a limit for a sandbox that runs for ever. */
const entriesMax = 2_000_000;
const forgottenAtOnce = 200_000;

/** Every accepted message, in order, and counts of everything else. */
export class MessageLog {
  readonly #entriesMax: number;
  readonly #entries: Entry[] = [];
  readonly #references = new Set<string>();
  /** How many of the oldest entries were dropped. */
  #forgotten = 0;
  #distinct = 0;
  readonly #refusals: Record<string, number> = {};
  readonly #reports: Record<string, number> = {};
  #doubled = 0;
  #answersLost = 0;

  constructor(max = entriesMax) {
    this.#entriesMax = max;
  }

  add(entry: Entry): void {
    this.#entries.push(entry);
    if (this.#entries.length > this.#entriesMax) this.#forget();
    if (entry.isAnswerLost === true) this.#answersLost += 1;
    const { reference } = entry;
    if (reference === undefined) return;
    if (this.#references.has(reference)) this.#doubled += 1;
    else {
      this.#references.add(reference);
      this.#distinct += 1;
    }
  }

  #forget(): void {
    const count = Math.min(forgottenAtOnce, Math.ceil(this.#entriesMax / 2));
    this.#forgotten += count;
    for (const { reference } of this.#entries.splice(0, count)) {
      if (reference !== undefined) this.#references.delete(reference);
    }
  }

  refused(code: string): void {
    this.#refusals[code] = (this.#refusals[code] ?? 0) + 1;
  }

  reported(word: string): void {
    this.#reports[word] = (this.#reports[word] ?? 0) + 1;
  }

  /** Lines of JSON with `n` counted from 1: the entries after `after`, at most `limit`. */
  *lines(after: number, limit: number): Iterable<string> {
    const first = Math.max(after, this.#forgotten);
    const end = Math.min(this.#forgotten + this.#entries.length, first + limit);
    for (let at = first; at < end; at += 1) {
      yield JSON.stringify({ n: at + 1, ...this.#entries[at - this.#forgotten] });
    }
  }

  counts(): LogCounts {
    return {
      accepted: this.#forgotten + this.#entries.length,
      refused: Object.values(this.#refusals).reduce((sum, each) => sum + each, 0),
      answersLost: this.#answersLost,
      references: this.#distinct,
      doubled: this.#doubled,
      refusals: { ...this.#refusals },
      reports: { ...this.#reports },
    };
  }
}
