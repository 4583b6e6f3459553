/**
 * Numbered, forward-only migrations: `migrations/NNN-name.sql`, one thought each, one transaction
 * each, under an advisory lock so that nodes starting together apply each once.
 *
 * A table with a tenant_id ends with `call isolate('name')` (see 001): RLS enabled and forced.
 * Grants to the application's role are made here, after the files; no file makes any.
 */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { type AppRole, appRoleOf, ensureAppRole, grantToAppRole } from './app-role.ts';

export interface MigrateOptions {
  /** The owner's connection string. */
  readonly url: string;
  readonly appUrl?: string;
  readonly folder: string;
}

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

const lockKey = 7_314_159;
const fileName = /^\d{3}-[a-z0-9-]+\.sql$/;

/** Brings the schema up to date. Throws when an applied file has changed since, or a file fails. */
export async function migrate(options: MigrateOptions): Promise<Migrated> {
  const { url, appUrl, folder } = options;
  const role = appRoleOf(url, appUrl);
  const files = await readMigrations(folder);
  const owner = new pg.Client({ connectionString: url, application_name: 'drawbridge migrate' });
  await owner.connect();
  try {
    // A session lock: it covers many transactions, and ends with the connection at the latest.
    await owner.query('select pg_advisory_lock($1)', [lockKey]);
    await owner.query(
      `create table if not exists migration
         (name text primary key, checksum text not null,
          applied_at timestamptz not null default now())`,
    );
    const applied: string[] = [];
    for (const file of await pending(owner, files)) {
      await apply(owner, file);
      applied.push(file.name);
    }
    await ensureAppRole(owner, role);
    await grantToAppRole(owner, role);
    return { applied, role };
  } finally {
    await owner.end();
  }
}

/** The files of a folder in order; throws when a name does not fit or a number is used twice. */
async function readMigrations(folder: string): Promise<Migration[]> {
  const names = (await readdir(folder)).sort();
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

async function apply(owner: pg.Client, { name, sql, checksum }: Migration): Promise<void> {
  await owner.query('begin');
  try {
    await owner.query(sql);
    await owner.query('insert into migration (name, checksum) values ($1, $2)', [name, checksum]);
    await owner.query('commit');
  } catch (cause) {
    await owner.query('rollback');
    throw new Error(`migration ${name}: ${(cause as Error).message}`, { cause });
  }
}
