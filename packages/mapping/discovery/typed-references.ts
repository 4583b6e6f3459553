import { columnFacts, type FoundTable, folded, type SampleRow } from './database.ts';

/** A column that points at rows of the table that another column names: `rel_id` beside `rel_type = invoice`. */
export interface TypedPointer {
  readonly column: string;
  /** The column beside it, and its value in the rows that point at one table. */
  readonly kind: { readonly column: string; readonly value: string };
  /** What those rows hold. */
  readonly values: ReadonlySet<string>;
}

/** Different tables that one column may point at, at most. */
const tablesMax = 30;
/** Rows that point at one table, at least. */
const rowsMin = 3;

const kindName =
  /^(.{2,}?)_?(type|types|doctype|doc_type|table|tablename|model|class|entity|module)$/i;

/** Such pointers of a table, one for each value of the column beside. */
export function typedPointers(table: FoundTable): readonly TypedPointer[] {
  return table.columns.flatMap(({ name: kindColumn }) => {
    const stem = kindName.exec(kindColumn)?.[1];
    const { kind, values } = columnFacts(table, kindColumn);
    const isKind = kind === 'text' || kind === 'integer';
    if (stem === undefined || !isKind || values.size > tablesMax) return [];
    const column = table.columns.find(
      ({ name }) => name !== kindColumn && isPointer(name, stem, columnFacts(table, name).kind),
    )?.name;
    if (column === undefined) return [];
    return [...values].flatMap((value) => {
      const rows = table.sample.filter((row) => row[kindColumn] === value);
      const held = rows.map((row: SampleRow) => row[column] ?? '').filter((one) => one !== '');
      if (held.length < rowsMin) return [];
      return [{ column, kind: { column: kindColumn, value }, values: new Set(held) }];
    });
  });
}

function isPointer(name: string, stem: string, kind: string): boolean {
  const isOfStem = folded(name).replace(/(guid|uuid|id|key|no|name|code)$/, '') === folded(stem);
  return isOfStem && folded(name) !== folded(stem) && (kind === 'integer' || kind === 'text');
}

/** The name of a table within such a value: `App\Models\Invoice`, `sales.invoice`. */
export function namedTable(value: string): string {
  return value.replace(/^.*[\\/.]/, '');
}
