import type { Db } from '../../platform/db/database.ts';
import type { Listening } from '../../platform/db/listen.ts';
import type { Tx } from '../../platform/db/tx.ts';

const channel = 'invoice_verdict';
/** NOTIFY carries at most 8,000 bytes. */
const idsPerNotice = 200;
/** Invoices waited for on one node at the same time. */
const waitingMax = 20_000;

/** Tells every node, once the transaction commits, that these invoices have their verdict. */
export async function announceVerdicts(tx: Tx, ids: readonly string[]): Promise<void> {
  for (let at = 0; at < ids.length; at += idsPerNotice) {
    await tx.run('select pg_notify($1, $2)', [channel, ids.slice(at, at + idsPerNotice).join()]);
  }
}

/** Requests that wait for a verdict: a wait holds a timer and nothing else. */
export class Verdicts {
  readonly #waiting = new Map<string, Set<() => void>>();
  readonly #db: Db;
  #listening: Listening | undefined;

  constructor(db: Db) {
    this.#db = db;
  }

  async start(): Promise<void> {
    this.#listening = await this.#db.listen(channel, (payload) => {
      // After a lost connection some may have been missed: all look for themselves.
      const ids = payload === '' ? [...this.#waiting.keys()] : payload.split(',');
      for (const id of ids) for (const wake of this.#waiting.get(id) ?? []) wake();
    });
  }

  async stop(): Promise<void> {
    await this.#listening?.stop();
    for (const wakes of this.#waiting.values()) for (const wake of wakes) wake();
  }

  /**
   * Begins to listen at once, so that a verdict between accepting and waiting is not missed, until
   * `end`. When very many wait already, this one does not: its caller is answered as things stand.
   */
  open(id: string): Waiting {
    const awoken = Promise.withResolvers<void>();
    const wakes = this.#waiting.get(id) ?? new Set();
    this.#waiting.set(id, wakes.add(awoken.resolve));
    const isCrowded = this.#waiting.size > waitingMax;
    return {
      wait: async (milliseconds, signal) => {
        if (isCrowded || signal.aborted) return;
        const timer = setTimeout(awoken.resolve, milliseconds);
        signal.addEventListener('abort', () => awoken.resolve(), { once: true });
        await awoken.promise;
        clearTimeout(timer);
      },
      end: () => {
        wakes.delete(awoken.resolve);
        if (wakes.size === 0 && this.#waiting.get(id) === wakes) this.#waiting.delete(id);
      },
    };
  }
}

/** One request's wait. */
export interface Waiting {
  /** Resolves with the verdict, when the time is over, or when the signal aborts. */
  wait(milliseconds: number, signal: AbortSignal): Promise<void>;
  end(): void;
}
