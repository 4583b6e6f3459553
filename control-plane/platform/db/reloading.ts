/**
 * Keeps what a process holds of a table in step with it: it is loaded again after each notification of
 * a channel, usually within milliseconds, and every five seconds in case one was lost.
 *
 * ```ts
 * const reloading = await startReloading({ db, log, channel, what: 'the suspended tenants', load });
 * await reloading.reload(); // what had committed before is known now
 * ```
 */
import { SingleFlight } from '@drawbridge/concurrency/single-flight.ts';
import type { Log } from '../log/log.ts';
import type { Db } from './database.ts';

/** What is loaded again and again; `close` ends it. */
export interface Reloading {
  /** Loads it now; what had committed before the call is known when it resolves. Rejects as `load`. */
  reload(): Promise<void>;
  close(): Promise<void>;
}

interface ReloadingOptions {
  readonly db: Pick<Db, 'listen'>;
  readonly log: Pick<Log, 'warn'>;
  readonly channel: string;
  /** For the log, where loading failed. */
  readonly what: string;
  /** Never runs twice at the same time, so that nothing older takes the place of what is newer. */
  readonly load: () => Promise<void>;
}

const reloadMs = 5_000;

/** Rejects when the database cannot be listened to; what is loaded first is the caller's. */
export async function startReloading(options: ReloadingOptions): Promise<Reloading> {
  const { db, log, channel, what, load } = options;
  const loads = new SingleFlight<void>();
  const reload = () => loads.fresh('', load);
  const tryReload = () =>
    void reload().catch((err: unknown) => {
      log.warn({ err }, `${what} were not read; this will be retried`);
    });
  const listening = await db.listen(channel, tryReload);
  const timer = setInterval(tryReload, reloadMs);
  return {
    reload,
    close: async () => {
      clearInterval(timer);
      await listening.stop();
    },
  };
}
