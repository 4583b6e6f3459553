import { wordsOf } from '../words.ts';
import type { FoundTable, SampleRow } from './database.ts';
import { type DocumentColumn, documentColumnOf } from './document-column.ts';
import { leaveOutOf, leaveOutReason } from './left-out-documents.ts';
import { lineColumnsOf } from './line-columns.ts';
import type { LookedRow, TableSettings } from './looked-table.ts';
import { rowKindsOf } from './row-kinds.ts';
import { findSkippedRows } from './skipped-rows.ts';

/** How a table of a file is laid out. */
export interface TableLayout {
  readonly settings: TableSettings;
  readonly columns: readonly string[];
  /** The rows that are neither titles nor totals, by their columns. */
  readonly table: FoundTable;
  /** Whether all rows that were seen are of one document. */
  readonly isOneDocument: boolean;
  readonly reasons: Readonly<Record<string, string>>;
  /** 0 to 1. */
  readonly confidence: number;
  readonly notes: readonly string[];
}

/**
 * How a table is laid out, by its rows: which one names the columns, which are totals, and which column
 * tells documents apart. `isWhole` says that they are all its rows. Undefined when it has no rows.
 *
 *   tableLayout('a.csv', rows, true)?.settings // { headerLine: 4, documentColumn: 'Invoice No', skipRows: […] }
 */
export function tableLayout(
  name: string,
  rows: readonly LookedRow[],
  isWhole: boolean,
): TableLayout | undefined {
  const kinds = rowKindsOf(rows);
  if (kinds !== undefined) return withRowKinds(name, rows, kinds);
  const header = headerOf(rows);
  const columns = header === undefined ? numbered(rows) : namesIn(header.fields);
  const body = rows.filter(({ position }) => position > (header?.position ?? 0));
  const hasValues = body.some(({ fields }) => fields.some((field) => isValue(field.trim())));
  if (body.length === 0 || (header === undefined && !hasValues)) return undefined;
  const skipped = findSkippedRows(columns, body, isWhole);
  const table = tableOf(name, columns, skipped.regular);
  const found = documentColumnOf(table);
  const leaveOut = leaveOutOf(table, found?.column);
  const lineColumns = found?.isRepeated === true ? undefined : lineColumnsOf(columns);
  const hasAmounts = header === undefined || columns.some(isAmount);
  const headerWords =
    header === undefined
      ? 'No line names the columns: they are called 1, 2, … in their order.'
      : `Line ${header.position} names the columns.`;
  return {
    settings: {
      headerLine: header?.position ?? 0,
      ...columnSettings(found),
      ...(skipped.rules.length === 0 ? {} : { skipRows: skipped.rules }),
      ...(leaveOut === undefined ? {} : { leaveOut }),
      ...(lineColumns === undefined ? {} : { lineColumns }),
    },
    columns,
    table,
    isOneDocument: found === undefined || found.isOne,
    reasons: {
      header: headerWords,
      documents: found?.reason ?? 'No column tells documents apart: a file is one invoice.',
      ...(skipped.reason === undefined ? {} : { skipRows: skipped.reason }),
      ...(leaveOut === undefined ? {} : { leaveOut: leaveOutReason(leaveOut) }),
      ...(lineColumns === undefined
        ? {}
        : { lineColumns: `A row is an invoice; its lines are in ${lineColumns.join(', ')}.` }),
    },
    confidence: confidenceOf(header, found, hasAmounts),
    notes: [
      ...headerFaults(header, columns),
      ...(found?.notes ?? []),
      ...(hasAmounts ? [] : ['No column is called quantity, price or amount.']),
    ],
  };
}

function columnSettings(found: DocumentColumn | undefined) {
  if (found === undefined) return {};
  return {
    documentColumn: found.column,
    ...(found.isContinued ? { continuedRows: true as const } : {}),
  };
}

function withRowKinds(
  name: string,
  rows: readonly LookedRow[],
  { settings, reason }: NonNullable<ReturnType<typeof rowKindsOf>>,
): TableLayout {
  const columns = numbered(rows);
  return {
    settings: { headerLine: 0, rowSections: settings },
    columns,
    table: tableOf(name, columns, rows),
    isOneDocument: false,
    reasons: { documents: reason },
    confidence: 0.8,
    notes: ['No line names the columns: say in the mapping what the columns 1, 2, … hold.'],
  };
}

/** Rows among which the header is looked for. */
const headerRowsMax = 40;
/** Rows below a header that are compared with it. */
const rowsBelow = 12;
const scoreMin = 2;

interface Header extends LookedRow {
  /** Cells whose words are known. */
  readonly known: number;
}

function headerOf(rows: readonly LookedRow[]): Header | undefined {
  let best: (Header & { readonly score: number }) | undefined;
  const seen = new Set<string>();
  for (const [index, row] of rows.slice(0, headerRowsMax).entries()) {
    const below = rows.slice(index + 1, index + 1 + rowsBelow);
    const cells = row.fields.map((field) => field.trim());
    const filled = cells.filter((cell) => cell !== '');
    // A header that is printed again on each page.
    const isAgain = seen.has(cells.join('\n'));
    seen.add(cells.join('\n'));
    if (isAgain || filled.length < 2 || below.length === 0 || filled.some(isValue)) continue;
    const known = filled.filter(isKnown).length;
    const gaps = lastFilled(cells) + 1 - filled.length;
    const repeated = filled.length - new Set(filled).size;
    const widths = below.map(({ fields }) => lastFilled(fields) + 1);
    const alike = widths.filter((width) => width > 1 && width <= cells.length).length;
    const values = below.filter(({ fields }) => fields.some((field) => isValue(field.trim())));
    const score =
      known +
      filled.length * 0.3 -
      gaps * 0.5 -
      repeated * 2 +
      (alike / below.length) * 2 +
      (values.length / below.length) * 2;
    // Of equal ones the first: what stands below a header is values.
    if (score >= scoreMin && (best === undefined || score > best.score + 1e-9)) {
      best = { ...row, known, score };
    }
  }
  return best;
}

function lastFilled(fields: readonly string[]): number {
  return fields.findLastIndex((field) => field.trim() !== '');
}

/** A number or a date, which is no name of a column. */
function isValue(cell: string): boolean {
  return (
    /^[-+(]?[\p{Sc}]?\s?\d[\d.,'\u00a0 ]*%?\)?$/u.test(cell) ||
    /^\d{1,4}[-./]\d{1,2}[-./]\d{1,4}/.test(cell)
  );
}

const told: ReadonlySet<string> = new Set(
  (
    'invoice number date due currency reference order quantity price item description net tax gross total ' +
    'amount buyer seller name code unit rate percent discount line address city country postcode'
  ).split(' '),
);

const amounts = ['quantity', 'price', 'net', 'gross', 'total', 'amount'];

function isAmount(column: string): boolean {
  const words = wordsOf(column);
  return amounts.some((word) => words.includes(word));
}

function isKnown(cell: string): boolean {
  return cell.length <= 60 && wordsOf(cell).some((word) => told.has(word));
}

function namesIn(fields: readonly string[]): readonly string[] {
  return fields.slice(0, lastFilled(fields) + 1).map((field) => field.trim());
}

function numbered(rows: readonly LookedRow[]): readonly string[] {
  const width = Math.max(0, ...rows.map(({ fields }) => fields.length));
  return Array.from({ length: width }, (_, index) => String(index + 1));
}

function tableOf(name: string, columns: readonly string[], rows: readonly LookedRow[]): FoundTable {
  const sample = rows.map(({ fields }): SampleRow => {
    const cells = columns.map((column, index) => [column, fields[index]?.trim() || null] as const);
    return Object.fromEntries(cells);
  });
  return {
    name,
    columns: columns.map((column) => ({ name: column, type: 'text' })),
    primaryKey: [],
    uniques: [],
    rows: sample.length,
    sample,
  };
}

/** What the reader would refuse a header for. */
function headerFaults(header: Header | undefined, columns: readonly string[]): readonly string[] {
  if (header === undefined) return [];
  const place = `in line ${header.position}`;
  const empty = columns.indexOf('');
  const twice = columns.find((column, index) => column !== '' && columns.indexOf(column) < index);
  return [
    ...(empty < 0 ? [] : [`Column ${empty + 1} has no name ${place}: give it one, or remove it.`]),
    ...(twice === undefined ? [] : [`Two columns are called "${twice}" ${place}: rename one.`]),
  ];
}

function confidenceOf(
  header: Header | undefined,
  found: DocumentColumn | undefined,
  hasAmounts: boolean,
): number {
  const named = header === undefined ? 0.6 : header.known >= 3 ? 1 : 0.85;
  const doubt = hasAmounts ? 1 : 0.4;
  return Math.round(named * doubt * (found?.confidence ?? 0.6) * 100) / 100;
}
