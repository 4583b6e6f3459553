import type { topics } from '@drawbridge/link/methods.ts';
import type Database from 'better-sqlite3';

/** A write-back as it came, not yet done. */
export interface PendingCommand {
  readonly id: string;
  readonly connector: string;
  /** JSON text of the command's parameters. */
  readonly body: string;
  readonly receivedAt: string;
}

/** An event for the control plane, kept until it is acknowledged. */
export interface OutboxEvent {
  readonly number: number;
  readonly id: string;
  readonly topic: string;
  /** JSON text. */
  readonly body: string;
}

/** One event's worth of refs; `id` makes the event known over all sessions. */
export interface DocumentChanges {
  readonly id: string;
  readonly refs: readonly string[];
}

interface Depths {
  readonly pendingCommands: number;
  readonly unsentEvents: number;
  readonly oldestPendingAt: string | null;
}

/** The agent's durable state; every method that writes has committed when it returns. */
export interface Store {
  /**
   * Stores a command. A known one is not stored again; if it is done, its outcome is sent once
   * more.
   */
  accept(id: string, connector: string, body: string): void;
  connectorsWithPending(): string[];
  oldestPending(connector: string): PendingCommand | undefined;
  /** Marks a command done and queues its outcome in one transaction. */
  complete(id: string, outcome: unknown): void;
  /** At most `limit` events numbered above `after`, oldest first. */
  events(after: number, limit: number): OutboxEvent[];
  /** Deletes events that the control plane has stored. */
  forget(numbers: readonly number[]): void;
  cursor(connector: string): string | undefined;
  /** Queues changes of documents and moves the cursor past them in one transaction. */
  advance(connector: string, position: string, changes: readonly DocumentChanges[]): void;
  depths(): Depths;
  /** `ok`, or the fault that SQLite reports. */
  integrity(): string;
  close(): void;
}

/** How many outcomes are kept, so that a command which comes again is not done again. */
const doneCommandsMax = 100_000;

const commandDone: keyof typeof topics = 'command.done';
const documentsChanged: keyof typeof topics = 'documents.changed';

export function createStore(database: Database.Database, clock: () => Date): Store {
  const now = () => clock().toISOString();
  return {
    ...commands(database, now),
    ...outbox(database),
    ...cursors(database, now),
    ...file(database),
  };
}

type Commands = Pick<Store, 'accept' | 'connectorsWithPending' | 'oldestPending' | 'complete'>;

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
  const oldest = database.prepare(
    `select id, connector, body, received_at as receivedAt from inbox
     where connector = ? and outcome is null order by rowid limit 1`,
  );
  return {
    accept: database.transaction((id: string, connector: string, body: string) => {
      const { changes } = insert.run(id, connector, body, now());
      if (changes === 0) requeueOutcome.run(commandDone, now(), id);
    }),
    connectorsWithPending: () => waiting.all() as string[],
    oldestPending: (connector) => oldest.get(connector) as PendingCommand | undefined,
    complete: database.transaction((id: string, outcome: unknown) => {
      finish.run(JSON.stringify(outcome), now(), id);
      requeueOutcome.run(commandDone, now(), id);
      prune.run();
    }),
  };
}

function outbox(database: Database.Database): Pick<Store, 'events' | 'forget'> {
  const after = database.prepare(
    'select number, id, topic, body from outbox where number > ? order by number limit ?',
  );
  const remove = database.prepare('delete from outbox where number = ?');
  return {
    events: (number, limit) => after.all(number, limit) as OutboxEvent[],
    forget: database.transaction((numbers: readonly number[]) => {
      for (const number of numbers) remove.run(number);
    }),
  };
}

function cursors(
  database: Database.Database,
  now: () => string,
): Pick<Store, 'cursor' | 'advance'> {
  const read = database.prepare('select position from cursor where connector = ?').pluck();
  const move = database.prepare(
    `insert into cursor (connector, position, moved_at) values (?, ?, ?)
     on conflict (connector) do update
     set position = excluded.position, moved_at = excluded.moved_at`,
  );
  const queueEvent = database.prepare(
    'insert into outbox (id, topic, body, created_at) values (?, ?, ?, ?) on conflict do nothing',
  );
  return {
    cursor: (connector) => read.get(connector) as string | undefined,
    advance: database.transaction(
      (connector: string, position: string, changes: readonly DocumentChanges[]) => {
        for (const { id, refs } of changes) {
          queueEvent.run(id, documentsChanged, JSON.stringify({ connector, refs }), now());
        }
        move.run(connector, position, now());
      },
    ),
  };
}

function file(database: Database.Database): Pick<Store, 'depths' | 'integrity' | 'close'> {
  const depths = database.prepare(
    `select count(*) as pendingCommands, (select count(*) from outbox) as unsentEvents,
            min(received_at) as oldestPendingAt
     from inbox where outcome is null`,
  );
  return {
    depths: () => depths.get() as Depths,
    integrity: () => database.pragma('integrity_check', { simple: true }) as string,
    close: () => void database.close(),
  };
}
