import {
  byPlainName,
  columnFacts,
  type FoundDatabase,
  type FoundTable,
  type SampleRow,
  wordsOfColumn,
} from '../database.ts';

/** A column that tells invoices from other rows, and its value for invoices. */
export interface DocumentFilter {
  readonly column: string;
  /** Null: the column is empty, as in rows that were not deleted. */
  readonly value: string | null;
  /** Its value for credit notes, where one was seen. */
  readonly creditValue?: string;
}

/** Different values of a column of kinds, at most. */
export const kindsMax = 15;

/** The table with those rows of its sample that the filters leave. */
export function keptBy(table: FoundTable, filters: readonly DocumentFilter[]): FoundTable {
  return filters.length === 0 ? table : { ...table, sample: keptRows(table, filters) };
}

/** The rows of the sample that the filters leave. */
export function keptRows(
  { sample }: FoundTable,
  filters: readonly DocumentFilter[],
): readonly SampleRow[] {
  return sample.filter((row) =>
    filters.every(({ column, value }) =>
      value === null ? row[column] == null : (row[column] ?? '') === value,
    ),
  );
}

/** What the values are called, where they point at a table of names. */
export function namesOf(
  table: FoundTable,
  column: string,
  { tables, references }: FoundDatabase,
): ReadonlyMap<string, string> {
  const found = references.find((each) => each.table === table.name && each.columns[0] === column);
  const to = tables.find(({ name }) => name === found?.to);
  const text = to && nameColumn(to);
  if (found === undefined || to === undefined || text === undefined) return new Map();
  return new Map(to.sample.map((row) => [row[found.toColumns[0]!] ?? '', row[text] ?? '']));
}

/** The column with the names of the rows: the plainest that is called so and tells them apart, or the only text. */
function nameColumn(table: FoundTable): string | undefined {
  const all = table.columns.map(({ name }) => name);
  const isCalledSo = (name: string) => {
    const words = wordsOfColumn(table, name);
    const isText = words.includes('name') || words.includes('description');
    return isText || /name|desc|label|title/i.test(name);
  };
  const valuesIn = (name: string) => columnFacts(table, name).values.size;
  const [named] = all
    .filter((name) => isCalledSo(name) && valuesIn(name) > 0)
    .sort((one, other) => valuesIn(other) - valuesIn(one) || byPlainName(table, one, other));
  const texts = all.filter((name) => columnFacts(table, name).kind === 'text');
  return named ?? (texts.length === 1 ? texts[0] : undefined);
}

/** The filter, with the value for credit notes where there is one. */
export function withCredit(
  column: string,
  value: string,
  credit: string | undefined,
): DocumentFilter {
  return credit === undefined ? { column, value } : { column, value, creditValue: credit };
}

/** Columns with a total of the documents. */
export function totalsOf(header: FoundTable): readonly string[] {
  return header.columns.flatMap(({ name }) => {
    const words = wordsOfColumn(header, name);
    const { kind } = columnFacts(header, name);
    const isAmount = words.includes('gross') || words.includes('total') || words.includes('net');
    return isAmount && (kind === 'decimal' || kind === 'integer') ? [name] : [];
  });
}
