/** Real databases with invoices, and an agent's store, to read them in tests. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectorKind } from '@drawbridge/connectors/registry.ts';
import Database from 'better-sqlite3';
import mysql from 'mysql2/promise';
import pg from 'pg';
import { mariadbUnavailable, startMariadb } from '../../test/kit/mariadb.ts';
import { startPostgres } from '../../test/kit/postgres.ts';
import { openQueue } from '../store/queue.ts';
import { createStore, type Store } from '../store/store.ts';
import type { ReconcilingContext } from './reconcile.ts';
import { createSources } from './sources.ts';

/** One session of an ERP's own programs. */
interface ErpSession {
  run(sql: string): Promise<void>;
}

/** An ERP of invoices (number, total, changed) with lines. */
export interface TestErp extends ErpSession {
  /** Another session, for a transaction that stays open. */
  session(): Promise<ErpSession>;
  /** Settings of the connector that reads it. */
  readonly settings: unknown;
  stop(): Promise<void>;
}

const tables = [
  'create table invoice (number varchar(40) primary key, total varchar(40), changed bigint)',
  'create table line (id varchar(40) primary key, invoice varchar(40), amount varchar(40))',
];

const sections = {
  header: { table: 'invoice', key: 'number', match: 'number' },
  lines: { table: 'line', key: 'id', match: 'invoice' },
};
const changes = { column: 'changed', key: 'number' };

/** The kinds of databases, and why one cannot be had here. */
export const erpKinds: readonly {
  readonly kind: string;
  readonly unavailable: string | undefined;
  start(): Promise<TestErp>;
}[] = [
  { kind: 'mysql', unavailable: mariadbUnavailable(), start: startMariadbErp },
  { kind: 'postgres', unavailable: undefined, start: startPostgresErp },
  { kind: 'sqlite', unavailable: undefined, start: startSqliteErp },
];

async function startMariadbErp(): Promise<TestErp> {
  const server = await startMariadb();
  const open: mysql.Connection[] = [];
  const session = async () => {
    const connection = await mysql.createConnection(server.url);
    open.push(connection);
    return { run: async (sql: string) => void (await connection.query(sql)) };
  };
  return erpOf(session, { url: server.url, sections, changes }, async () => {
    for (const connection of open) connection.destroy();
    await server.stop();
  });
}

async function startPostgresErp(): Promise<TestErp> {
  const server = await startPostgres();
  const open: pg.Client[] = [];
  const session = async () => {
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    open.push(client);
    return { run: async (sql: string) => void (await client.query(sql)) };
  };
  return erpOf(session, { url: server.url, sections, changes }, async () => {
    for (const client of open) await client.end();
    await server.stop();
  });
}

async function startSqliteErp(): Promise<TestErp> {
  const folder = mkdtempSync(join(tmpdir(), 'drawbridge-erp-'));
  const file = join(folder, 'erp.db');
  const open: Database.Database[] = [];
  const session = async () => {
    const database = new Database(file);
    database.pragma('journal_mode = wal');
    open.push(database);
    return { run: async (sql: string) => void database.exec(sql) };
  };
  return erpOf(session, { file, sections, changes }, async () => {
    for (const database of open) database.close();
    rmSync(folder, { recursive: true });
  });
}

async function erpOf(
  session: () => Promise<ErpSession>,
  settings: unknown,
  stop: () => Promise<void>,
): Promise<TestErp> {
  const first = await session();
  for (const sql of tables) await first.run(sql);
  return { run: first.run, session, settings, stop };
}

/** A store and a reader of one connector, `erp`. */
export interface TestReader {
  readonly store: Store;
  readonly context: ReconcilingContext;
  /** Refs of all documents queued since the last call, in their order. */
  taken(): string[];
  close(): Promise<void>;
}

export function openReader(kind: string, settings: unknown, clock: () => Date): TestReader {
  const home = mkdtempSync(join(tmpdir(), 'drawbridge-reader-'));
  const queue = openQueue(home, clock);
  if (queue.kind !== 'open') throw new Error(queue.kind);
  const store = createStore(queue.database, clock);
  const sources = createSources({
    configured: () => [{ name: 'erp', kind, settings, watch: true, enabled: true }],
    revealed: (given: unknown) => given,
    kindOf: connectorKind,
    connectorContext: { clock, allowedRoots: [tmpdir()] },
    rewinds: (name) => store.rewinds(name),
  });
  let ids = 0;
  let after = 0;
  return {
    store,
    context: {
      store,
      sources,
      clock,
      mayRead: () => true,
      newId: () => {
        ids += 1;
        return `e${ids}`;
      },
      queued() {},
      report() {},
      refusals: new Map(),
    },
    taken() {
      const batches = store.batches(after, 1_000);
      after = batches.at(-1)?.number ?? after;
      return batches.flatMap(({ body }) => JSON.parse(body).refs as string[]);
    },
    async close() {
      await sources.close();
      store.close();
      rmSync(home, { recursive: true });
    },
  };
}
