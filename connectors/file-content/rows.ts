import type { SourceRow } from '@drawbridge/records/document.ts';
import type { ConnectorFault } from '../contract.ts';
import type { ContentSettings } from './settings.ts';

/** A row of a table with the document that it belongs to. */
interface PlacedRow {
  readonly ref: string;
  readonly row: SourceRow;
  /** Its section; undefined in a flat table, whose first row of a document is its header too. */
  readonly section: string | undefined;
}

/** Why a row belongs to no document. */
type MisplacedRow = Pick<ConnectorFault, 'code' | 'message'>;

/** Says to which document each row of a table belongs; the rows come in their order. */
export type RowPlacer = (row: SourceRow) => PlacedRow | MisplacedRow;

/**
 * The placer of a table: by a column that names the document, by rows that begin one, or all rows are
 * one document, which is called like the file.
 */
export function rowPlacer(
  file: string,
  { documentColumn, rowSections }: ContentSettings,
): RowPlacer {
  if (rowSections !== undefined) return sectionPlacer(file, documentColumn, rowSections);
  if (documentColumn === undefined) return (row) => ({ ref: file, row, section: undefined });
  return (row) => {
    const value = documentName(row, documentColumn);
    if (typeof value !== 'string') return value;
    return { ref: `${file}#${value}`, row, section: undefined };
  };
}

function sectionPlacer(
  file: string,
  documentColumn: string | undefined,
  { column, sections }: NonNullable<ContentSettings['rowSections']>,
): RowPlacer {
  let ref: string | undefined;
  let count = 0;
  return (row) => {
    const kind = row.values[column] ?? '';
    const section = Object.hasOwn(sections, kind) ? sections[kind] : undefined;
    if (section === undefined) {
      const message =
        `Line ${row.key} has "${kind.slice(0, 40)}" in column "${column}", for which the setting ` +
        'rowSections names no section.';
      return { code: 'row_unknown', message };
    }
    if (section === 'header') {
      count += 1;
      const value =
        documentColumn === undefined ? String(count) : documentName(row, documentColumn);
      if (typeof value !== 'string') return value;
      ref = `${file}#${value}`;
    }
    if (ref === undefined) {
      const message = `Line ${row.key} stands before the first header row.`;
      return { code: 'row_unknown', message };
    }
    return { ref, row, section };
  };
}

/** A ref has at most 512, and the name of its file is in it. */
const documentNameMax = 250;

function documentName(row: SourceRow, column: string): string | MisplacedRow {
  const value = row.values[column];
  if (value !== undefined && value !== null) {
    if (value.length <= documentNameMax) return value;
    const message = `Line ${row.key} names a document by more than ${documentNameMax} characters.`;
    return { code: 'value_too_long', message };
  }
  const message =
    value === undefined
      ? `Line ${row.key} has no column "${column}", which the setting documentColumn names.`
      : `Line ${row.key} names no document: "${column}" is empty.`;
  return { code: value === undefined ? 'column_missing' : 'column_count', message };
}
