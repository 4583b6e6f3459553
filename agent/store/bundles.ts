import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type BundleFile, bundleDigest } from '@drawbridge/link/bundle.ts';
import Database from 'better-sqlite3';

/** One row of the inventory. */
interface CarriedBundle {
  readonly direction: 'to_control_plane' | 'from_control_plane';
  readonly number: number;
  readonly digest: string;
  readonly messages: number;
  /** When its sender made it. */
  readonly made_at: string;
  /** When it was taken; null: on its way. */
  readonly taken_at: string | null;
}

/** What was carried, both ways. */
export interface Bundles {
  /** By direction, the newest first. */
  list(max: number): CarriedBundle[];
  /** The number of the last one of a direction; 0 before the first. */
  last(direction: CarriedBundle['direction']): number;
  digestTaken(number: number): string | undefined;
  /** Up to which bundle of the control plane a receipt was made out. */
  acknowledged(): number;
  /** Keys of the events that are on their way, of the bundles up to that number if one is given. */
  eventsOnTheirWay(upTo?: number): ReadonlySet<string>;
  /** Whether a bundle has told the control plane that key of the agent. */
  hasTold(publicKey: string): boolean;
  /** Connectors whose columns were carried. */
  described(): ReadonlySet<string>;
  addMade(made: {
    readonly file: BundleFile;
    readonly messages: number;
    readonly events: readonly string[];
    readonly connectors: readonly string[];
    readonly acknowledges: number;
    /** The agent's next public key, if it tells one. */
    readonly key: string | null;
  }): void;
  addTaken(file: BundleFile, messages: number): void;
  /** Marks the bundles up to that number as taken. */
  markTaken(upTo: number): void;
  /** A bundle that is on its way, to be carried again. */
  file(number: number): BundleFile | undefined;
  close(): void;
}

const schema = `
  create table if not exists bundle (
    direction text not null,
    number integer not null,
    digest text not null,
    messages integer not null,
    made_at text not null,
    taken_at text,
    acknowledges integer not null default 0,
    file text,
    events text not null default '[]',
    connectors text not null default '[]',
    key text,
    primary key (direction, number)
  ) strict`;

/** Whether a bundle of this agent waits for its receipt. */
export function hasBundlesOnTheirWay(home: string): boolean {
  if (!existsSync(join(home, 'bundles.db'))) return false;
  const database = new Database(join(home, 'bundles.db'), { readonly: true });
  const waiting = database.prepare(
    `select 1 from bundle where direction = 'to_control_plane' and taken_at is null limit 1`,
  );
  try {
    return waiting.get() !== undefined;
  } finally {
    database.close();
  }
}

/** Opens the inventory of a home folder. */
export function openBundles(home: string, clock: () => Date): Bundles {
  const database = new Database(join(home, 'bundles.db'));
  database.pragma('journal_mode = wal');
  database.pragma('synchronous = full');
  database.exec(schema);
  const columns = database.pragma('table_info(bundle)') as { name: string }[];
  if (!columns.some(({ name }) => name === 'key')) {
    database.exec('alter table bundle add column key text');
  }
  const now = () => clock().toISOString();
  const onTheirWay = database
    .prepare<[number], string>(
      `select events from bundle
       where direction = 'to_control_plane' and taken_at is null and number <= ?`,
    )
    .pluck();
  const insert = database.prepare(
    `insert into bundle (direction, number, digest, messages, made_at, taken_at, acknowledges, file, events, connectors, key)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const list = database.prepare(
    `select direction, number, digest, messages, made_at, taken_at from bundle
     order by direction, number desc limit ?`,
  );
  const last = database
    .prepare('select coalesce(max(number), 0) from bundle where direction = ?')
    .pluck();
  const digest = database
    .prepare(`select digest from bundle where direction = 'from_control_plane' and number = ?`)
    .pluck();
  const acknowledged = database
    .prepare('select coalesce(max(acknowledges), 0) from bundle')
    .pluck();
  const markTaken = database.prepare(
    `update bundle set taken_at = ?, file = null
     where direction = 'to_control_plane' and number <= ? and taken_at is null`,
  );
  const told = database.prepare('select 1 from bundle where key = ? limit 1');
  const described = database.prepare<[], string>('select connectors from bundle').pluck();
  const file = database
    .prepare(`select file from bundle where direction = 'to_control_plane' and number = ?`)
    .pluck();
  return {
    list: (max) => list.all(max) as CarriedBundle[],
    last: (direction) => last.get(direction) as number,
    digestTaken: (number) => digest.get(number) as string | undefined,
    acknowledged: () => acknowledged.get() as number,
    eventsOnTheirWay: (upTo = Number.MAX_SAFE_INTEGER) =>
      new Set(onTheirWay.all(upTo).flatMap((events) => JSON.parse(events) as string[])),
    hasTold: (publicKey) => told.get(publicKey) !== undefined,
    described: () => new Set(described.all().flatMap((names) => JSON.parse(names) as string[])),
    addMade: ({ file: made, messages, events, connectors, acknowledges, key }) =>
      void insert.run(
        'to_control_plane',
        made.number,
        bundleDigest(made),
        messages,
        made.created_at,
        null,
        acknowledges,
        JSON.stringify(made),
        JSON.stringify(events),
        JSON.stringify(connectors),
        key,
      ),
    addTaken: (came, messages) =>
      void insert.run(
        'from_control_plane',
        came.number,
        bundleDigest(came),
        messages,
        came.created_at,
        now(),
        0,
        null,
        '[]',
        '[]',
        null,
      ),
    markTaken: (upTo) => void markTaken.run(now(), upTo),
    file: (number) => {
      const text = file.get(number) as string | null | undefined;
      return text == null ? undefined : (JSON.parse(text) as BundleFile);
    },
    close: () => void database.close(),
  };
}
