/**
 * Real PostgreSQL for tests.
 *
 *   const { db, stop } = await startDb(); // a new migrated database, as the application's role
 *   const { url, stop } = await startPostgres(); // a new empty one, as its owner
 *   const { url, stop } = await startMigratedPostgres(); // one with the product's tables
 *
 * One server serves the whole vitest run (postgres-server.ts starts it); each call makes a
 * database.
 */
import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Db, openDb } from '@drawbridge/control-plane/platform/db/database.ts';
import { startEmbedded } from '@drawbridge/control-plane/platform/db/embedded.ts';
import { migrate } from '@drawbridge/control-plane/platform/db/migrate.ts';
import pg from 'pg';

export interface TestPostgres {
  /** The owner's connection string of a new, empty database. */
  readonly url: string;
  stop(): Promise<void>;
}

export interface TestDb extends TestPostgres {
  readonly db: Db;
  /** Connection string of the application's role. */
  readonly appUrl: string;
}

export interface TestDbOptions {
  readonly poolMax?: number;
  /** A server that writes to disk as production does, for measuring; outside of vitest only. */
  readonly durable?: boolean;
}

export const migrationsFolder = join(import.meta.dirname, '../../control-plane/migrations');
export const sharedServerVariable = 'DRAWBRIDGE_TEST_POSTGRES';
const serverWaitMs = 60_000;
const migratedTemplate = 'migrated';

/** A new, empty database on the run's server; outside of vitest on a separate server. */
export async function startPostgres({ durable = false } = {}): Promise<TestPostgres> {
  const shared = process.env[sharedServerVariable];
  return shared === undefined ? ownServer(durable) : newDatabase(await sharedServer(shared));
}

/**
 * As `startPostgres`, but every migration is applied, in a fraction of the time that applying takes. The
 * application's role is still to be made, as `migrate` does it.
 */
export async function startMigratedPostgres(): Promise<TestPostgres> {
  const shared = process.env[sharedServerVariable];
  if (shared !== undefined) return newDatabase(await sharedServer(shared), migratedTemplate);
  const own = await ownServer(false);
  await migrate({ url: own.url, folder: migrationsFolder });
  return own;
}

/** Makes what `startMigratedPostgres` copies. */
export async function makeMigratedTemplate(serverUrl: string): Promise<void> {
  await sqlAt(serverUrl, `create database ${migratedTemplate}`);
  await migrate({ url: inDatabase(serverUrl, migratedTemplate), folder: migrationsFolder });
}

async function newDatabase(serverUrl: string, template = 'template1'): Promise<TestPostgres> {
  const name = `t_${randomBytes(8).toString('hex')}`;
  await sqlAt(serverUrl, `create database ${name} template ${template} strategy file_copy`);
  return {
    url: inDatabase(serverUrl, name),
    stop: async () => {
      // Only a member of a role may end its sessions, which a failed test may have left.
      const roles = await sqlAt(serverUrl, 'select from pg_roles where rolname = $1', [
        `${name}_app`,
      ]);
      if (roles.length > 0) await sqlAt(serverUrl, `grant ${name}_app to current_user`);
      await sqlAt(serverUrl, `drop database if exists ${name} with (force)`);
      await sqlAt(serverUrl, `drop role if exists ${name}_app`);
    },
  };
}

function inDatabase(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

/** A new database with every migration applied, open under the application's role. */
export async function startDb(options: TestDbOptions = {}): Promise<TestDb> {
  const { poolMax = 10, durable = false } = options;
  const { url, stop } = await (durable ? startPostgres({ durable }) : startMigratedPostgres());
  const { role } = await migrate({ url, folder: migrationsFolder });
  const db = await openDb({ url: role.url, poolMax });
  return {
    db,
    url,
    appUrl: role.url,
    stop: async () => {
      await db.close();
      await stop();
    },
  };
}

/**
 * Runs one statement on its own connection, usually as the owner, for what the application's role
 * may not do.
 */
export async function sqlAt<Row>(url: string, sql: string, values: unknown[] = []): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql, values)).rows as Row[];
  } finally {
    await client.end();
  }
}

async function ownServer(durable: boolean): Promise<TestPostgres> {
  const home = await mkdtemp(join(tmpdir(), 'drawbridge-postgres-'));
  await chmod(home, 0o711); // PostgreSQL runs as another user when we are root
  const server = await startEmbedded({ home, volatile: !durable });
  const { url } = await newDatabase(server.url);
  return {
    url,
    // It is removed with its data; a vacuum could block dropping the database.
    stop: async () => {
      await server.stop();
      await rm(home, { recursive: true, force: true });
    },
  };
}

/**
 * The run's server starts in the background; the first test that needs it waits for its address
 * file.
 */
async function sharedServer(addressFile: string): Promise<string> {
  for (let waited = 0; waited < serverWaitMs; waited += 20) {
    const url = await readFile(addressFile, 'utf8').catch(() => '');
    if (url !== '') return url;
    await delay(20);
  }
  throw new Error("the test run's PostgreSQL did not start");
}
