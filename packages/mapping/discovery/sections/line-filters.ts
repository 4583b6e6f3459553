import { columnFacts, type FoundTable, wordsOfColumn } from '../database.ts';
import { deletedMark, type KindFilter } from '../kind-filters.ts';
import { isKind } from '../references.ts';

/**
 * How headers and lines are told apart in one table: by a column with two values, of which one has the quantities
 * and the other the customer.
 */
export function headerAndLineRows(
  table: FoundTable,
): { readonly header: KindFilter; readonly lines: KindFilter } | undefined {
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
export function lineFilters(lines: FoundTable): readonly KindFilter[] {
  const marks = lines.columns.flatMap(({ name }) => deletedMark(lines, name) ?? []);
  return [typeFilter(lines), marks[0]].filter((filter) => filter !== undefined);
}

/**
 * `item_type = goods` where rows of other types, such as tax or freight, have no quantity; undefined where more
 * than one type has quantities.
 */
function typeFilter(lines: FoundTable): KindFilter | undefined {
  const quantities = lines.columns.filter(({ name }) =>
    wordsOfColumn(lines, name).includes('quantity'),
  );
  if (quantities.length === 0) return undefined;
  for (const { name } of lines.columns) {
    if (!isKind(lines, name) || columnFacts(lines, name).filled < lines.sample.length) continue;
    const counted = (value: string) =>
      new Set(
        lines.sample
          .filter((row) => row[name] === value)
          .map((row) => quantities.some(({ name: quantity }) => Number(row[quantity] ?? 0) !== 0)),
      );
    const values = [...columnFacts(lines, name).values];
    const withQuantity = values.filter((value) => counted(value).has(true));
    const isTold = withQuantity.length === 1 && !counted(withQuantity[0]!).has(false);
    if (values.length > 1 && isTold) return { column: name, value: withQuantity[0]! };
  }
  return undefined;
}
