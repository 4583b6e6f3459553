import { setImmediate as yieldToOthers } from 'node:timers/promises';
import type {
  FoundDatabase,
  FoundTable,
  Reference,
  SampleRow,
} from '@drawbridge/mapping/discovery/database.ts';
import { tableLikelihood } from '@drawbridge/mapping/discovery/likelihood.ts';
import {
  type LikelyReference,
  likelyReferences,
  surestReferences,
} from '@drawbridge/mapping/discovery/references.ts';
import type { ConnectorFault } from '../contract.ts';
import { tablesOfPresets } from '../presets/recognise.ts';
import { presets } from '../presets/registry.ts';
import { type CatalogueTable, loadCatalogue, loadKeys, type TableKeys } from './catalogue.ts';
import { createBinder, type Dialect, oneOf } from './dialect.ts';
import {
  faultCodes,
  type RowsOutcome,
  type RunStatement,
  type SqlDriver,
  type Unanswered,
} from './driver.ts';
import { isNameable } from './settings.ts';

/** Limits of a discovery. */
const discoverLimits = {
  /** Tables that are looked into, the likeliest by name. */
  tablesMax: 400,
  tableNamesMax: 20_000,
  /** Rows that are read of a table. */
  sampleRows: 200,
  /** Rows that are read of each kind, where the key begins with one. */
  kindRows: 40,
  kindsMax: 15,
  /** Longer values are no keys, and are cut. */
  valueLengthMax: 500,
  /** References whose values are looked up in the other table. */
  lookupsMax: 300,
  lookupValues: 25,
  /** Milliseconds for a table without a key, or a view: it may have to be read to its end. */
  keylessMs: 2_000,
  /** Milliseconds for any other table. */
  keyedMs: 5_000,
  /** Milliseconds after which no further table is begun, and nothing is looked up any more. */
  budgetMs: 22_000,
  /** Milliseconds after which what is still being read is given up. */
  endMs: 27_000,
} as const;

/** What discovery came to. */
export type Discovery =
  | {
      readonly kind: 'discovered';
      /** What the server says it is. */
      readonly product: string;
      readonly database: FoundDatabase;
      /** What was left out and why, in plain words. */
      readonly notes: readonly string[];
    }
  | Unanswered;

/**
 * Finds tables, keys, foreign keys and samples of a database. Samples are read along keys, so that no
 * large table is read to its end.
 */
export async function discover(driver: SqlDriver, signal: AbortSignal): Promise<Discovery> {
  const budget = AbortSignal.timeout(discoverLimits.budgetMs);
  const end = AbortSignal.timeout(discoverLimits.endMs);
  const notes: string[] = [];
  const catalogue = await driver.inReadTransaction(
    (run) => catalogued(run, driver.dialect),
    signal,
  );
  if (catalogue.kind !== 'catalogued') return catalogue;
  const tables: FoundTable[] = [];
  for (const [index, one] of catalogue.tables.entries()) {
    if (budget.aborted) {
      notes.push(`${catalogue.tables.length - index} tables were left out for lack of time.`);
      break;
    }
    const isKeyless = one.primaryKey.length === 0 && one.uniques.length === 0;
    const limitMs = isKeyless ? discoverLimits.keylessMs : discoverLimits.keyedMs;
    const limit = AbortSignal.any([end, AbortSignal.timeout(limitMs)]);
    const sampled = await driver.inReadTransaction(
      (run) => sampleTable(run, one, driver.dialect),
      AbortSignal.any([signal, limit]),
    );
    if (sampled.kind === 'sampled') {
      tables.push(sampled.table);
    } else if (signal.aborted || (isOfServer(sampled.fault) && !limit.aborted)) {
      return sampled;
    } else if (limit.aborted) {
      notes.push(`${one.name} was left out: ${limitMs / 1_000} s were too short to read a sample.`);
    } else {
      notes.push(`${one.name} was left out: ${sampled.fault.message}`);
    }
  }
  if (catalogue.left > 0) {
    notes.push(
      `${catalogue.left} tables whose names say nothing of invoices were not looked into.`,
    );
  }
  const declared = declaredReferences(catalogue.foreignKeys, tables);
  const likely: LikelyReference[] = [];
  for (const some of likelyReferences(tables, declared)) {
    likely.push(...some);
    await yieldToOthers();
    if (signal.aborted || end.aborted) break;
  }
  if (end.aborted) notes.push('Some tables were not compared with the others for lack of time.');
  const checked = await driver.inReadTransaction(
    (run) => lookUp(run, driver.dialect, likely, tables, catalogue.tables, budget),
    AbortSignal.any([signal, end]),
  );
  if ('kind' in checked && (signal.aborted || !end.aborted)) return checked;
  const sure = surestReferences('kind' in checked ? likely : checked);
  const references = [...declared, ...sure];
  const { product } = catalogue;
  return { kind: 'discovered', product, database: { tables, references }, notes };
}

/** Whether it is no matter of one table, so that others are not looked into either. */
function isOfServer({ code, retry }: ConnectorFault): boolean {
  return retry !== 'never' && code !== faultCodes.tooLarge;
}

interface CataloguedTable extends TableKeys {
  readonly name: string;
  readonly table: CatalogueTable;
  readonly rows: number | undefined;
}

interface Catalogued {
  readonly kind: 'catalogued';
  readonly product: string;
  readonly tables: readonly CataloguedTable[];
  readonly foreignKeys: readonly Reference[];
  /** Tables that were not looked into. */
  readonly left: number;
}

async function catalogued(run: RunStatement, dialect: Dialect): Promise<Catalogued | Unanswered> {
  const { tableNamesMax, tablesMax } = discoverLimits;
  const told = await run({ text: dialect.product, values: [], rowsMax: 1 });
  if (told.kind !== 'rows') return { kind: 'unanswered', fault: told.fault };
  const product = told.rows[0]?.[0] ?? '';
  const text = dialect.limited(dialect.tables, tableNamesMax);
  const names = await run({ text, values: [], rowsMax: tableNamesMax });
  if (names.kind !== 'rows') return { kind: 'unanswered', fault: names.fault };
  const defaultSchema = names.rows[0]?.[0];
  const known = tablesOfPresets(
    names.rows.map(([, table]) => table ?? ''),
    presets,
  );
  const scoreOf = (table: string) => (known.has(table) ? Infinity : tableLikelihood(table));
  const likeliest = names.rows
    .filter(([, table]) => isNameable(table ?? ''))
    .map(([schema, table]) => ({ schema, table: table ?? '', score: scoreOf(table ?? '') }))
    .sort((one, other) => (one.score === other.score ? 0 : other.score - one.score))
    .slice(0, tablesMax);
  const left = names.rows.length - likeliest.length;
  if (likeliest.length === 0) {
    return { kind: 'catalogued', product, tables: [], foreignKeys: [], left };
  }
  const wanted = [...new Set(likeliest.map(({ table }) => table))];
  const catalogue = await loadCatalogue(run, dialect, wanted);
  if (catalogue.kind !== 'catalogue') return { kind: 'unanswered', fault: catalogue.fault };
  const rowsOf = async (statement: string | undefined) => {
    if (statement === undefined) return [];
    const rowsMax = 100_000;
    const outcome = await run({ text: statement, values: wanted, rowsMax, isGuarded: true });
    // A user who may not read the catalogue sees no keys: they are then found by values.
    return outcome.kind === 'rows' ? outcome.rows : [];
  };
  const keys = await loadKeys(run, dialect, wanted);
  const counts = new Map(
    (await rowsOf(dialect.rowCounts?.(wanted.length))).map(([schema, table, count]) => [
      JSON.stringify([schema, table]),
      countOf(count),
    ]),
  );
  const nameOf = (schema: string | null, table: string | null) =>
    schema === defaultSchema ? (table ?? '') : `${schema}.${table}`;
  const tables = likeliest.flatMap(({ schema, table }): CataloguedTable[] => {
    const found = catalogue.tables.find((one) => one.schema === schema && one.table === table);
    if (found === undefined) return [];
    const rows = counts.get(JSON.stringify([schema, table]));
    return [{ name: nameOf(schema ?? null, table), table: found, ...keys(found), rows }];
  });
  const foreignKeys = foreignKeysOf(await rowsOf(dialect.foreignKeys(wanted.length)), nameOf);
  return { kind: 'catalogued', product, tables, foreignKeys, left };
}

function foreignKeysOf(
  rows: readonly (readonly (string | null)[])[],
  nameOf: (schema: string | null, table: string | null) => string,
): Reference[] {
  const byKey = Map.groupBy(rows, ([schema, table, key]) => JSON.stringify([schema, table, key]));
  return [...byKey.values()].map((columns) => {
    const [schema, table, , , otherSchema, otherTable] = columns[0]!;
    return {
      table: nameOf(schema ?? null, table ?? null),
      columns: columns.map((row) => row[3] ?? ''),
      to: nameOf(otherSchema ?? null, otherTable ?? null),
      toColumns: columns.map((row) => row[6] ?? ''),
      basis: 'declared',
      confidence: 1,
    };
  });
}

/** Those between tables that were looked into; SQLite writes their names in any case. */
function declaredReferences(all: readonly Reference[], tables: readonly FoundTable[]): Reference[] {
  const byName = new Map(tables.map((table) => [table.name.toLowerCase(), table]));
  return all.flatMap((reference) => {
    const to = byName.get(reference.to.toLowerCase());
    const from = byName.get(reference.table.toLowerCase());
    if (to === undefined || from === undefined) return [];
    return [{ ...reference, table: from.name, to: to.name }];
  });
}

type Sampled = { readonly kind: 'sampled'; readonly table: FoundTable } | Unanswered;

async function sampleTable(
  run: RunStatement,
  one: CataloguedTable,
  dialect: Dialect,
): Promise<Sampled> {
  const { types, quoted } = one.table;
  const { valueLengthMax } = discoverLimits;
  const columns = [...types]
    .filter(([name, type]) => isNameable(name) && !dialect.isBinary(type))
    .map(([name, type]) => ({ name, type }));
  const found = { name: one.name, columns, primaryKey: one.primaryKey, uniques: one.uniques };
  if (columns.length === 0) {
    return { kind: 'sampled', table: { ...found, rows: one.rows, sample: [] } };
  }
  const list = columns
    .map(({ name, type }) => dialect.beginning(dialect.quote(name), type, valueLengthMax))
    .join(', ');
  const select = `SELECT ${list} FROM ${quoted}`;
  const key = one.primaryKey.length > 0 ? one.primaryKey : (one.uniques[0] ?? []);
  const newest = await readRows(run, dialect, select, key, discoverLimits.sampleRows);
  if (newest.kind === 'unanswered') return newest;
  const names = columns.map(({ name }) => name);
  const rows = newest.kind === 'rows' ? newest.rows.map((row) => sampleRow(names, row)) : [];
  if (rows.length < discoverLimits.sampleRows) {
    return { kind: 'sampled', table: { ...found, rows: rows.length, sample: rows } };
  }
  const kinds = await sampleKinds(run, one, dialect, select, names);
  const count = one.rows ?? (await countRows(run, one, dialect));
  const sample = [
    ...new Map([...rows, ...kinds].map((row) => [JSON.stringify(row), row])).values(),
  ];
  return { kind: 'sampled', table: { ...found, rows: count ?? Number.MAX_SAFE_INTEGER, sample } };
}

function sampleRow(names: readonly string[], row: readonly (string | null)[]): SampleRow {
  const cut = (value: string | null | undefined) =>
    value == null ? null : value.slice(0, discoverLimits.valueLengthMax);
  return Object.fromEntries(names.map((name, index) => [name, cut(row[index])]));
}

/** Rows along a key, newest first, which takes as long as there are rows to answer with. */
function readRows(
  run: RunStatement,
  dialect: Dialect,
  select: string,
  key: readonly string[],
  count: number,
  where?: { readonly condition: string; readonly values: readonly string[] },
): Promise<RowsOutcome> {
  const order = key.map((column) => `${dialect.quote(column)} DESC`).join(', ');
  const text =
    select +
    (where === undefined ? '' : ` WHERE ${where.condition}`) +
    (order === '' ? '' : ` ORDER BY ${order}`);
  return run({
    text: dialect.limited(text, count),
    values: where?.values ?? [],
    rowsMax: count,
    isGuarded: true,
  });
}

async function countRows(
  run: RunStatement,
  { table }: CataloguedTable,
  dialect: Dialect,
): Promise<number | undefined> {
  const text = dialect.rowCount?.(table.quoted);
  if (text === undefined) return undefined;
  const outcome = await run({ text, values: [], rowsMax: 1, isGuarded: true });
  return outcome.kind === 'rows' ? countOf(outcome.rows[0]?.[0]) : undefined;
}

/** What a server says is a number of rows; undefined when it is none. */
function countOf(text: string | null | undefined): number | undefined {
  const count = text == null ? Number.NaN : Number(text);
  return Number.isFinite(count) && count >= 0 ? count : undefined;
}

/**
 * Rows of each kind, where the key is (kind, number): the newest by the key are all of the last kind. One
 * look-up in the key finds the next kind.
 */
async function sampleKinds(
  run: RunStatement,
  { table, primaryKey }: CataloguedTable,
  dialect: Dialect,
  select: string,
  names: readonly string[],
): Promise<readonly SampleRow[]> {
  const [kind, ...rest] = primaryKey;
  if (kind === undefined || rest.length === 0) return [];
  const type = table.types.get(kind) ?? '';
  const quoted = dialect.quote(kind);
  const found: SampleRow[] = [];
  let last: string | undefined;
  for (let count = 0; count < discoverLimits.kindsMax; count++) {
    const binder = createBinder(dialect);
    const after =
      last === undefined
        ? `${quoted} IS NOT NULL`
        : `${quoted} > ${dialect.converted(binder.bind(dialect.comparable(last)), type)}`;
    const text =
      `SELECT ${dialect.selected(quoted, type)} FROM ${table.quoted} ` +
      `WHERE ${after} ORDER BY ${quoted}`;
    const next = await run({
      text: dialect.limited(text, 1),
      values: binder.values,
      rowsMax: 1,
      isGuarded: true,
    });
    const value = next.kind === 'rows' ? next.rows[0]?.[0] : undefined;
    if (value == null || value === last) return found;
    last = value;
    // Not as text, which may not use the index: the value is one of the column's own.
    const condition = `${quoted} = ${dialect.converted(dialect.placeholder(1), type)}`;
    const where = { condition, values: [dialect.comparable(value)] };
    const rows = await readRows(run, dialect, select, rest, discoverLimits.kindRows, where);
    if (rows.kind === 'rows') found.push(...rows.rows.map((row) => sampleRow(names, row)));
  }
  // So many are no kinds.
  return [];
}

/** References whose values are not in the sample of the other table are looked up there, by its key. */
async function lookUp(
  run: RunStatement,
  dialect: Dialect,
  likely: readonly LikelyReference[],
  tables: readonly FoundTable[],
  catalogue: readonly CataloguedTable[],
  budget: AbortSignal,
): Promise<readonly Reference[]> {
  const checked: Reference[] = [];
  let lookups = 0;
  for (const reference of [...likely].sort((one, other) => other.confidence - one.confidence)) {
    const { table, columns, to, toColumns, where = {}, contained, isWhole } = reference;
    const other = catalogue.find(({ name }) => name === to);
    const own = tables.find(({ name }) => name === table);
    const isIndexed =
      other !== undefined &&
      [other.primaryKey, ...other.uniques].some(([first]) => first === toColumns[0]);
    const isSettled = isWhole || contained === 1 || columns.length > 1;
    if (isSettled || !isIndexed || lookups >= discoverLimits.lookupsMax || budget.aborted) {
      checked.push(reference);
      continue;
    }
    lookups += 1;
    const pointing = own?.sample.filter((row) =>
      Object.entries(where).every(([column, value]) => row[column] === value),
    );
    const values = [...new Set(pointing?.map((row) => row[columns[0]!] ?? ''))]
      .filter((value) => value !== '' && value !== '0')
      .slice(0, discoverLimits.lookupValues);
    const share = await sharePresent(run, dialect, other!.table, toColumns[0]!, values);
    if (share === undefined || share >= 0.9) {
      checked.push({ ...reference, confidence: Math.min(0.99, reference.confidence + 0.2) });
    }
  }
  return checked;
}

async function sharePresent(
  run: RunStatement,
  dialect: Dialect,
  table: CatalogueTable,
  column: string,
  values: readonly string[],
): Promise<number | undefined> {
  if (values.length === 0) return undefined;
  const binder = createBinder(dialect);
  const type = table.types.get(column) ?? '';
  const quoted = dialect.quote(column);
  const isWanted = oneOf(dialect, column, type, values, binder);
  if (isWanted === undefined) return 0;
  const select = `SELECT ${dialect.selected(quoted, type)} FROM ${table.quoted} WHERE ${isWanted}`;
  const outcome = await run({
    text: dialect.limited(select, values.length),
    values: binder.values,
    rowsMax: values.length,
    isGuarded: true,
  });
  if (outcome.kind !== 'rows') return undefined;
  const found = new Set(outcome.rows.map(([value]) => value));
  return values.filter((value) => found.has(value)).length / values.length;
}
