import type Database from 'better-sqlite3';

/** One thing that waits: a write-back to be done, an event to be delivered, a document to be read again. */
interface QueueItem {
  readonly id: string;
  readonly what: 'write_back' | 'event' | 'document';
  /** The connector of a write-back or a document, the topic of an event. */
  readonly of: string;
  readonly since: string;
  readonly bytes: number;
}

/** The last write-back of a source, when it ended without being written. */
interface Refusal {
  readonly connector: string;
  readonly since: string;
  readonly detail: string;
}

/** How the queue is looked at and mended by a person; the agent may run meanwhile. */
export interface QueueListing {
  /** The oldest first; `limit` of each. */
  items(limit: number): QueueItem[];
  /** With its body, JSON text; undefined when nothing of that id waits. */
  item(id: string): (QueueItem & { readonly body: string }) | undefined;
  refusals(): Refusal[];
  /** What SQLite finds wrong with the file; empty when all is well. */
  faults(): string[];
}

const faultsMax = 100;

export function openQueueListing(database: Database.Database): QueueListing {
  const waiting = `
    select id, 'write_back' as what, connector as "of", received_at as since,
           length(cast(body as blob)) as bytes, body from inbox where outcome is null
    union all
    select id, 'event', topic, created_at, length(cast(body as blob)), body from outbox
    union all
    select connector || '/' || ref, 'document', connector, since, 0,
           json_object('ref', ref, 'reason', detail, 'next_attempt_at', next_at) from set_aside`;
  const all = database.prepare(
    `select id, what, "of", since, bytes from (${waiting}) order by since, id limit ?`,
  );
  const one = database.prepare(`select * from (${waiting}) where id = ? order by what desc`);
  const last = database.prepare(
    `select connector, done_at as since, outcome from inbox where rowid in
       (select max(rowid) from inbox where outcome is not null group by connector)`,
  );
  return {
    items: (limit) => all.all(limit) as QueueItem[],
    item: (id) => one.get(id) as ReturnType<QueueListing['item']>,
    refusals: () => (last.all() as LastOutcome[]).flatMap(refusalOf),
    faults() {
      const found = database.pragma(`integrity_check(${faultsMax})`) as {
        integrity_check: string;
      }[];
      return found.map((row) => row.integrity_check).filter((text) => text !== 'ok');
    },
  };
}

interface LastOutcome {
  readonly connector: string;
  readonly since: string;
  readonly outcome: string;
}

function refusalOf({ connector, since, outcome }: LastOutcome): Refusal[] {
  const ended = JSON.parse(outcome) as {
    kind: string;
    fault?: { message: string };
    found?: string;
  };
  if (ended.kind === 'unreachable') {
    return [{ connector, since, detail: ended.fault?.message ?? 'no reason was given' }];
  }
  if (ended.kind !== 'conflict') return [];
  return [{ connector, since, detail: `another confirmation is stored there: ${ended.found}` }];
}
