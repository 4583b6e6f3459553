import { plainNumber } from '@drawbridge/records/number.ts';
import Database from 'better-sqlite3';
import { allowedPath } from '../allowed-path.ts';
import type { ConnectorContext } from '../contract.ts';
import { abortFault, fault } from '../fault.ts';
import type { Dialect, Statement } from '../sql/dialect.ts';
import {
  binary,
  plainRows,
  type RowsOutcome,
  type Run,
  type SqlDriver,
  type Unanswered,
} from '../sql/driver.ts';
import { inTurn } from '../turns.ts';
import { sqliteFault } from './errors.ts';

/** Short: while SQLite waits for a lock, this process does nothing else. */
const busyTimeoutMs = 1_000;
/** Rows between two looks at the clock and the signal: SQLite itself cannot be interrupted. */
const rowsBetweenChecks = 1_000;

const quote = (identifier: string) => `"${identifier.replaceAll('"', '""')}"`;

const tableNames =
  `SELECT "schema", name FROM pragma_table_list WHERE "schema" = 'main' ` +
  `AND type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'`;

/** SQLite compares any value with any text without failing; affinity makes numbers of digits. */
export const sqliteDialect: Dialect = {
  quote,
  placeholder: () => '?',
  equals: (column, _type, placeholder) => `${column} = ${placeholder}`,
  comparable: (value) => value,
  isBinary: (type) => /blob/i.test(type),
  tables: `${tableNames} ORDER BY name`,
  columns: (count) =>
    `SELECT t."schema", t.name, c.name, c.type FROM (${tableNames}) AS t ` +
    `JOIN pragma_table_xinfo(t.name) AS c WHERE c.hidden <> 1 ` +
    `AND t.name IN (${Array(count).fill('?').join(', ')}) ORDER BY t.name, c.cid`,
  createSideTable: (table) =>
    `CREATE TABLE IF NOT EXISTS ${table} (source_ref TEXT PRIMARY KEY NOT NULL, ` +
    'invoice_id TEXT NOT NULL, status TEXT NOT NULL, profile TEXT NOT NULL, uin TEXT, ' +
    'validation_url TEXT, settled_at TEXT NOT NULL, cancellable_until TEXT, ' +
    'idempotency_key TEXT NOT NULL UNIQUE)',
  forUpdate: '',
};

type Opened = { readonly kind: 'open'; readonly database: Database.Database } | Unanswered;

/**
 * A driver for the file; `writerFile` takes the confirmations. Each transaction opens the file
 * anew.
 */
export function openSqlite(file: string, writerFile: string, context: ConnectorContext): SqlDriver {
  const where = `SQLite ${file}`;
  const inTransaction = <T>(
    path: string,
    isWriter: boolean,
    signal: AbortSignal,
    work: (database: Database.Database) => Promise<T>,
  ): Promise<T | Unanswered> =>
    // A lock held by one of our own transactions would stop the thread that is to release it.
    inTurn(`sqlite ${path}`, async () => {
      if (signal.aborted) return { kind: 'unanswered', fault: abortFault(signal, where) };
      const opened = await open(path, isWriter, context);
      if (opened.kind === 'unanswered') return opened;
      try {
        return await work(opened.database);
      } finally {
        // Closing rolls back what is open.
        opened.database.close();
      }
    });
  return {
    dialect: sqliteDialect,
    where,
    reading: (work, signal) =>
      inTransaction(file, false, signal, async (database) => {
        const failure = execute(database, 'BEGIN', file);
        return failure ?? work(createRun(database, file, signal));
      }),
    writing: (prepare, work, signal) =>
      inTransaction(writerFile, true, signal, async (database) => {
        const run = createRun(database, writerFile, signal);
        const failure = (await prepare(run)) ?? execute(database, 'BEGIN IMMEDIATE', writerFile);
        if (failure !== undefined) return failure;
        const { commit, value } = await work(run);
        const end = execute(database, commit ? 'COMMIT' : 'ROLLBACK', writerFile);
        return end ?? value;
      }),
    async close() {
      // Nothing stays open between transactions.
    },
  };
}

async function open(file: string, isWriter: boolean, context: ConnectorContext): Promise<Opened> {
  try {
    const path = await allowedPath(file, context.allowedRoots);
    if (path === undefined) {
      const message = `${file} is outside the folders that may be read.`;
      return { kind: 'unanswered', fault: fault('path_not_allowed', message, 'never') };
    }
    const database = new Database(path, {
      readonly: !isWriter,
      fileMustExist: true,
      timeout: busyTimeoutMs,
    });
    database.defaultSafeIntegers(true);
    if (!isWriter) database.pragma('query_only = on');
    return { kind: 'open', database };
  } catch (error) {
    return { kind: 'unanswered', fault: sqliteFault(error, file) };
  }
}

function execute(database: Database.Database, text: string, file: string): Unanswered | undefined {
  try {
    database.exec(text);
    return undefined;
  } catch (error) {
    return { kind: 'unanswered', fault: sqliteFault(error, file) };
  }
}

function createRun(database: Database.Database, file: string, signal: AbortSignal): Run {
  return async (statement) => {
    if (signal.aborted) {
      return { kind: 'unanswered', fault: abortFault(signal, `SQLite ${file}`) };
    }
    try {
      return await runStatement(database, statement, file, signal);
    } catch (error) {
      return { kind: 'unanswered', fault: sqliteFault(error, file) };
    }
  };
}

async function runStatement(
  database: Database.Database,
  { text, values, rowsMax }: Statement,
  file: string,
  signal: AbortSignal,
): Promise<RowsOutcome> {
  const prepared = database.prepare<(string | null)[], unknown>(text);
  if (!prepared.reader) {
    const { changes } = prepared.run(...values);
    return { kind: 'rows', columns: [], rows: [], changed: changes };
  }
  const columns = prepared.columns().map(({ name }) => name);
  const rows: unknown[][] = [];
  for (const row of prepared.raw().iterate(...values)) {
    rows.push(row as unknown[]);
    if (rows.length > rowsMax) break;
    if (rows.length % rowsBetweenChecks !== 0) continue;
    // Gives the event loop its turn, in which a signal can arrive.
    await new Promise(setImmediate);
    if (signal.aborted) {
      return { kind: 'unanswered', fault: abortFault(signal, `SQLite ${file}`) };
    }
  }
  return plainRows(columns, rows, toText, 0);
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
