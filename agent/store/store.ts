import type { Topic } from '@drawbridge/link/topics.ts';
import type Database from 'better-sqlite3';
import { type SetAsideStore, setAsideStore } from './set-aside.ts';
import { type SourceStore, sourceStore } from './sources.ts';

/** A write-back as it came, not yet done. */
export interface PendingCommand {
  readonly id: string;
  readonly connector: string;
  /** JSON text of the command's parameters. */
  readonly body: string;
  readonly receivedAt: string;
  /** Grows with each command. */
  readonly number: number;
  /** What it is about: commands of one document are done in their order. */
  readonly document: string;
}

/** An event for the control plane, kept until it is acknowledged. */
export interface OutboxEvent {
  readonly number: number;
  readonly id: string;
  readonly topic: string;
  /** JSON text. */
  readonly body: string;
}

/** An event that carries documents. */
export interface OutboxBatch extends OutboxEvent {
  readonly documents: number;
  /** As `packDocuments` made it. */
  readonly content: Buffer;
}

interface Depths {
  readonly pendingCommands: number;
  readonly unsentEvents: number;
  /** Of the unsent events: the documents, the bytes, and when the oldest was queued. */
  readonly unsentDocuments: number;
  readonly unsentBytes: number;
  readonly oldestUnsentAt: string | null;
  readonly oldestPendingAt: string | null;
}

/** The agent's durable state; every method that writes has committed when it returns. */
export interface Store extends SourceStore, SetAsideStore {
  /**
   * Stores a command. A known one is not stored again; if it is done, its outcome is sent once
   * more.
   */
  accept(id: string, connector: string, body: string): void;
  connectorsWithPending(): string[];
  /** The oldest command of a connector numbered above `after` that is not done. */
  nextPending(connector: string, after: number): PendingCommand | undefined;
  /** Marks a command done and queues its outcome in one transaction. */
  complete(id: string, outcome: unknown): void;
  /** At most `limit` events without documents, numbered above `after`, oldest first. */
  events(after: number, limit: number): OutboxEvent[];
  /** As `events`, those with documents. */
  batches(after: number, limit: number): OutboxBatch[];
  /**
   * Deletes events that the control plane has stored; `isConfirmed` when it says at the next welcome which
   * batches those are.
   */
  forget(numbers: readonly number[], isConfirmed?: boolean): void;
  depths(): Depths;
  /** `ok`, or the fault that SQLite reports. */
  integrity(): string;
  close(): void;
}

/** How many outcomes are kept, so that a command which comes again is not done again. */
const doneCommandsMax = 100_000;

const commandDone: Topic = 'command.done';

export function createStore(database: Database.Database, clock: () => Date): Store {
  const now = () => clock().toISOString();
  return {
    ...commands(database, now),
    ...outbox(database),
    ...sourceStore(database, now),
    ...setAsideStore(database, now),
    ...file(database),
  };
}

type Commands = Pick<Store, 'accept' | 'connectorsWithPending' | 'nextPending' | 'complete'>;

function commands(database: Database.Database, now: () => string): Commands {
  const insert = database.prepare(
    `insert into inbox (id, connector, body, received_at) values (?, ?, ?, ?)
     on conflict do nothing`,
  );
  const requeueOutcome = database.prepare(
    `insert into outbox (id, topic, body, created_at)
     select id, ?, outcome, ? from inbox where id = ? and outcome is not null
     on conflict do nothing`,
  );
  const finish = database.prepare(
    'update inbox set outcome = ?, done_at = ? where id = ? and outcome is null',
  );
  const prune = database.prepare(
    `delete from inbox where outcome is not null and rowid <=
       (select rowid from inbox where outcome is not null
        order by rowid desc limit 1 offset ${doneCommandsMax})`,
  );
  const waiting = database
    .prepare('select distinct connector from inbox where outcome is null')
    .pluck();
  const next = database.prepare(
    `select id, connector, body, received_at as receivedAt, rowid as number,
       coalesce(json_extract(body, '$.command.confirmation.sourceRef'),
                json_extract(body, '$.command.document.id'), id) as document
     from inbox where connector = ? and outcome is null and rowid > ? order by rowid limit 1`,
  );
  return {
    accept: database.transaction((id: string, connector: string, body: string) => {
      const { changes } = insert.run(id, connector, body, now());
      if (changes === 0) requeueOutcome.run(commandDone, now(), id);
    }),
    connectorsWithPending: () => waiting.all() as string[],
    nextPending: (connector, after) => next.get(connector, after) as PendingCommand | undefined,
    complete: database.transaction((id: string, outcome: unknown) => {
      finish.run(JSON.stringify(outcome), now(), id);
      requeueOutcome.run(commandDone, now(), id);
      prune.run();
    }),
  };
}

function outbox(database: Database.Database): Pick<Store, 'events' | 'batches' | 'forget'> {
  const after = database.prepare(
    `select number, id, topic, body from outbox where number > ? and documents = 0
     order by number limit ?`,
  );
  const batchesAfter = database.prepare(
    `select number, id, topic, body, documents, content from outbox
     where number > ? and documents > 0 order by number limit ?`,
  );
  const confirm = database.prepare(
    `update cursor set confirmed = max(confirmed, sent.sequence)
     from (select connector, sequence from outbox where number = ?) as sent
     where cursor.connector = sent.connector and sent.sequence is not null`,
  );
  const remove = database.prepare('delete from outbox where number = ?');
  return {
    events: (number, limit) => after.all(number, limit) as OutboxEvent[],
    batches: (number, limit) => batchesAfter.all(number, limit) as OutboxBatch[],
    forget: database.transaction((numbers: readonly number[], isConfirmed = false) => {
      for (const number of numbers) {
        if (isConfirmed) confirm.run(number);
        remove.run(number);
      }
    }),
  };
}

function file(database: Database.Database): Pick<Store, 'depths' | 'integrity' | 'close'> {
  const depths = database.prepare(
    `select pendingCommands, oldestPendingAt, unsentEvents, unsentDocuments, unsentBytes, oldestUnsentAt
     from (select count(*) as pendingCommands, min(received_at) as oldestPendingAt
           from inbox where outcome is null),
          (select count(*) as unsentEvents, coalesce(sum(documents), 0) as unsentDocuments,
                  coalesce(sum(bytes), 0) as unsentBytes, min(created_at) as oldestUnsentAt
           from outbox)`,
  );
  return {
    depths: () => depths.get() as Depths,
    integrity: () => database.pragma('integrity_check', { simple: true }) as string,
    close: () => void database.close(),
  };
}
