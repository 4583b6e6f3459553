import type { Db } from '../../platform/db/database.ts';
import type { Listening } from '../../platform/db/listen.ts';
import type { Tx } from '../../platform/db/tx.ts';

const channel = 'invoice_verdict';
/** NOTIFY carries at most 8,000 bytes. */
const idsPerNotification = 200;
/** The most invoices that requests on one node wait for at the same time. */
const waitingMax = 20_000;

/**
 * Notifies every node, once the transaction commits, that these invoices have their verdict. Who is not
 * notified is answered without it when the wait is over.
 */
export function announceVerdicts(tx: Tx, ids: readonly string[]): void {
  for (let at = 0; at < ids.length; at += idsPerNotification) {
    tx.notify(channel, ids.slice(at, at + idsPerNotification).join());
  }
}

/** Requests that wait for a verdict: a wait holds a timer and nothing else. */
export class VerdictListener {
  readonly #waiting = new Map<string, Set<() => void>>();
  readonly #db: Db;
  #listening: Listening | undefined;
  #isStopped = false;

  constructor(db: Db) {
    this.#db = db;
  }

  async start(): Promise<void> {
    this.#listening = await this.#db.listen(channel, (payload) => {
      // After a lost connection notifications may have been missed, so every wait ends and looks.
      const ids = payload === '' ? [...this.#waiting.keys()] : payload.split(',');
      for (const id of ids) for (const wake of this.#waiting.get(id) ?? []) wake();
    });
  }

  /** Ends all waits, present and future. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#listening?.stop();
    for (const wakes of this.#waiting.values()) for (const wake of wakes) wake();
  }

  /**
   * Listens while `work` is done. When too many wait already, or it was stopped, its wait ends at once and
   * its caller is answered without the verdict.
   */
  async listen<Result>(id: string, work: (verdict: AwaitedVerdict) => Promise<Result>) {
    const awoken = Promise.withResolvers<void>();
    const wakes = this.#waiting.get(id) ?? new Set();
    this.#waiting.set(id, wakes.add(awoken.resolve));
    const isRefused = this.#isStopped || this.#waiting.size > waitingMax;
    const wait = async (milliseconds: number, signal: AbortSignal): Promise<void> => {
      if (isRefused || signal.aborted) return;
      const timer = setTimeout(awoken.resolve, milliseconds);
      signal.addEventListener('abort', () => awoken.resolve(), { once: true });
      await awoken.promise;
      clearTimeout(timer);
    };
    try {
      return await work({ wait });
    } finally {
      wakes.delete(awoken.resolve);
      if (wakes.size === 0 && this.#waiting.get(id) === wakes) this.#waiting.delete(id);
    }
  }
}

/** What one request waits for. */
export interface AwaitedVerdict {
  /** Resolves with the verdict, also one since it is listened for, when the time is over, or when the signal aborts. */
  wait(milliseconds: number, signal: AbortSignal): Promise<void>;
}
