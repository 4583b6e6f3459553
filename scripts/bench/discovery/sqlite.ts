import { readFileSync } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqlConnector } from '@drawbridge/connectors/sql/connector.ts';
import type { Statement } from '@drawbridge/connectors/sql/dialect.ts';
import type { SqlDriver } from '@drawbridge/connectors/sql/driver.ts';
import { openSqlite as openDriver } from '@drawbridge/connectors/sqlite/driver.ts';
import { sqliteSettings } from '@drawbridge/connectors/sqlite/settings.ts';
import Database from 'better-sqlite3';
import { context, type LargeDatabase, readOnly } from './large-database.ts';
import { type LaidOutTable, statementsOf, type TableSql } from './tables.ts';

const sql: TableSql = {
  types: {
    integer: 'integer',
    wholeDecimal: 'numeric',
    amount: 'numeric',
    text: 'text',
    day: 'text',
  },
  day: (days) => `date('2020-01-01', (${days}) || ' days')`,
  insert: (table, select, count) =>
    `insert into ${table} with recursive s(n) as
     (select 0 union all select n + 1 from s where n < ${count - 1}) select ${select} from s`,
};

/**
 * SQLite, which does not count what it reads: the statements that were sent are run again by this process,
 * whose bytes read the kernel counts.
 */
export async function openSqlite(tables: readonly LaidOutTable[]): Promise<LargeDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'drawbridge-bench-'));
  const file = join(folder, 'erp.sqlite');
  makeFile(file, tables);
  const sent: Statement[] = [];
  const driver = openDriver(file, file, { ...context, allowedRoots: [folder] });
  return {
    title: 'SQLite',
    open: async (sections) =>
      openSqlConnector(
        recorded(driver, sent),
        sqliteSettings.parse({ file, sections, ...readOnly }),
        context,
      ),
    async readSince() {
      const { size } = await stat(file);
      return { share: bytesReadBy(sent.splice(0), file) / size, of: 'the file' };
    },
    stop: () => rm(folder, { recursive: true, force: true }),
  };
}

function makeFile(file: string, tables: readonly LaidOutTable[]): void {
  const db = new Database(file);
  try {
    db.pragma('journal_mode = off');
    db.pragma('synchronous = off');
    for (const table of tables) {
      for (const statement of statementsOf(table, sql)) db.exec(statement);
    }
  } finally {
    db.close();
  }
}

/** The driver; what is sent to it is added to `sent`. */
function recorded(driver: SqlDriver, sent: Statement[]): SqlDriver {
  return {
    ...driver,
    inReadTransaction: (work, signal) =>
      driver.inReadTransaction(
        (run) =>
          work((statement) => {
            sent.push(statement);
            return run(statement);
          }),
        signal,
      ),
  };
}

function bytesReadBy(statements: readonly Statement[], file: string): number {
  const before = bytesRead();
  const db = new Database(file, { readonly: true });
  try {
    for (const { text, values } of statements) db.prepare(text).all(...values);
  } finally {
    db.close();
  }
  return bytesRead() - before;
}

/** Bytes that this process has read; Linux only. */
function bytesRead(): number {
  return Number(/^rchar: (\d+)/m.exec(readFileSync('/proc/self/io', 'utf8'))![1]);
}
