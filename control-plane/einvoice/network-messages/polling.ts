import { type Environment, environments } from '../../platform/auth/principal.ts';
import type { Db } from '../../platform/db/database.ts';
import type { Log } from '../../platform/log/log.ts';
import { claimPollTurn } from './store.ts';

export interface PollingContext {
  readonly db: Db;
  readonly log: Log;
}

/** What is asked for, how often over all nodes, and by whom. */
export interface Polling {
  /** For the log, in words. */
  readonly what: string;
  readonly everyMs: number;
  /** Networks by their id, each with the name of its turn, which nodes take one at a time. */
  readonly turns: Readonly<Record<string, string>>;
  ask(environment: Environment, network: string): Promise<void>;
}

/** Asks networks at intervals, in each environment, one node at a time. */
export function startPolling(
  { db, log }: PollingContext,
  { what, everyMs, turns, ask }: Polling,
): { stop(): Promise<void> } {
  async function askWhenDue(): Promise<void> {
    for (const environment of environments) {
      for (const [network, turn] of Object.entries(turns)) {
        const isOurs = await db.system((tx) => claimPollTurn(tx, environment, turn, everyMs));
        if (isOurs) await ask(environment, network);
      }
    }
  }
  let asking: Promise<void> | undefined;
  const timer = setInterval(() => {
    asking ??= askWhenDue()
      .catch((err: unknown) => log.warn({ err }, `${what} were not asked for`))
      .finally(() => {
        asking = undefined;
      });
  }, everyMs / 6);
  return {
    stop: async () => {
      clearInterval(timer);
      await asking;
    },
  };
}
