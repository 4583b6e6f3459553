import {
  columnFacts,
  type FoundTable,
  isWholeKey,
  type Reference,
  type SampleRow,
  wordsOfColumn,
} from '../database.ts';
import { beginningOf, isInvoiceNumber } from '../document-filters/by-number.ts';
import { type DocumentFilter, keptRows } from '../document-filters/document-filter.ts';
import { isOfTransaction, subjectOf } from '../references.ts';
import type { ReferenceGraph } from './reference-graph.ts';

/** The column with the number that a person knows an invoice by. */
export function numberColumn(
  header: FoundTable,
  lines: FoundTable,
  reference: Reference | undefined,
  filters: readonly DocumentFilter[],
  graph: ReferenceGraph,
): string {
  if (reference === undefined) return repeatedNumber(header) ?? header.columns[0]!.name;
  const rows = keptRows(header, filters);
  const pointing = pointingColumns(header, lines, graph);
  const scored = header.columns.map(({ name }) => ({
    name,
    score: pointing.has(name)
      ? 0
      : Math.max(
          numberScore(header, name, rows, filters),
          filters.length > 0 ? scoreByBeginning(rows, name) : 0,
        ),
  }));
  const best = scored.sort((one, other) => other.score - one.score)[0];
  if (best !== undefined && best.score >= 2) return writtenOut(header, rows, best.name);
  return reference.toColumns[0]!;
}

/** Columns that point at rows of other tables, but for the lines. */
function pointingColumns(
  header: FoundTable,
  lines: FoundTable,
  { from, byName }: ReferenceGraph,
): ReadonlySet<string> {
  const pointing = (from.get(header.name) ?? [])
    .filter(({ columns, to }) => columns.length === 1 && to !== lines.name)
    // Rows of another table with the same key go on with this one.
    .filter(({ columns }) => !isWholeKey(header, columns))
    // A number of ours that another table repeats points at nothing.
    .filter(({ basis, to, toColumns }) => {
      const table = byName.get(to);
      return (
        basis === 'declared' || table === undefined || isWholeKey(table, toColumns.slice(0, 1))
      );
    });
  return new Set(pointing.map(({ columns }) => columns[0]!));
}

/** The invoice number of a table with a row for each line: it repeats, and with it date and customer. */
export function repeatedNumber(table: FoundTable): string | undefined {
  return table.columns.find(({ name }) => {
    const words = wordsOfColumn(table, name);
    const { values, filled, rows, kind } = columnFacts(table, name);
    const isNumber =
      words.includes('invoice') && (words.includes('number') || words.includes('id'));
    return isNumber && kind !== 'date' && filled === rows && values.size < rows && values.size > 1;
  })?.name;
}

/** Documents that show whether a number is printed with letters before it, at least. */
const printedMin = 12;

/** The number as it is printed, where a column has it with what stands before it: INV-000017 beside 17. */
function writtenOut(table: FoundTable, rows: readonly SampleRow[], number: string): string {
  if (columnFacts(table, number).kind !== 'integer' || rows.length < printedMin) return number;
  const printed = table.columns.find(({ name }) => {
    const words = wordsOfColumn(table, name);
    const isNumber = ['number', 'reference', 'code'].some((word) => words.includes(word));
    const isWritten = columnFacts(table, name).kind === 'text';
    const endsSo = (row: SampleRow) =>
      /^[A-Z]/i.test(row[name] ?? '') && row[name]!.endsWith(row[number] ?? '-');
    return isNumber && isWritten && !words.includes('payment') && rows.every(endsSo);
  });
  return printed?.name ?? number;
}

/** A GUID, which nobody reads. */
function isGuid(value: string): boolean {
  return /^\{?[0-9a-f]{8}(-?[0-9a-f]{4}){3}-?[0-9a-f]{12}\}?$/i.test(value);
}

/** Letters of a number that people read, at most: `IV-26-0031`, and no GUID. */
const readableMax = 20;

function isReadable(value: string): boolean {
  return value.length <= readableMax && /\d/.test(value);
}

/** Documents that show that a number is counted up, at least, and what it begins with: keys begin with 1. */
const counted = { rowsMin: 12, firstMin: 100 } as const;

/** Whether it goes up by one from document to document, from a number that somebody chose. */
function isCountedUp(table: FoundTable, column: string): boolean {
  const { kind, values, filled, rows } = columnFacts(table, column);
  if (kind !== 'integer' || rows < counted.rowsMin || filled < rows) return false;
  const numbers = [...values].map(Number);
  const first = Math.min(...numbers);
  const isWithoutGaps = values.size === rows && Math.max(...numbers) - first === rows - 1;
  return isWithoutGaps && first >= counted.firstMin;
}

/** `IV-26-0031`, whatever the column is called where it has numbers of other documents too; a name says more. */
function scoreByBeginning(rows: readonly SampleRow[], column: string): number {
  const values = rows.map((row) => row[column] ?? '');
  const areOwn = values.length > 2 && new Set(values).size === values.length;
  return areOwn && isInvoiceNumber(beginningOf(values)) ? 2.2 : 0;
}

/** Documents that have the same number as they have none yet, of all, at most. */
const placeholderMax = 0.3;

/** The numbers without the only one that several documents have in common: drafts have it, as 0. */
function withoutPlaceholder(numbers: readonly string[]): readonly string[] {
  const counts = Map.groupBy(numbers, (number) => number);
  const [repeated, ...more] = [...counts].filter(([, { length }]) => length > 1);
  if (repeated === undefined || more.length > 0) return numbers;
  const [placeholder, { length }] = repeated;
  const isOfDrafts = length <= numbers.length * placeholderMax;
  return isOfDrafts ? numbers.filter((number) => number !== placeholder) : numbers;
}

function numberScore(
  table: FoundTable,
  column: string,
  rows: readonly SampleRow[],
  filters: readonly DocumentFilter[],
): number {
  const words = new Set(wordsOfColumn(table, column));
  const { kind } = columnFacts(table, column);
  if (kind === 'date' || kind === 'decimal' || (kind === 'empty' && table.sample.length > 0))
    return 0;
  const values = rows.map((row) => row[column] ?? '');
  // Drafts often have none yet.
  const filled = withoutPlaceholder(values.filter((value) => value !== ''));
  const isMostly = filled.length >= values.length * (words.has('number') ? 0.7 : 1);
  if (values.length > 0 && (!isMostly || new Set(filled).size < filled.length)) return 0;
  const others = [
    'buyer',
    'seller',
    'supplier',
    'delivery',
    'tax',
    'phone',
    'original',
    'due',
    'payment',
    'account',
    'created',
    'modified',
    'item',
    'type',
    'status',
    'employee',
    'warehouse',
    'location',
  ];
  if (others.some((other) => words.has(other)) || filled.some(isGuid)) return 0;
  const ofTransaction = isOfTransaction(column);
  const isTable = !ofTransaction && [...subjectOf(table.name)].some((word) => words.has(word));
  let score = 0;
  const areReadable = kind === 'text' && filled.length > 2 && filled.every(isReadable);
  const isOfDocument = !ofTransaction && (words.size === 1 || words.has('invoice'));
  if (words.has('number')) score += isOfDocument || isTable ? 4 : 2;
  else if (words.has('reference')) score += words.size === 1 || words.has('invoice') ? 2.6 : 0;
  else if (words.has('code')) score += words.size === 1 || words.has('invoice') ? 2.5 : 0;
  else if (words.has('name') && words.size === 1) score += 2.7;
  // `Documento`: what it holds is what the document is called.
  else if (words.has('invoice') && words.size === 1) {
    score += areReadable ? 2.1 : 0;
  } else if (words.has('id') && words.size > 1 && isTable) score += 1;
  // What people call a document by, where rows are told by keys that nobody reads.
  else if (/^id$/i.test(column) && !table.primaryKey.includes(column)) {
    score += areReadable ? 2.1 : 0;
  }
  // A long number beside the key, of which no other table is known: `increment_id`.
  else if (words.has('id') && !table.primaryKey.includes(column)) {
    const areLong = filled.length > 2 && filled.every((value) => /^\d{6,20}$/.test(value));
    score += areLong || isCountedUp(table, column) ? 2.1 : 0;
  }
  if (words.has('order') && !isTable) score -= 3;
  const isWritten =
    kind === 'text' && filled.length > 0 && filled.every((value) => /\d/.test(value));
  if (score > 0 && isWritten) score += ofTransaction ? 0.1 : 1.5;
  // Of a counter and what is printed the latter says that it is an invoice.
  if (score > 0 && isInvoiceNumber(beginningOf(filled))) score += 0.3;
  if (words.has('name') && values.length > 0 && !isWritten) return 0;
  // The key of a row is a number by which people rarely know it, where there is another one.
  const isKey = table.primaryKey.includes(column);
  if (isKey && kind === 'integer') score -= filters.length > 0 ? 2 : 0.5;
  return score;
}
