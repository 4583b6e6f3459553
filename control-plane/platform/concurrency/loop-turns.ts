import { FairQueue } from '@drawbridge/concurrency/fair-queue.ts';

/** A pause after a turn, in lengths of that turn. */
const pauseFactor = 3;
/** Shorter pauses are gathered, as no timer is finer; longer ones would starve the work. */
const pauseMs = { min: 1, max: 8 };

/**
 * Spreads work of some milliseconds over the turns of the event loop: one piece in each, tenants in
 * turn, with a pause three times as long. However many pieces come at once, all else is done in
 * between.
 *
 * ```ts
 * const turns = new LoopTurns({ stopwatch: () => performance.now() });
 * await turns.next(tenantId);
 * parse(body);
 * ```
 */
export class LoopTurns {
  readonly #waiting = new FairQueue<() => void>();
  readonly #stopwatch: () => number;
  #isScheduled = false;
  #owedMs = 0;

  /** `stopwatch`: monotonic milliseconds. */
  constructor({ stopwatch }: { readonly stopwatch: () => number }) {
    this.#stopwatch = stopwatch;
  }

  /** Resolves in a turn of its own, in which the caller's work is then done. */
  next(tenantId: string): Promise<void> {
    return new Promise((go) => {
      this.#waiting.push(tenantId, go);
      if (this.#isScheduled) return;
      this.#isScheduled = true;
      setImmediate(() => this.#run());
    });
  }

  #run(): void {
    const go = this.#waiting.shift();
    if (go === undefined) {
      this.#isScheduled = false;
      return;
    }
    const begunAtMs = this.#stopwatch();
    go();
    setImmediate(() => this.#pause(this.#stopwatch() - begunAtMs));
  }

  #pause(turnMs: number): void {
    this.#owedMs = Math.min(this.#owedMs + turnMs * pauseFactor, pauseMs.max);
    if (this.#owedMs < pauseMs.min) {
      this.#run();
      return;
    }
    setTimeout(() => this.#run(), this.#owedMs);
    this.#owedMs = 0;
  }
}
