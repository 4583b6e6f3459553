import { wordsOf } from '../../words.ts';
import {
  columnFacts,
  type FoundTable,
  type Reference,
  type SampleRow,
  wordsOfColumn,
} from '../database.ts';
import { deletedMark } from '../document-filters/by-state.ts';
import { type DocumentFilter, keptRows } from '../document-filters/document-filter.ts';
import { isMark, offText } from '../marks.ts';
import { isKind, subjectOf } from '../references.ts';
import type { ReferenceGraph } from './reference-graph.ts';

/**
 * How headers and lines are told apart in one table: by a column with two values, of which one has the quantities
 * and the other the customer.
 */
export function headerAndLineRows(
  table: FoundTable,
): { readonly header: DocumentFilter; readonly lines: DocumentFilter } | undefined {
  const withWord = (word: string) =>
    table.columns
      .map(({ name }) => name)
      .filter((name) => wordsOfColumn(table, name).includes(word));
  const [quantity] = withWord('quantity');
  const [buyer] = withWord('buyer');
  if (quantity === undefined || buyer === undefined) return undefined;
  for (const { name } of table.columns) {
    const { values, rows, filled, kind } = columnFacts(table, name);
    if (values.size !== 2 || filled < rows || kind === 'date' || kind === 'decimal') continue;
    const holds = (value: string, column: string, isHeld: boolean) =>
      table.sample.every((row) => row[name] !== value || ((row[column] ?? '') !== '') === isHeld);
    const lines = [...values].find(
      (value) => holds(value, quantity, true) && holds(value, buyer, false),
    );
    const header = [...values].find((value) => value !== lines);
    if (lines === undefined || header === undefined || !holds(header, quantity, false)) continue;
    return { header: { column: name, value: header }, lines: { column: name, value: lines } };
  }
  return undefined;
}

/** What lines have to be filtered by: their type, and a mark of those that were deleted. */
export function lineFilters(
  lines: FoundTable,
  reference: Reference,
  header: FoundTable,
  filters: readonly DocumentFilter[],
  graph: ReferenceGraph,
): readonly DocumentFilter[] {
  const marks = lines.columns.flatMap(({ name }) => deletedMark(lines, name) ?? []);
  const type =
    typeFilter(lines) ??
    goodsFilter(linesOfKept(lines, reference, header, filters), reference, graph);
  const kinds = type === undefined ? markFilters(lines) : [type];
  return [...kinds, marks[0]].filter((filter) => filter !== undefined);
}

/** `tax_line = F` where rows with the mark are never counted: those of the tax, or of the document itself. */
function markFilters(lines: FoundTable): readonly DocumentFilter[] {
  const quantities = quantitiesOf(lines);
  const isCounted = (row: SampleRow) => quantities.some((name) => Number(row[name] ?? 0) !== 0);
  return lines.columns.flatMap(({ name }) => {
    const { values, filled, rows } = columnFacts(lines, name);
    const isOfLine = wordsOfColumn(lines, name).includes('line');
    if (!isOfLine || !isMark(values) || filled < rows) return [];
    const off = [...values].find((value) => offText.test(value))!;
    const isTold = (row: SampleRow) => row[name] === off || !isCounted(row);
    return lines.sample.some(isCounted) && lines.sample.every(isTold)
      ? [{ column: name, value: off }]
      : [];
  });
}

function quantitiesOf(lines: FoundTable): readonly string[] {
  return lines.columns
    .map(({ name }) => name)
    .filter((name) => wordsOfColumn(lines, name).includes('quantity'));
}

/**
 * `item_type = goods` where rows of other types, such as tax or freight, have no quantity; undefined where more
 * than one type has quantities.
 */
function typeFilter(lines: FoundTable): DocumentFilter | undefined {
  const quantities = quantitiesOf(lines);
  if (quantities.length === 0) return undefined;
  for (const { name } of lines.columns) {
    if (!isKind(lines, name) || columnFacts(lines, name).filled < lines.sample.length) continue;
    const counted = (value: string) =>
      new Set(
        lines.sample
          .filter((row) => row[name] === value)
          .map((row) => quantities.some((quantity) => Number(row[quantity] ?? 0) !== 0)),
      );
    const values = [...columnFacts(lines, name).values];
    const withQuantity = values.filter((value) => counted(value).has(true));
    const isTold = withQuantity.length === 1 && !counted(withQuantity[0]!).has(false);
    if (values.length > 1 && isTold) return { column: name, value: withQuantity[0]! };
  }
  return undefined;
}

/** The lines of the documents that the filters leave: those of orders and bills have other types. */
function linesOfKept(
  lines: FoundTable,
  { columns: [column = ''], toColumns: [key = ''] }: Reference,
  header: FoundTable,
  filters: readonly DocumentFilter[],
): FoundTable {
  const kept = new Set(keptRows(header, filters).map((row) => row[key]));
  return { ...lines, sample: lines.sample.filter((row) => kept.has(row[column] ?? null)) };
}

/** What types of rows are called that are no goods. */
const noGoods: ReadonlySet<string> = new Set(
  'tax payment terms note total section rounding'.split(' '),
);

/**
 * `row_type = goods` where rows of other types name no item, though they have a quantity of one, and are called after
 * what they are, or each document has one of them, which is its total.
 */
function goodsFilter(
  lines: FoundTable,
  { columns: [document = ''] }: Reference,
  { from, prefixes }: ReferenceGraph,
): DocumentFilter | undefined {
  const items = (from.get(lines.name) ?? [])
    .filter(({ to }) => subjectOf(to, prefixes).has('item'))
    .map(({ columns }) => columns[0]!);
  const namesItem = (row: SampleRow) => items.some((name) => (row[name] ?? '') !== '');
  const documents = columnFacts(lines, document).values;
  for (const { name } of lines.columns) {
    if (!isKind(lines, name) || columnFacts(lines, name).filled < lines.sample.length) continue;
    const types = [...Map.groupBy(lines.sample, (row) => row[name] ?? '')];
    const goods = types.filter(([, rows]) => rows.every(namesItem));
    const others = types.filter(([, rows]) => !rows.some(namesItem));
    const isOfEach = ([, rows]: (typeof types)[number]) =>
      rows.length === documents.size &&
      new Set(rows.map((row) => row[document])).size === rows.length;
    const isTold = goods.length === 1 && others.length === types.length - 1;
    const areNamed = others.every(([type]) => wordsOf(type).some((word) => noGoods.has(word)));
    const isSeveral = others.length > 0 && (areNamed || others.some(isOfEach));
    if (isTold && isSeveral) return { column: name, value: goods[0]![0] };
  }
  return undefined;
}
