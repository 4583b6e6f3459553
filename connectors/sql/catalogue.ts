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
