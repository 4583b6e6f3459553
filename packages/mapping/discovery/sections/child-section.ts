import {
  columnFacts,
  type FoundTable,
  isUnique,
  type Reference,
  tellingKey,
  wordsOfColumn,
} from '../database.ts';
import type { DocumentFilter } from '../document-filters/document-filter.ts';
import type { ProposedSection } from './section.ts';

/** The section of a table whose rows point at those of the header. */
export function childSection(
  table: FoundTable,
  { columns, toColumns, where: kind = {} }: Reference,
  filters: readonly DocumentFilter[],
): ProposedSection {
  const where: Record<string, string | null> = { ...kind };
  for (const [index, column] of columns.entries()) {
    if (index === 0) continue;
    const filter = filters.find((each) => each.column === toColumns[index]);
    if (filter !== undefined) where[column] = filter.value;
  }
  const orderBy = positionOf(table, columns);
  return {
    table: table.name,
    key: rowKeyOf(table, columns, orderBy),
    match: columns[0]!,
    matchFrom: toColumns[0]!,
    ...(orderBy === undefined ? {} : { orderBy }),
    ...(Object.keys(where).length === 0 ? {} : { where }),
  };
}

function positionOf(table: FoundTable, parents: readonly string[]): string | undefined {
  return table.columns.find(({ name }) => {
    if (parents.includes(name) || (table.primaryKey.length === 1 && table.primaryKey[0] === name))
      return false;
    const words = wordsOfColumn(table, name);
    const { kind } = columnFacts(table, name);
    const isPosition =
      words.includes('line') && words.every((word) => word === 'line' || word === 'number');
    return isPosition && (kind === 'integer' || kind === 'empty');
  })?.name;
}

/** The column that tells the rows of one document apart. */
export function rowKeyOf(
  table: FoundTable,
  parents: readonly string[],
  orderBy: string | undefined,
): string {
  if (table.primaryKey.length === 1 && !parents.includes(table.primaryKey[0]!)) {
    return table.primaryKey[0]!;
  }
  const rest = tellingKey(table).find((column) => !parents.includes(column));
  const unique = table.columns.find(
    ({ name }) =>
      wordsOfColumn(table, name).includes('id') &&
      !parents.includes(name) &&
      isUnique(table, [name]),
  );
  return rest ?? unique?.name ?? orderBy ?? table.columns[0]!.name;
}
