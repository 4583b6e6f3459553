import type { ListOutcome, ReadOutcome } from './contract.ts';

const knownMax = 200_000;

/**
 * Records that were listed in their state, so that those in the overlap are not listed again, unless the
 * list got lost or could not be read.
 */
export class ListedRecords {
  /** The state in which each was listed last. */
  readonly #known = new Map<string, string>();
  /** Those of a list that is not answered yet. */
  #unanswered: string[] = [];

  /** Lists; what a list finds that never becomes an answer is forgotten, and listed again. */
  async list(work: () => Promise<ListOutcome>): Promise<ListOutcome> {
    this.#forget(this.#unanswered);
    this.#unanswered = [];
    const outcome = await work();
    if (outcome.kind === 'page') this.#unanswered = [];
    return outcome;
  }

  /** Whoever lists and reads goes on from there when one could be read, and lists them anew else. */
  forgetUnread(refs: readonly string[], outcomes: readonly ReadOutcome[]): void {
    if (outcomes.every(({ kind }) => kind === 'unreachable')) this.#forget(refs);
  }

  /** Whether it is new; it is known afterwards. */
  add(ref: string, changed: string): boolean {
    if (this.#known.get(ref) === changed) return false;
    this.#known.delete(ref);
    this.#known.set(ref, changed);
    this.#unanswered.push(ref);
    if (this.#known.size > knownMax) this.#known.delete(this.#known.keys().next().value ?? '');
    return true;
  }

  clear(): void {
    this.#known.clear();
  }

  #forget(refs: readonly string[]): void {
    for (const ref of refs) this.#known.delete(ref);
  }
}
