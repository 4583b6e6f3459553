import type Database from 'better-sqlite3';
import type { ListedDocument } from './listed-document.ts';

/** A document that could not be read while others of its source could. */
export interface UnreadDocument extends ListedDocument {
  /** Why, as a sentence. */
  readonly detail: string;
}

/** A document that was set aside: it is read later, and holds up no other. */
interface SetAside {
  readonly connector: string;
  readonly ref: string;
  readonly detail: string;
  readonly since: string;
  readonly next_at: string;
}

/** Documents that were set aside; they are added and removed as the cursor moves. */
export interface SetAsideStore {
  /** All of them, or those of one source; the oldest first, at most `limit`. */
  setAside(connector?: string, limit?: number): readonly SetAside[];
  /** How many there are, by source. */
  setAsideCounts(): ReadonlyMap<string, number>;
  /** Those whose time has come, the longest due first. */
  dueSetAside(connector: string, limit: number): readonly ListedDocument[];
  /** Those of these that wait for their time in the version that is listed. */
  restingSetAside(connector: string, documents: readonly ListedDocument[]): ReadonlySet<string>;
  /** Has those of one source, or all, read in the next round; returns their sources. */
  retrySetAside(connector?: string): readonly string[];
}

/** What was set aside of each source, for a person. */
export function setAsideTexts(
  store: Pick<SetAsideStore, 'setAside' | 'setAsideCounts'>,
): ReadonlyMap<string, string> {
  const texts = [...store.setAsideCounts()].map(([connector, count]) => {
    const [first] = store.setAside(connector, 1);
    const which = count === 1 ? '1 document' : `${count} documents, the first of them`;
    return [connector, `${which}: ${first?.ref}: ${first?.detail}`] as const;
  });
  return new Map(texts);
}

/** Seconds to wait after each failure; then by the last of them. */
const retrySchedule = [60, 120, 300, 600, 1_800, 3_600] as const;
const shownMax = 1_000;

function laterBy(at: string, seconds: number): string {
  return new Date(Date.parse(at) + seconds * 1_000).toISOString();
}

export function setAsideStore(database: Database.Database, now: () => string): SetAsideStore {
  const all = database.prepare(
    `select connector, ref, detail, since, next_at from set_aside
     where connector = coalesce(?, connector) order by since, connector, ref limit ?`,
  );
  const counts = database.prepare(
    'select connector, count(*) as count from set_aside group by connector',
  );
  const due = database.prepare(
    `select ref, version from set_aside
     where connector = @connector and (next_at <= @now or next_at > @latest)
     order by next_at, ref limit @limit`,
  );
  const resting = database.prepare(
    `select ref, version from set_aside
     where connector = @connector and next_at > @now and next_at <= @latest
       and ref in (select value from json_each(@refs))`,
  );
  // What was put off for longer was put off by a clock that was ahead.
  const times = () => {
    const at = now();
    return { now: at, latest: laterBy(at, retrySchedule.at(-1)!) };
  };
  const retry = database.prepare(
    'update set_aside set next_at = ? where connector = coalesce(?, connector) returning connector',
  );
  return {
    setAside: (connector, limit = shownMax) => all.all(connector ?? null, limit) as SetAside[],
    setAsideCounts() {
      const rows = counts.all() as { connector: string; count: number }[];
      return new Map(rows.map((row) => [row.connector, row.count]));
    },
    dueSetAside: (connector, limit) =>
      due.all({ connector, limit, ...times() }) as ListedDocument[],
    restingSetAside(connector, listed) {
      const refs = JSON.stringify(listed.map(({ ref }) => ref));
      const rows = resting.all({ connector, refs, ...times() }) as ListedDocument[];
      const versions = new Map(rows.map(({ ref, version }) => [ref, version]));
      // Where the source tells no versions it may have changed.
      const isResting = ({ ref, version }: ListedDocument) =>
        version !== null && versions.get(ref) === version;
      return new Set(listed.filter(isResting).map(({ ref }) => ref));
    },
    retrySetAside(connector) {
      const rows = retry.all(now(), connector ?? null) as { connector: string }[];
      return [...new Set(rows.map((row) => row.connector))];
    },
  };
}

/** Within the transaction that moves the cursor: adds what could not be read, removes what was. */
export function createSetAsideChanges(database: Database.Database, now: () => string) {
  const add = database.prepare(
    `insert into set_aside (connector, ref, version, detail, since, failures, next_at)
     values (@connector, @ref, @version, @detail, @at, 0, @at)
     on conflict (connector, ref) do update set version = excluded.version, detail = excluded.detail
     returning failures`,
  );
  const postpone = database.prepare(
    'update set_aside set failures = failures + 1, next_at = ? where connector = ? and ref = ?',
  );
  const remove = database.prepare('delete from set_aside where connector = ? and ref = ?');
  return {
    add(connector: string, documents: readonly UnreadDocument[]): void {
      const at = now();
      for (const document of documents) {
        const { failures } = add.get({ connector, ...document, at }) as { failures: number };
        const seconds = retrySchedule[Math.min(failures, retrySchedule.length - 1)]!;
        postpone.run(laterBy(at, seconds), connector, document.ref);
      }
    },
    remove(connector: string, refs: readonly string[]): void {
      for (const ref of refs) remove.run(connector, ref);
    },
  };
}
