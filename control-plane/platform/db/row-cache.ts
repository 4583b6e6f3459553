/**
 * Rows by id as the database has them, each kept for `cacheMs`; a NOTIFY of an id drops its row on
 * every node. Callers who ask for one id at the same moment share a look-up.
 *
 * ```ts
 * const keys = await openRowCache({ db, clock, channel: keyChannel, find: findKey });
 * const key = await keys.find(id);
 * ```
 */
import type { Clock } from '../ids.ts';
import type { Db } from './database.ts';
import type { Tx } from './tx.ts';

/** The rows of one table that this process has read lately. */
export interface RowCache<Row> {
  /** Undefined when there is no such row. Rejects when the database does not answer. */
  find(id: string): Promise<Row | undefined>;
  /** Drops a row of this node at once, where a notification would come a moment too late. */
  forget(id: string): void;
  close(): Promise<void>;
}

export interface RowCacheOptions<Row> {
  readonly db: Db;
  readonly clock: Clock;
  /** Where the ids of changed rows are notified. */
  readonly channel: string;
  readonly find: (tx: Tx, id: string) => Promise<Row | undefined>;
}

/** Milliseconds for which a row is kept. */
export const cacheMs = 1_000;
const rowsMax = 10_000;

/** Opens a cache. Rejects when the database cannot be listened to. */
export async function openRowCache<Row>(options: RowCacheOptions<Row>): Promise<RowCache<Row>> {
  const { db, clock, channel } = options;
  const cache = new Map<string, { readonly at: number; readonly row: Promise<Row | undefined> }>();
  const listening = await db.listen(channel, (id) => {
    if (id === '')
      cache.clear(); // notifications may have been missed
    else cache.delete(id);
  });
  return {
    find: (id) => {
      const now = clock().getTime();
      const known = cache.get(id);
      if (known && now - known.at < cacheMs && now >= known.at) return known.row;
      const entry = { at: now, row: db.system((tx) => options.find(tx, id)) };
      cache.delete(id);
      cache.set(id, entry);
      // An error is not cached: the next request asks again.
      entry.row.catch(() => cache.get(id) === entry && cache.delete(id));
      if (cache.size > rowsMax) cache.delete(cache.keys().next().value!);
      return entry.row;
    },
    forget: (id) => void cache.delete(id),
    close: () => listening.stop(),
  };
}
