import type { Log } from '../log/log.ts';
import type { Db } from './database.ts';

/** Notifies nodes of changes on one channel. */
export interface Notifier {
  /** Notifies all nodes that listen, this one too, within a few milliseconds; each payload once. */
  notify(payload: string): void;
  /** Stops; payloads that were not sent yet are dropped. */
  close(): void;
}

/**
 * NOTIFY takes a lock that all commits of the server share, so one statement sends many payloads.
 */
const intervalMs = 20;

/**
 * Sends NOTIFY on a channel of `db.listen`, at most once in 20 ms. Only for hints: a lost one is
 * logged and not sent again, so listeners must also look by themselves at intervals.
 *
 * ```ts
 * const queues = openNotifier(db, log, 'job');
 * tx.afterCommit(() => queues.notify('invoice'));
 * ```
 */
export function openNotifier(db: Db, log: Log, channel: string): Notifier {
  const payloads = new Set<string>();
  let timer: NodeJS.Timeout | undefined;

  async function send(): Promise<void> {
    timer = undefined;
    const all = [...payloads];
    payloads.clear();
    await db
      .system((tx) =>
        tx.rows('select pg_notify($1, payload) from unnest($2::text[]) as p (payload)', [
          channel,
          all,
        ]),
      )
      .catch((err: unknown) => log.warn({ err, channel }, 'other nodes were not notified'));
  }

  return {
    notify: (payload) => {
      payloads.add(payload);
      timer ??= setTimeout(send, intervalMs);
    },
    close: () => clearTimeout(timer),
  };
}
