/**
 * Numbered, forward-only migrations: `migrations/NNN-name.sql`, one change and one transaction
 * each, under an advisory lock, so that nodes which start together apply each once.
 *
 * A table with a tenant_id ends with `call isolate('name')` (see 001): RLS enabled and forced.
 * Grants to the application's role are made here after the files; no file makes any.
 */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { Log } from '../log/log.ts';
import {
  type AppRole,
  appRoleOf,
  ensureAppRole,
  ensureTimeLimits,
  grantToAppRole,
} from './app-role.ts';
import { type LockWatch, watchLocks } from './lock-watch.ts';
import { isPooled, PoolerInTheWay } from './pooler.ts';

/** The database to migrate and the folder of the migrations. */
export interface MigrateOptions {
  /** The owner's connection string, without a pooler. */
  readonly url: string;
  readonly appUrl?: string;
  /** The owner's connection string through a pooler, when the application uses one. */
  readonly poolerUrl?: string;
  readonly folder: string;
  readonly log?: Log;
  readonly limits?: Partial<typeof migrationLimits>;
}

/** The result of a migration. */
export interface Migrated {
  /** Names applied by this call, in order. */
  readonly applied: readonly string[];
  /** How the application logs in from now on. */
  readonly role: AppRole;
}

interface Migration {
  readonly name: string;
  readonly sql: string;
  readonly checksum: string;
}

const migrationLimits = {
  /** Short, because statements on a table wait behind a migration that waits for its lock. */
  lockTimeoutMs: 3_000,
  retryMs: 2_000,
  attemptsMax: 100,
  /** How long a node waits for the migrations of another one. */
  migrationLockMs: 900_000,
  /** How often to look who holds a lock that is waited for. */
  watchMs: 1_000,
};

const lockKey = 7_314_159;
const lockNotAvailable = '55P03';
const applicationNameMax = 63;
/** The resulting schema, kept in the migrations' folder for readers. */
const printedSchema = 'schema.sql';
const fileName = /^\d{3}-[a-z0-9-]+\.sql$/;

/**
 * Brings the schema up to date. Throws when an applied file has changed since, when a file fails,
 * and when the database was made by migrations that do not exist here; it is then left as it was.
 * Logs who holds a lock that it waits for, and throws when the lock is not released after minutes.
 * Throws `PoolerInTheWay` when `url` leads through a pooler.
 */
export async function migrate(options: MigrateOptions): Promise<Migrated> {
  const { url, appUrl, poolerUrl, folder, log } = options;
  const limits = { ...migrationLimits, ...options.limits };
  const role = appRoleOf(url, appUrl, poolerUrl);
  const files = await readMigrations(folder);
  const owner = new pg.Client({ connectionString: url, application_name: applicationName() });
  await owner.connect();
  const { processID: pid } = owner as pg.Client & { processID: number };
  const watch = watchLocks({ url, pid, log, intervalMs: limits.watchMs });
  try {
    if (await isPooled(owner)) {
      const setting = poolerUrl === undefined ? 'DATABASE_URL' : 'DATABASE_DIRECT_URL';
      throw new PoolerInTheWay(setting, 'the lock of migrations');
    }
    await lockMigrations(owner, watch, limits.migrationLockMs);
    await refuseUnknownHistory(owner, files);
    await owner.query(
      `create table if not exists migration
         (name text primary key, checksum text not null,
          applied_at timestamptz not null default now())`,
    );
    const applied: string[] = [];
    for (const file of await pending(owner, files)) {
      await applyWithRetries({ owner, watch, log, limits }, file);
      applied.push(file.name);
    }
    await ensureAppRole(owner, role);
    await grantToAppRole(owner, role);
    await ensureTimeLimits(role);
    return { applied, role };
  } finally {
    await watch.stop();
    await owner.end();
  }
}

/** Names the process, for whoever finds it among the holders of a lock. */
function applicationName(): string {
  return `drawbridge migrate, ${process.pid} on ${hostname()}`.slice(0, applicationNameMax);
}

/** Another session did not release a lock in time. */
class LockHeld extends Error {
  readonly code = 'lock_held';
}

/**
 * Takes a lock of the session, which covers many transactions and ends with the connection at the
 * latest.
 */
async function lockMigrations(owner: pg.Client, watch: LockWatch, waitMs: number): Promise<void> {
  watch.begin('the start');
  await owner.query(`set lock_timeout = ${waitMs}`);
  try {
    await owner.query('select pg_advisory_lock($1)', [lockKey]);
  } catch (cause) {
    if ((cause as pg.DatabaseError).code !== lockNotAvailable) throw cause;
    throw new LockHeld(`the lock of migrations was held for ${waitMs} ms by ${watch.holders()}`);
  }
  await owner.query('reset lock_timeout');
}

/**
 * Throws when the database has a migration that is missing here and is not newer than the latest
 * one here: its schema is then not the one these files make. A database with only newer migrations
 * was made by a newer version, whose schema still works for this one.
 */
async function refuseUnknownHistory(owner: pg.Client, files: readonly Migration[]): Promise<void> {
  const { rows } = await owner.query(
    `select current_database() as database, to_regclass('public.migration') is not null as is_used`,
  );
  const [{ database, is_used: isUsed }] = rows;
  if (!isUsed) return;
  const newest = files.at(-1)?.name.slice(0, 4) ?? '';
  const { rows: unknown } = await owner.query(
    `select name from migration where name <> all ($1) and left(name, 4) <= $2
     order by name limit 1`,
    [files.map(({ name }) => name), newest],
  );
  if (unknown.length === 0) return;
  throw new Error(
    `the database "${database}" was made by an older, unreleased version of Drawbridge: it has the ` +
      `migration ${unknown[0].name}, which this version does not know. Nothing in it was changed. ` +
      'Keep it for that version, and start this one on an empty database: set DRAWBRIDGE_HOME to ' +
      'another folder, or DATABASE_URL to another database.',
  );
}

/** The files of a folder in order; throws when a name does not fit or a number is used twice. */
async function readMigrations(folder: string): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name !== printedSchema).sort();
  const odd = names.find((name) => !fileName.test(name));
  if (odd !== undefined) throw new Error(`${odd}: a migration is named NNN-name.sql`);
  const twice = names.find((name, at) => names[at - 1]?.slice(0, 3) === name.slice(0, 3));
  if (twice !== undefined) throw new Error(`${twice}: the number is taken by another migration`);
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(join(folder, name), 'utf8');
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
    }),
  );
}

async function pending(owner: pg.Client, files: readonly Migration[]): Promise<Migration[]> {
  const { rows } = await owner.query('select name, checksum from migration');
  const known = new Map(rows.map((row) => [row.name as string, row.checksum as string]));
  for (const { name, checksum } of files) {
    if (known.has(name) && known.get(name) !== checksum) {
      throw new Error(`${name} was applied and has changed since: write a new migration instead`);
    }
  }
  return files.filter(({ name }) => !known.has(name));
}

interface Applying {
  readonly owner: pg.Client;
  readonly watch: LockWatch;
  readonly log: Log | undefined;
  readonly limits: typeof migrationLimits;
}

/** Applies one file. Between attempts it holds no lock, so that the product works meanwhile. */
async function applyWithRetries(
  { owner, watch, log, limits }: Applying,
  migration: Migration,
): Promise<void> {
  const { name } = migration;
  watch.begin(`migration ${name}`);
  for (let attempt = 1; !(await apply(owner, migration, limits.lockTimeoutMs)); attempt += 1) {
    const reason = `a lock that it needs is held by ${watch.holders()}`;
    if (attempt >= limits.attemptsMax) throw new LockHeld(`migration ${name}: ${reason}`);
    log?.warn({ migration: name, attempt }, `a migration is tried again: ${reason}`);
    await delay(limits.retryMs);
  }
}

/**
 * An owner who is no superuser sees no rows of tables with forced row-level security, and an update of them would
 * change nothing and say nothing: it fails, unless the file lifts that for the table meanwhile. Earlier files were
 * written before the first release.
 */
const hiddenRowsRefusedFrom = '101';

/** False when a lock that the file needs was held for too long. */
async function apply(
  owner: pg.Client,
  { name, sql, checksum }: Migration,
  lockTimeoutMs: number,
): Promise<boolean> {
  await owner.query('begin');
  try {
    await owner.query(`set local lock_timeout = ${lockTimeoutMs}`);
    if (name >= hiddenRowsRefusedFrom) await owner.query('set local row_security = off');
    await owner.query(sql);
    await owner.query('insert into migration (name, checksum) values ($1, $2)', [name, checksum]);
    await owner.query('commit');
    return true;
  } catch (cause) {
    await owner.query('rollback');
    if ((cause as pg.DatabaseError).code === lockNotAvailable) return false;
    throw new Error(`migration ${name}: ${(cause as Error).message}`, { cause });
  }
}
