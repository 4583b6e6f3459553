import { FairQueue } from '@drawbridge/concurrency/fair-queue.ts';

/**
 * Spreads work of some milliseconds over the turns of the event loop: one piece in each, tenants in
 * turn. However many pieces come at once, all else is looked at in between.
 *
 * ```ts
 * const turns = new LoopTurns();
 * await turns.next(tenantId);
 * parse(body);
 * ```
 */
export class LoopTurns {
  readonly #waiting = new FairQueue<() => void>();
  #isScheduled = false;

  /** Resolves in a turn of its own, in which the caller's work is then done. */
  next(tenantId: string): Promise<void> {
    return new Promise((go) => {
      this.#waiting.push(tenantId, go);
      if (!this.#isScheduled) this.#schedule();
    });
  }

  #schedule(): void {
    this.#isScheduled = true;
    setImmediate(() => {
      const go = this.#waiting.shift();
      this.#isScheduled = go !== undefined;
      if (go === undefined) return;
      go();
      this.#schedule();
    });
  }
}
