import { fstatSync, readdirSync, type Stats } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { plainNumber } from '@drawbridge/records/number.ts';
import Database from 'better-sqlite3';
import { allowedPath, isWithin, openedPath, realRoots } from '../../allowed-path.ts';
import { hardLinked, outsideRoots } from '../../fault.ts';
import type { Statement } from '../../sql/dialect.ts';
import { binary, GatheredRows, notAQuery, type Unanswered } from '../../sql/driver.ts';
import { sqliteFault } from '../errors.ts';
import type { SqliteAnswer, SqliteRequest, Transaction } from './messages.ts';

const busyTimeoutMs = 1_000;

const done = { kind: 'done' } as const;

/** The one file that is open in the process; never throws for what SQLite does. */
export class Session {
  #database: Database.Database | undefined;
  #file = '';

  async answer(request: SqliteRequest): Promise<SqliteAnswer> {
    try {
      switch (request.kind) {
        case 'open':
          return (await this.#open(request)) ?? done;
        case 'execute':
          this.#opened().exec(request.text);
          return done;
        case 'run':
          return run(this.#opened(), request.statement, this.#file);
        case 'close':
          this.#close();
          return done;
      }
    } catch (error) {
      return { kind: 'unanswered', fault: sqliteFault(error, this.#file) };
    }
  }

  async #open({ file, roots, isWriter }: Transaction): Promise<Unanswered | undefined> {
    this.#close();
    this.#file = file;
    const path = await allowedPath(file, roots);
    if (path === undefined) return notAllowed(file);
    const database = new Database(path, {
      readonly: !isWriter,
      fileMustExist: true,
      timeout: busyTimeoutMs,
    });
    this.#database = database;
    const refusal = await judge(file, path, await realRoots(roots));
    if (refusal !== undefined) {
      this.#close();
      return refusal;
    }
    database.defaultSafeIntegers(true);
    // What a query sorts counts as memory, which is bounded, and fills no disk.
    database.pragma('temp_store = memory');
    if (isWriter) return undefined;
    database.pragma('query_only = on');
    database.exec('BEGIN');
    return undefined;
  }

  #opened(): Database.Database {
    if (this.#database === undefined) throw new Error('no file is open');
    return this.#database;
  }

  #close(): void {
    this.#database?.close();
    this.#database = undefined;
  }
}

function notAllowed(file: string): Unanswered {
  return { kind: 'unanswered', fault: outsideRoots(file) };
}

/** Judges what SQLite has opened: the path may have become a link after it was looked at. */
async function judge(
  file: string,
  path: string,
  roots: readonly string[],
): Promise<Unanswered | undefined> {
  if (process.platform !== 'linux') {
    // Elsewhere a race can only be made unlikely.
    const stats = await lstat(path);
    if (stats.isSymbolicLink()) return notAllowed(file);
    return stats.nlink > 1 ? { kind: 'unanswered', fault: hardLinked(file) } : undefined;
  }
  // Nothing else that this process has open lies there.
  for (const fd of readdirSync('/proc/self/fd').map(Number)) {
    const stats = fstatOf(fd);
    const real = stats?.isFile() === true ? await openedPath(fd) : undefined;
    if (real === undefined || !roots.some((root) => isWithin(root, real))) continue;
    return stats!.nlink > 1 ? { kind: 'unanswered', fault: hardLinked(file) } : undefined;
  }
  return notAllowed(file);
}

function fstatOf(fd: number): Stats | undefined {
  try {
    return fstatSync(fd);
  } catch {
    // The listing itself was one of them, and is closed.
    return undefined;
  }
}

function run(
  database: Database.Database,
  { text, values, rowsMax, isGuarded }: Statement,
  file: string,
): SqliteAnswer {
  const prepared = database.prepare<(string | null)[], unknown>(text);
  // ATTACH and VACUUM INTO reach other files, also where this one is open for reading only.
  const isQuery = prepared.reader && prepared.readonly;
  if (isGuarded === true && !isQuery) return notAQuery(`SQLite ${file}`);
  if (!prepared.reader) {
    const { changes } = prepared.run(...values);
    return { kind: 'rows', columns: [], rows: [], changed: changes };
  }
  const columns = prepared.columns().map(({ name }) => name);
  const gathered = new GatheredRows(columns, rowsMax, toText);
  for (const row of prepared.raw().iterate(...values)) {
    if (!gathered.add(row as unknown[])) break;
  }
  return gathered.outcome();
}

/**
 * SQLite's values as text: integers of 64 bits, reals in the shortest decimal that reads back the
 * same and without exponent, text as it stands (SQLite has no type for dates or booleans).
 */
function toText(value: unknown): string | null | typeof binary {
  if (value === null) return null;
  if (typeof value === 'string') return value;
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'number') return plainNumber(String(value));
  return binary;
}
