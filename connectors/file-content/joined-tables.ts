import type { SourceRow } from '@drawbridge/records/document.ts';
import { fault } from '../fault.ts';
import { isLeftOut } from './left-out.ts';
import type { ContentSettings } from './settings.ts';
import type { WholeContent, WholeDocument } from './whole-document.ts';

/** A table of a file: a sheet, or all of it. */
export interface FileTable {
  /** What people call it, in a sentence. */
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly SourceRow[];
}

/** A table whose rows belong to those of the headers. */
export interface JoinedTable extends FileTable {
  readonly section: string;
  /** Its column that says to which document a row belongs. */
  readonly column: string;
  /** The column of the headers with the same values; the one that names documents when left out. */
  readonly from?: string | undefined;
}

/** A document for each row of the headers' table, with the rows of the others that belong to it. */
export function joinedTables(
  name: string,
  headers: FileTable,
  joined: readonly JoinedTable[],
  { documentColumn, leaveOut }: Pick<ContentSettings, 'documentColumn' | 'leaveOut'>,
): WholeContent {
  if (documentColumn === undefined) {
    const message = `${name}: with further tables the setting documentColumn names the column of the first one that tells documents apart.`;
    return unusable('column_missing', message);
  }
  const lacking =
    lacks(headers, documentColumn) ??
    joined
      .map((table) => lacks(table, table.column) ?? lacks(headers, table.from ?? documentColumn))
      .find((each) => each !== undefined);
  if (lacking !== undefined) return unusable('column_missing', `${name}: ${lacking}`);
  const sections = joined.map(({ section, column, from = documentColumn, rows }) => {
    return { section, from, rows: Map.groupBy(rows, ({ values }) => values[column] ?? '') };
  });
  const documents: WholeDocument[] = [];
  for (const row of headers.rows) {
    if (isLeftOut(row, { leaveOut })) continue;
    const value = row.values[documentColumn] ?? '';
    if (value === '' || value.length > documentNameMax) {
      const message = `${name}: line ${row.key} of ${headers.title} names no document, or by more than ${documentNameMax} characters, in "${documentColumn}".`;
      return unusable('column_count', message);
    }
    const found = sections.map(({ section, from, rows }) => {
      const wanted = row.values[from] ?? '';
      return [section, wanted === '' ? [] : (rows.get(wanted) ?? [])] as const;
    });
    documents.push({
      ref: `${name}#${value}`,
      sections: { header: [row], ...Object.fromEntries(found) },
    });
  }
  return { kind: 'documents', documents };
}

/** A ref has at most 512, and the name of its file is in it. */
const documentNameMax = 250;

function lacks({ title, columns }: FileTable, column: string): string | undefined {
  return columns.includes(column) ? undefined : `${title} has no column "${column}".`;
}

function unusable(code: 'column_missing' | 'column_count', message: string): WholeContent {
  return { kind: 'unusable', fault: fault(code, message, 'never') };
}
