import { join } from 'node:path';
import Database from 'better-sqlite3';
import { runsElsewhere } from './lock.ts';
import { moveToQuarantine } from './quarantine.ts';

export type QueueOutcome =
  | { readonly kind: 'open'; readonly database: Database.Database; readonly quarantined?: string }
  /** Written by a newer agent: this one must not touch it. */
  | { readonly kind: 'newer'; readonly version: number }
  /** It is damaged, and an agent runs on it. */
  | { readonly kind: 'damaged' };

/** Forward-only; the file's `user_version` counts how many have run. */
const migrations = [
  `create table inbox (
     id text primary key,
     connector text not null,
     body text not null,
     received_at text not null,
     outcome text,
     done_at text
   ) strict;
   create index inbox_pending on inbox (connector, received_at) where outcome is null;
   create table outbox (
     number integer primary key autoincrement,
     id text not null,
     topic text not null,
     body text not null,
     created_at text not null,
     unique (topic, id)
   ) strict;
   create table cursor (
     connector text primary key,
     position text not null,
     moved_at text not null
   ) strict;
   create table link (
     only integer primary key check (only = 1),
     state text not null,
     detail text not null,
     since text not null
   ) strict;`,
  `drop table link;
   create table queue (
     only integer primary key check (only = 1),
     id text not null
   ) strict;
   insert into queue values (1, lower(hex(randomblob(16))));
   alter table outbox add column connector text;
   alter table outbox add column documents integer not null default 0;
   alter table outbox add column sequence integer;
   alter table outbox add column bytes integer not null default 0;
   alter table outbox add column content blob;
   create index outbox_documents on outbox (number) where documents > 0;
   alter table cursor add column sequence integer not null default 0;
   alter table cursor add column confirmed integer not null default 0;
   alter table cursor add column listed integer not null default 0;
   alter table cursor add column knows_all integer not null default 0;
   create table position (
     connector text not null,
     listed integer not null,
     position text not null,
     read_at text not null,
     primary key (connector, listed)
   ) strict, without rowid;
   create table document (
     connector text not null,
     ref text not null,
     version text,
     hash text not null,
     sequence integer not null,
     read_at text not null,
     primary key (connector, ref)
   ) strict, without rowid;
   create table reconciliation (
     connector text primary key,
     at text not null,
     documents integer not null,
     late integer not null,
     edited integer not null,
     deleted integer not null
   ) strict;
   create table finding (
     number integer primary key autoincrement,
     connector text not null,
     kind text not null,
     ref text not null,
     found_at text not null
   ) strict;
   create index finding_connector on finding (connector, number);`,
  `alter table cursor add column rewinds integer not null default 0;
   create table set_aside (
     connector text not null,
     ref text not null,
     version text,
     detail text not null,
     since text not null,
     failures integer not null,
     next_at text not null,
     primary key (connector, ref)
   ) strict, without rowid;`,
] as const;

/**
 * The first version whose agents can work with what these migrations make: an upgrade that is taken back leaves them a
 * newer file. A migration that only adds (columns with defaults) leaves it; one that takes away raises it to its own.
 * The file says it as its `application_id`.
 */
const usableFrom = 2;

/**
 * Opens the queue of a home folder; a damaged file is set aside and a new one is created, but not while
 * another process runs the agent: it would go on with the file that is set aside.
 */
export function openQueue(home: string, clock: () => Date): QueueOutcome {
  const file = join(home, 'queue.db');
  const opened = tryOpen(file);
  if (opened !== undefined) return opened;
  if (runsElsewhere(home)) return { kind: 'damaged' };
  const quarantined = moveToQuarantine(home, 'queue', clock());
  return { ...tryOpen(file)!, quarantined } as QueueOutcome;
}

/** Undefined when the file is damaged. */
function tryOpen(file: string): QueueOutcome | undefined {
  const database = new Database(file);
  try {
    database.pragma('journal_mode = wal');
    // FULL: an acknowledgement promises the row, also after a power cut.
    database.pragma('synchronous = full');
    database.pragma('busy_timeout = 5000');
    if (database.pragma('quick_check', { simple: true }) === 'ok') return migrate(database);
  } catch (error) {
    if (!isDamage(error)) {
      database.close();
      throw error;
    }
  }
  database.close();
  return undefined;
}

function isDamage(error: unknown): boolean {
  const codes = ['SQLITE_CORRUPT', 'SQLITE_NOTADB'];
  return error instanceof Database.SqliteError && codes.some((code) => error.code.startsWith(code));
}

function migrate(database: Database.Database): QueueOutcome {
  const version = database.pragma('user_version', { simple: true }) as number;
  if (version > migrations.length) {
    const usable = database.pragma('application_id', { simple: true }) as number;
    if (usable > 0 && usable <= migrations.length) return { kind: 'open', database };
    database.close();
    return { kind: 'newer', version };
  }
  for (const [index, sql] of migrations.entries()) {
    if (index < version) continue;
    database.transaction(() => {
      database.exec(sql);
      database.pragma(`user_version = ${index + 1}`);
    })();
  }
  if (database.pragma('application_id', { simple: true }) !== usableFrom) {
    database.pragma(`application_id = ${usableFrom}`);
  }
  return { kind: 'open', database };
}
