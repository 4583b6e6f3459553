import { Readable } from 'node:stream';
import type { TenantScope } from '../../../platform/auth/tenant-scope.ts';
import type { Db } from '../../../platform/db/database.ts';
import { quotedCsvCell } from '../../../platform/http/csv.ts';
import type { FileReading } from './file-reader.ts';
import { listProblems, type RowProblems } from './store.ts';

const rowsAtOnce = 500;

/**
 * The rows that could not be used, as the file had them, with what is wrong in the column `problem`. Once they
 * are mended the file can be imported as it is: that column is not read. It comes first, so that a row with more
 * cells than the header stays readable; the mark at the beginning has spreadsheets read it as UTF-8.
 */
export function problemFile(
  db: Db,
  scope: TenantScope,
  id: string,
  reading: FileReading | null,
): Readable {
  const names = reading?.columns.map(({ name }) => name) ?? [];
  async function* lines(): AsyncGenerator<string> {
    yield `\ufeff${lineOf(['problem', ...names])}`;
    for await (const rows of rowsOf(db, scope, id)) {
      yield rows
        .map(({ problems, fields }) => {
          const texts = problems.map(({ field, problem }) => `${field}: ${problem}`);
          return lineOf([texts.join('; '), ...(fields ?? [])]);
        })
        .join('');
    }
  }
  return Readable.from(lines());
}

/** The same as `line,field,problem`. */
export function errorFile(db: Db, scope: TenantScope, id: string): Readable {
  async function* lines(): AsyncGenerator<string> {
    yield 'line,field,problem\r\n';
    for await (const rows of rowsOf(db, scope, id)) {
      for (const { line, problems } of rows) {
        const sorted = problems.toSorted((a, b) => (a.field < b.field ? -1 : 1));
        for (const { field, problem } of sorted) {
          yield `${line},${quotedCsvCell(field)},${quotedCsvCell(problem)}\r\n`;
        }
      }
    }
  }
  return Readable.from(lines());
}

function lineOf(cells: readonly string[]): string {
  return `${cells.map(quotedCsvCell).join(',')}\r\n`;
}

async function* rowsOf(
  db: Db,
  { tenantId }: TenantScope,
  id: string,
): AsyncGenerator<readonly RowProblems[]> {
  for (let after = 0; ; ) {
    const rows = await db.tenant(tenantId, (tx) =>
      listProblems(tx, tenantId, id, after, rowsAtOnce),
    );
    yield rows;
    if (rows.length < rowsAtOnce) return;
    after = rows.at(-1)!.line;
  }
}
