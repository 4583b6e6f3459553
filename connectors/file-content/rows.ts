import type { SourceRow } from '@drawbridge/records/document.ts';
import type { ConnectorFault } from '../contract.ts';
import { isLeftOut } from './left-out.ts';
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

type Placer = (row: SourceRow) => PlacedRow | MisplacedRow;

/**
 * Says to which document each row of a table belongs, and nothing of one that is left out; the rows come in
 * their order.
 */
export type RowPlacer = (row: SourceRow) => PlacedRow | MisplacedRow | undefined;

/**
 * The placer of a table: by a column that names the document, by rows that begin one, or all rows are
 * one document, which is called like the file.
 */
export function rowPlacer(file: string, settings: ContentSettings): RowPlacer {
  const place = placerOf(file, settings);
  if (settings.leaveOut === undefined) return place;
  let isLeft = false;
  return (row) => {
    // It is looked at before the row is placed: a draft often has no number yet.
    if (beginsDocument(row, settings)) isLeft = isLeftOut(row, settings);
    return isLeft ? undefined : place(row);
  };
}

function beginsDocument(
  { values }: SourceRow,
  { documentColumn, rowSections, continuedRows, leaveOut }: ContentSettings,
): boolean {
  if (rowSections !== undefined) {
    return rowSections.sections[values[rowSections.column] ?? ''] === 'header';
  }
  if (documentColumn === undefined || continuedRows !== true) return true;
  return values[documentColumn] !== null || values[leaveOut?.column ?? ''] !== null;
}

function placerOf(
  file: string,
  { documentColumn, rowSections, continuedRows }: ContentSettings,
): Placer {
  if (rowSections !== undefined) return sectionPlacer(file, documentColumn, rowSections);
  if (documentColumn === undefined) return (row) => ({ ref: file, row, section: undefined });
  let before: string | undefined;
  return (row) => {
    const isContinued = continuedRows === true && row.values[documentColumn] === null;
    const value = isContinued && before !== undefined ? before : documentName(row, documentColumn);
    if (typeof value !== 'string') return value;
    before = value;
    return { ref: `${file}#${value}`, row, section: undefined };
  };
}

function sectionPlacer(
  file: string,
  documentColumn: string | undefined,
  { column, sections }: NonNullable<ContentSettings['rowSections']>,
): Placer {
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
