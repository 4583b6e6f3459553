import type { ConfirmedSource, SourceReconciled } from '@drawbridge/link/documents.ts';
import type { Topic } from '@drawbridge/link/topics.ts';
import type Database from 'better-sqlite3';
import type { ListedDocument } from './listed-document.ts';
import { createSetAsideChanges, type UnreadDocument } from './set-aside.ts';

/** A document that was read. */
export interface ReadDocument extends ListedDocument {
  /** SHA-256 of its content, hexadecimal. */
  readonly hash: string;
}

/** Documents that go to the control plane together. */
export interface DocumentBatch {
  /** Of the event, known over all sessions. */
  readonly id: string;
  readonly refs: readonly string[];
  /** As `packDocuments` made it. */
  readonly content: Buffer;
}

/** One step of reading: all of it is on disk, or nothing. */
export interface Advance {
  readonly connector: string;
  /** Where the step began; when the cursor is elsewhere by now nothing is done. */
  readonly from: string | undefined;
  readonly to: string;
  /** When the source was asked, as its answer can hold nothing younger. */
  readonly readAt: Date;
  readonly documents: readonly ReadDocument[];
  readonly batches: readonly DocumentBatch[];
  /** Those that could not be read: they are set aside. */
  readonly unread?: readonly UnreadDocument[];
  /** Refs of those that have gone since they were listed. */
  readonly gone?: readonly string[];
}

/** A source as `cursor show` tells of it. */
interface SourceState {
  readonly connector: string;
  readonly position: string;
  readonly moved_at: string;
  /** Batches queued so far, and the last one that the control plane has stored. */
  readonly sequence: number;
  readonly confirmed: number;
  /** Documents of which the agent knows version and content. */
  readonly documents: number;
}

/** What the last comparison of a source with what was seen of it came to. */
type Reconciliation = Omit<SourceReconciled, 'examples'>;

/** A document in which source and agent differed. */
interface Finding {
  readonly connector: string;
  readonly kind: SourceReconciled['examples'][number]['kind'];
  readonly ref: string;
  readonly found_at: string;
}

/** What the agent knows of its sources; every method that writes has committed when it returns. */
export interface SourceStore {
  /** Undefined at the beginning. */
  cursor(connector: string): string | undefined;
  /**
   * How often reading began again further back than a step back: whatever a source remembers of what it
   * listed is void then.
   */
  rewinds(connector: string): number;
  /** Whether the source was ever read from this queue, or adopted. */
  isKnown(connector: string): boolean;
  /**
   * Goes back to where the cursor stood before `readAt`, or that many documents ago when that is less: so
   * what was committed late is listed again.
   */
  stepBack(connector: string, readAt: Date, documentsMax: number): void;
  /**
   * Moves the cursor to where it stood at that time or before; to the beginning when that is not known.
   * With `sendAgain` also what has not changed is sent again. False when the connector was never read.
   */
  rewind(
    connector: string,
    readAt: Date | undefined,
    options?: { readonly sendAgain?: boolean },
  ): boolean;
  /** The hashes of those of these documents that were read before. */
  hashes(connector: string, refs: readonly string[]): ReadonlyMap<string, string>;
  /** Queues the batches, notes the documents and moves the cursor; false when it has moved meanwhile. */
  advance(step: Advance): boolean;
  /**
   * Goes on from what the control plane has stored: where a source is not known here, and where less is
   * stored than was confirmed, as after a backup. Returns the connectors of the latter.
   */
  resume(sources: readonly ConfirmedSource[]): readonly string[];
  sources(): readonly SourceState[];
  /** Forgets what was read of a source: one of the same name begins anew. */
  forgetSource(connector: string): void;
  /** Those of these documents that were never read, and those that had another version then. */
  unseen(connector: string, documents: readonly ListedDocument[]): UnseenDocuments;
  /** Begins a comparison with the whole source; `note` is told every document that it has. */
  compare(connector: string): Comparison;
  /** Whether the agent has seen every document of this source, so that an unknown one is a finding. */
  knowsAll(connector: string): boolean;
  /** Stores what a comparison came to, forgets deleted documents, and queues the report. */
  reconciled(outcome: SourceReconciled, deleted: readonly string[], reportId: string): void;
  reconciliations(): readonly Reconciliation[];
  findings(connector: string, max: number): readonly Finding[];
}

/** Those of some documents that the agent has not read as the source lists them. */
export interface UnseenDocuments {
  readonly unknown: readonly ListedDocument[];
  readonly changed: readonly ListedDocument[];
}

/** The documents of a source, gathered outside of the queue's file. */
interface Comparison {
  note(refs: readonly string[]): void;
  /** At most `max` documents that were read before `since` and that the source does not have. */
  missing(since: Date, max: number): readonly string[];
  end(): void;
}

/** Positions kept of each connector: a rewind by time reaches as far. */
const positionsMax = 1_000;
/** Positions are kept no closer to each other than this many milliseconds. */
const positionGapMs = 30_000;
/** Findings kept of each connector. */
const findingsMax = 10_000;

export function sourceStore(database: Database.Database, now: () => string): SourceStore {
  return {
    ...cursors(database, now),
    ...documents(database),
    ...comparisons(database),
    ...reconciliations(database, now),
    ...forgetting(database, now),
  };
}

function forgetting(
  database: Database.Database,
  now: () => string,
): Pick<SourceStore, 'forgetSource'> {
  // Its row stays: else the position that the control plane knows would be taken, and batches be numbered again.
  const begin = database.prepare(
    `update cursor set position = '', moved_at = ?, listed = 0, knows_all = 1, rewinds = rewinds + 1
     where connector = ?`,
  );
  const removals = ['position', 'document', 'reconciliation', 'finding', 'set_aside'].map((table) =>
    database.prepare(`delete from ${table} where connector = ?`),
  );
  return {
    forgetSource: database.transaction((connector: string) => {
      begin.run(now(), connector);
      for (const removal of removals) removal.run(connector);
    }),
  };
}

type Cursors = Pick<
  SourceStore,
  'cursor' | 'rewinds' | 'isKnown' | 'stepBack' | 'rewind' | 'advance' | 'resume' | 'sources'
>;

function cursors(database: Database.Database, now: () => string): Cursors {
  const read = database.prepare('select position from cursor where connector = ?').pluck();
  const readAll = database.prepare(
    `select connector, position, moved_at, sequence, confirmed,
            (select count(*) from document where document.connector = cursor.connector) as documents
     from cursor order by connector`,
  );
  const move = database.prepare(
    `insert into cursor (connector, position, moved_at, sequence, listed, knows_all)
     values (@connector, @to, @at, @batches, @listed, 1)
     on conflict (connector) do update
     set position = excluded.position, moved_at = excluded.moved_at,
         sequence = sequence + @batches, listed = listed + @listed
     returning sequence, listed`,
  );
  const set = database.prepare('update cursor set position = ?, moved_at = ? where connector = ?');
  const goBack = database.prepare(
    'update cursor set position = ?, moved_at = ?, rewinds = rewinds + 1 where connector = ?',
  );
  const rewinds = database.prepare('select rewinds from cursor where connector = ?').pluck();
  const setAside = createSetAsideChanges(database, now);
  const removeAfter = database.prepare('delete from position where connector = ? and read_at > ?');
  const earlier = database
    .prepare(
      `select position from position
       where connector = @connector and (read_at <= @readAt or listed <= @listed)
       order by listed desc limit 1`,
    )
    .pluck();
  const current = database.prepare(
    'select listed, position, moved_at from cursor where connector = ?',
  );
  const lastPosition = database.prepare(
    'select listed, read_at from position where connector = ? order by listed desc limit 1',
  );
  // A later time than that of now is of a clock that was set back since.
  const keepPosition = database.prepare(
    `insert into position (connector, listed, position, read_at) values (?, ?, ?, ?)
     on conflict (connector, listed) do update
     set position = excluded.position, read_at = excluded.read_at
     where position <> excluded.position or read_at > excluded.read_at`,
  );
  const prunePositions = database.prepare(
    `delete from position where connector = @connector and listed <=
       (select listed from position where connector = @connector
        order by listed desc limit 1 offset ${positionsMax})`,
  );
  const queueId = database.prepare('select id from queue').pluck();
  const queueBatch = database.prepare(
    `insert into outbox (id, topic, body, created_at, connector, sequence, documents, bytes, content)
     values (@id, @topic, @body, @at, @connector, @sequence, @documents, @bytes, @content)`,
  );
  const note = database.prepare(
    `insert into document (connector, ref, version, hash, sequence, read_at) values (?, ?, ?, ?, ?, ?)
     on conflict (connector, ref) do update
     set version = excluded.version, read_at = excluded.read_at, hash = excluded.hash,
         sequence = iif(hash = excluded.hash, sequence, excluded.sequence)`,
  );
  const unconfirm = database.prepare('update cursor set confirmed = ? where connector = ?');
  const forgetHashes = database.prepare(
    `update document set hash = '' where connector = ? and sequence > ?`,
  );
  const adopt = database.prepare(
    `insert into cursor (connector, position, moved_at) values (?, ?, ?)
     on conflict (connector) do nothing`,
  );
  // Empty: it was wound back to the beginning.
  const cursor = (connector: string) => (read.get(connector) as string | undefined) || undefined;

  /** Where reading may begin again so that it meets what was there at that time. */
  function positionAt(connector: string, readAt: Date, listed: number): string | undefined {
    const bounds = { connector, readAt: readAt.toISOString(), listed };
    return earlier.get(bounds) as string | undefined;
  }

  function keep({ connector, to, readAt }: Advance, listed: number): void {
    const last = lastPosition.get(connector) as { listed: number; read_at: string } | undefined;
    // Many documents within a short time need a place to go back to as well.
    if (last !== undefined && listed - last.listed < positionsApartMax) {
      const gapMs = readAt.getTime() - Date.parse(last.read_at);
      if (gapMs >= 0 && gapMs < positionGapMs) return;
    }
    keepPosition.run(connector, listed, to, readAt.toISOString());
    prunePositions.run({ connector });
  }

  return {
    cursor,
    rewinds: (connector) => (rewinds.get(connector) as number | undefined) ?? 0,
    isKnown: (connector) => read.get(connector) !== undefined,
    sources: () => readAll.all() as SourceState[],
    stepBack: database.transaction((connector: string, readAt: Date, documentsMax: number) => {
      const here = current.get(connector) as
        | { listed: number; position: string; moved_at: string }
        | undefined;
      if (here === undefined) return;
      const { listed, position: from, moved_at: movedAt } = here;
      keepPosition.run(connector, listed, from, movedAt);
      const to = positionAt(connector, readAt, listed - documentsMax);
      if (to !== undefined && to !== from) set.run(to, now(), connector);
    }),
    rewind: database.transaction((connector, readAt, { sendAgain = false } = {}) => {
      const position = readAt && positionAt(connector, readAt, -1);
      goBack.run(position ?? '', now(), connector);
      // Going back a little later must not lead forward again.
      removeAfter.run(connector, readAt?.toISOString() ?? '');
      if (sendAgain) forgetHashes.run(connector, -1);
      return read.get(connector) !== undefined;
    }) as SourceStore['rewind'],
    advance: database.transaction((step: Advance) => {
      const { connector, from, to, batches, unread = [], gone = [] } = step;
      if (cursor(connector) !== from) return false;
      const at = now();
      const moved = move.get({
        connector,
        to,
        at,
        batches: batches.length,
        listed: batches.reduce((sum, batch) => sum + batch.refs.length, 0),
      }) as { sequence: number; listed: number };
      const queue = queueId.get() as string;
      for (const [index, batch] of batches.entries()) {
        const sequence = moved.sequence - batches.length + 1 + index;
        const isLast = index === batches.length - 1;
        // Until the last batch is stored a lost queue begins again where this step began.
        const reached = isLast ? to : (from ?? '');
        const body = { connector, queue, sequence, cursor: reached, refs: batch.refs };
        const text = JSON.stringify(body);
        queueBatch.run({
          id: batch.id,
          topic: 'documents.read' satisfies Topic,
          body: text,
          at,
          connector,
          sequence,
          documents: batch.refs.length,
          bytes: text.length + batch.content.length,
          content: batch.content,
        });
      }
      for (const { ref, version, hash } of step.documents) {
        note.run(connector, ref, version, hash, moved.sequence, at);
      }
      setAside.remove(connector, [...step.documents.map(({ ref }) => ref), ...gone]);
      setAside.add(connector, unread);
      if (from === undefined) keepPosition.run(connector, 0, '', '');
      keep(step, moved.listed);
      return true;
    }),
    resume: database.transaction((sources: readonly ConfirmedSource[]) => {
      const lost: string[] = [];
      const queue = queueId.get();
      const known = readAll.all() as SourceState[];
      for (const source of sources) adopt.run(source.connector, source.cursor, now());
      for (const { connector, confirmed } of known) {
        const source = sources.find((one) => one.connector === connector);
        const stored = source?.queue === queue ? source!.sequence : 0;
        if (stored >= confirmed) continue;
        goBack.run(source?.cursor ?? '', now(), connector);
        unconfirm.run(stored, connector);
        forgetHashes.run(connector, stored);
        removeAfter.run(connector, '');
        lost.push(connector);
      }
      return lost;
    }),
  };
}

/** Documents after which a position is kept, however soon that is. */
const positionsApartMax = 500;

function documents(database: Database.Database): Pick<SourceStore, 'hashes' | 'unseen'> {
  const known = database.prepare(
    `select ref, hash from document
     where connector = ? and ref in (select value from json_each(?))`,
  );
  const versions = database.prepare(
    `select ref, version from document
     where connector = ? and ref in (select value from json_each(?))`,
  );
  return {
    hashes(connector, refs) {
      const rows = known.all(connector, JSON.stringify(refs)) as { ref: string; hash: string }[];
      return new Map(rows.map(({ ref, hash }) => [ref, hash]));
    },
    unseen(connector, listed) {
      const refs = JSON.stringify(listed.map(({ ref }) => ref));
      const rows = versions.all(connector, refs) as ListedDocument[];
      const seen = new Map(rows.map(({ ref, version }) => [ref, version]));
      const isKnown = ({ ref }: ListedDocument) => seen.has(ref);
      return {
        unknown: listed.filter((one) => !isKnown(one)),
        changed: listed.filter((one) => isKnown(one) && seen.get(one.ref) !== one.version),
      };
    },
  };
}

function comparisons(database: Database.Database): Pick<SourceStore, 'compare' | 'knowsAll'> {
  const knowsAll = database.prepare('select knows_all from cursor where connector = ?').pluck();
  let count = 0;
  return {
    knowsAll: (connector) => knowsAll.get(connector) === 1,
    compare(connector) {
      // A temporary table is a file of its own: a million documents touch neither queue nor memory.
      count += 1;
      const table = `temp.listed_${count}`;
      database.exec(`create table ${table} (ref text primary key) strict, without rowid`);
      const note = database.prepare(
        `insert into ${table} select value from json_each(?) where true on conflict do nothing`,
      );
      const missing = database
        .prepare(
          `select ref from document where connector = ? and read_at < ?
             and ref not in (select ref from ${table}) order by ref limit ?`,
        )
        .pluck();
      return {
        note: (refs) => void note.run(JSON.stringify(refs)),
        missing: (since, max) => missing.all(connector, since.toISOString(), max) as string[],
        end: () => void database.exec(`drop table ${table}`),
      };
    },
  };
}

type Reconciliations = Pick<SourceStore, 'reconciled' | 'reconciliations' | 'findings'>;

function reconciliations(database: Database.Database, now: () => string): Reconciliations {
  const save = database.prepare(
    `insert into reconciliation (connector, at, documents, late, edited, deleted)
     values (@connector, @at, @documents, @late, @edited, @deleted)
     on conflict (connector) do update set at = excluded.at, documents = excluded.documents,
       late = excluded.late, edited = excluded.edited, deleted = excluded.deleted`,
  );
  const complete = database.prepare('update cursor set knows_all = 1 where connector = ?');
  const add = database.prepare(
    'insert into finding (connector, kind, ref, found_at) values (?, ?, ?, ?)',
  );
  const prune = database.prepare(
    `delete from finding where connector = @connector and number <=
       (select number from finding where connector = @connector
        order by number desc limit 1 offset ${findingsMax})`,
  );
  const remove = database.prepare('delete from document where connector = ? and ref = ?');
  const queueReport = database.prepare(
    'insert into outbox (id, topic, body, created_at, connector) values (?, ?, ?, ?, ?)',
  );
  const all = database.prepare(
    'select connector, at, documents, late, edited, deleted from reconciliation order by connector',
  );
  const findings = database.prepare(
    `select connector, kind, ref, found_at from finding where connector = ?
     order by number desc limit ?`,
  );
  return {
    reconciled: database.transaction(
      (outcome: SourceReconciled, deleted: readonly string[], reportId: string) => {
        const { examples, ...counts } = outcome;
        save.run(counts);
        complete.run(outcome.connector);
        for (const { kind, ref } of examples) add.run(outcome.connector, kind, ref, now());
        prune.run({ connector: outcome.connector });
        for (const ref of deleted) remove.run(outcome.connector, ref);
        const topic: Topic = 'source.reconciled';
        queueReport.run(reportId, topic, JSON.stringify(outcome), now(), outcome.connector);
      },
    ),
    reconciliations: () => all.all() as Reconciliation[],
    findings: (connector, max) => findings.all(connector, max) as Finding[],
  };
}
