import type { Dialect, Statement } from './dialect.ts';
import type { RunStatement, Unanswered, Unusable } from './driver.ts';

/** A table or view that exists, with the types of its columns in the database's own words. */
export interface CatalogueTable {
  readonly schema: string;
  readonly table: string;
  /** As it stands in statements, quoted. */
  readonly quoted: string;
  readonly types: ReadonlyMap<string, string>;
}

const columnsMax = 20_000;

export type CatalogueOutcome =
  | { readonly kind: 'catalogue'; readonly tables: readonly CatalogueTable[] }
  | Unusable
  | Unanswered;

/**
 * The tables called `names` (with or without schema) as they are now; unknown names are left out.
 */
export async function loadCatalogue(
  run: RunStatement,
  dialect: Dialect,
  names: readonly string[],
): Promise<CatalogueOutcome> {
  const outcome = await run(catalogueStatement(dialect, names));
  if (outcome.kind !== 'rows') return outcome;
  const tables = new Map<string, CatalogueTable & { types: Map<string, string> }>();
  for (const [schema, table, column, type] of outcome.rows) {
    if (!schema || !table || !column) continue;
    const id = JSON.stringify([schema, table]);
    const entry = tables.get(id) ?? {
      schema,
      table,
      quoted: `${dialect.quote(schema)}.${dialect.quote(table)}`,
      types: new Map<string, string>(),
    };
    entry.types.set(column, type ?? '');
    tables.set(id, entry);
  }
  return { kind: 'catalogue', tables: [...tables.values()] };
}

function catalogueStatement(dialect: Dialect, names: readonly string[]): Statement {
  // "sales.invoice" may be a table of that name, or the table invoice of the schema sales.
  const wanted = new Set(names.flatMap((name) => [name, name.slice(name.indexOf('.') + 1)]));
  return {
    text: dialect.limited(dialect.columns(wanted.size), columnsMax),
    values: [...wanted],
    rowsMax: columnsMax,
  };
}

/** The declared keys of a table, columns in their order. */
export interface TableKeys {
  /** Empty where none is declared. */
  readonly primaryKey: readonly string[];
  readonly uniques: readonly (readonly string[])[];
}

const noKeys: TableKeys = { primaryKey: [], uniques: [] };
const keyColumnsMax = 100_000;

/** The keys of the tables called `names`; none for a user who may not read that part of the catalogue. */
export async function loadKeys(
  run: RunStatement,
  dialect: Dialect,
  names: readonly string[],
): Promise<(table: CatalogueTable) => TableKeys> {
  if (names.length === 0) return () => noKeys;
  const text = dialect.keys(names.length);
  const outcome = await run({ text, values: names, rowsMax: keyColumnsMax, isGuarded: true });
  const found = new Map<string, { primaryKey: string[]; uniques: string[][] }>();
  const byKey = Map.groupBy(
    outcome.kind === 'rows' ? outcome.rows : [],
    ([schema, table, key, kind]) => JSON.stringify([schema, table, key, kind]),
  );
  for (const columns of byKey.values()) {
    const [schema, table, , kind] = columns[0]!;
    const id = JSON.stringify([schema, table]);
    const own = found.get(id) ?? { primaryKey: [], uniques: [] };
    const list = columns.map(([, , , , column]) => column ?? '');
    if (kind === 'P') own.primaryKey = list;
    else own.uniques.push(list);
    found.set(id, own);
  }
  return ({ schema, table }) => found.get(JSON.stringify([schema, table])) ?? noKeys;
}

/** The table that settings call `name`: by its bare name in the default schema, or with schema. */
export function findTable(
  tables: readonly CatalogueTable[],
  name: string,
): CatalogueTable | undefined {
  return (
    tables.find(({ table }) => table === name) ??
    tables.find(({ schema, table }) => `${schema}.${table}` === name)
  );
}
