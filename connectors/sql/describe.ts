import { tableLikelihood } from '@drawbridge/mapping/discovery/likelihood.ts';
import type { Join } from '@drawbridge/mapping/mapping.ts';
import type { ColumnDescription, DescribeOutcome } from '../contract.ts';
import { samplesOf } from '../samples.ts';
import { type CatalogueTable, loadCatalogue, loadKeys, type TableKeys } from './catalogue.ts';
import { createBinder, type Dialect } from './dialect.ts';
import { faultCodes, type RowsOutcome, type RunStatement, type Unanswered } from './driver.ts';
import { newestRefs } from './list.ts';
import { type FetchedRow, fetchSection, joinValue } from './read.ts';
import {
  bindQuery,
  filterConditions,
  type Plan,
  parentOf,
  type QueryPlan,
  type SectionPlan,
  selectList,
  type TablePlan,
} from './section.ts';
import { isNameable } from './settings.ts';

/** Tables described while no sections are set up: the likeliest by name. */
const tablesMax = 200;
/** How many table names are read. */
const tableNamesMax = 20_000;
/** How many rows are read for samples. */
const sampleRowsMax = 20;

/** Describes the configured sections with samples from their newest rows. */
export async function describeSections(
  run: RunStatement,
  plan: Plan,
  dialect: Dialect,
): Promise<DescribeOutcome> {
  const columns: ColumnDescription[] = [];
  const sample = await sampleHeader(run, plan.header, dialect);
  if ('kind' in sample) return { kind: 'unreachable', fault: sample.fault };
  const sections = [plan.header, ...plan.others];
  const tables = sections.flatMap((section) => (section.kind === 'table' ? section.table : []));
  const names = [...new Set(tables.map(({ table }) => table))];
  const keysOf = await loadKeys(run, dialect, names);
  for (const section of sections) {
    const rows =
      section.kind === 'query'
        ? await sampleQuery(run, section, dialect, joinValue(section, sample.ref, sample.header))
        : await sampleTable(run, section, dialect, keysOf(section.table));
    if (rows.kind === 'unanswered') return { kind: 'unreachable', fault: rows.fault };
    columns.push(...describeRows(section, rows));
  }
  return { kind: 'described', columns, joins: joinsOf(plan) };
}

/** How rows of tables that hang on other sections are found. */
function joinsOf({ others }: Plan): Readonly<Record<string, Join>> | undefined {
  const joins = others.flatMap((plan): [string, Join][] => {
    const parent = parentOf(plan.section);
    const { matchFrom } = plan.section;
    if (plan.kind === 'query' || matchFrom === undefined) return [];
    return [[plan.name, { parent, column: plan.section.match, parent_column: matchFrom }]];
  });
  return joins.length === 0 ? undefined : Object.fromEntries(joins);
}

/** A document whose values are bound to the handwritten queries; null where none is known. */
interface Sample {
  readonly ref: string | null;
  readonly header: FetchedRow | undefined;
}

async function sampleHeader(
  run: RunStatement,
  plan: SectionPlan,
  dialect: Dialect,
): Promise<Sample | Unanswered> {
  const ref = await sampleRef(run, plan, dialect);
  if (typeof ref !== 'string') return ref ?? { ref: null, header: undefined };
  const found = await fetchSection(run, plan, dialect, [ref]);
  if (found instanceof Map) return { ref, header: found.get(ref)?.[0] };
  return 'kind' in found && found.kind === 'unanswered' ? found : { ref, header: undefined };
}

async function sampleRef(
  run: RunStatement,
  plan: SectionPlan,
  dialect: Dialect,
): Promise<string | Unanswered | undefined> {
  if (plan.kind === 'query') return plan.section.sampleRef;
  const newest = await newestRefs(run, plan, [plan.section.key], dialect, 1);
  if (!('kind' in newest)) return newest[0];
  return { kind: 'unanswered', fault: newest.fault };
}

async function sampleQuery(
  run: RunStatement,
  { section }: QueryPlan,
  dialect: Dialect,
  value: string | null,
): Promise<RowsOutcome> {
  const rows = await run(bindQuery(section, value, dialect, sampleRowsMax));
  const isIncomparable = rows.kind === 'unanswered' && rows.fault.code === faultCodes.incomparable;
  // Without a value that fits there are no rows, but their columns can be seen.
  return isIncomparable ? run(bindQuery(section, null, dialect, sampleRowsMax)) : rows;
}

function sampleTable(
  run: RunStatement,
  plan: TablePlan,
  dialect: Dialect,
  keys: TableKeys,
): Promise<RowsOutcome> {
  const binder = createBinder(dialect);
  const conditions = filterConditions(plan, dialect, binder);
  const where = conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`;
  const order = sampleOrder(plan, keys).map((column) => `${dialect.quote(column)} DESC`);
  const select =
    `SELECT ${selectList(plan, plan.columns, dialect)} FROM ${plan.table.quoted}${where} ` +
    `ORDER BY ${order.join(', ')}`;
  const text = dialect.limited(select, sampleRowsMax);
  return run({ text, values: binder.values, rowsMax: sampleRowsMax });
}

/**
 * Columns by which the newest rows come first: those of the section's key, or of a declared key that begins
 * with what rows are matched by. In another order a large table would be read to its end.
 */
function sampleOrder(
  { section }: TablePlan,
  { primaryKey, uniques }: TableKeys,
): readonly string[] {
  const filtered = Object.keys(section.where ?? {});
  const orders = [primaryKey, ...uniques].map((key) =>
    key.filter((column) => !filtered.includes(column)),
  );
  if (orders.some(([first]) => first === section.key)) return [section.key];
  return orders.find(([first]) => first === section.match) ?? [section.key];
}

function describeRows(plan: SectionPlan, rows: RowsOutcome): ColumnDescription[] {
  // A value that has no text hides the samples, not the columns.
  const columns = plan.kind === 'table' ? plan.columns : rows.kind === 'rows' ? rows.columns : [];
  return columns.map((column, index) => ({
    section: plan.name,
    origin: plan.kind === 'table' ? plan.section.table : `query ${plan.name}`,
    column,
    type: (plan.kind === 'table' ? plan.table.types.get(column) : undefined) ?? 'text',
    samples: rows.kind === 'rows' ? samplesOf(rows.rows.map((row) => row[index])) : [],
  }));
}

/** Describes the tables of the database, each as a section of that name, the likeliest first. */
export async function describeTables(
  run: RunStatement,
  dialect: Dialect,
): Promise<DescribeOutcome> {
  const names = await run({
    text: dialect.limited(dialect.tables, tableNamesMax),
    values: [],
    rowsMax: tableNamesMax,
  });
  if (names.kind !== 'rows') return { kind: 'unreachable', fault: names.fault };
  const defaultSchema = names.rows[0]?.[0];
  const likeliest = names.rows
    .map(([schema, table]) => ({ schema, table: table ?? '', score: tableLikelihood(table ?? '') }))
    .sort((one, other) => other.score - one.score)
    .slice(0, tablesMax);
  if (likeliest.length === 0) return { kind: 'described', columns: [] };
  const catalogue = await loadCatalogue(
    run,
    dialect,
    likeliest.map(({ table }) => table),
  );
  if (catalogue.kind !== 'catalogue') return { kind: 'unreachable', fault: catalogue.fault };
  const columns: ColumnDescription[] = [];
  for (const { schema, table } of likeliest) {
    const found = catalogue.tables.find((one) => one.schema === schema && one.table === table);
    if (found === undefined) continue;
    const name = schema === defaultSchema ? table : `${schema}.${table}`;
    const described = await describeTable(run, found, name, dialect);
    if ('kind' in described) return described;
    columns.push(...described);
  }
  return { kind: 'described', columns };
}

async function describeTable(
  run: RunStatement,
  table: CatalogueTable,
  name: string,
  dialect: Dialect,
): Promise<readonly ColumnDescription[] | DescribeOutcome> {
  const columns = [...table.types.keys()].filter(
    (column) => isNameable(column) && !dialect.isBinary(table.types.get(column) ?? ''),
  );
  if (columns.length === 0) return [];
  const plan: TablePlan = {
    kind: 'table',
    name,
    section: { table: name, key: columns[0] ?? '', match: columns[0] ?? '' },
    table,
    columns,
    selected: columns,
  };
  const select = `SELECT ${selectList(plan, columns, dialect)} FROM ${table.quoted}`;
  const rows = await run({
    text: dialect.limited(select, sampleRowsMax),
    values: [],
    rowsMax: sampleRowsMax,
    isGuarded: true,
  });
  // A view over a table that is gone, or one this user may not open, hides only itself.
  if (rows.kind === 'unanswered' && rows.fault.retry !== 'never') {
    return { kind: 'unreachable', fault: rows.fault };
  }
  return describeRows(plan, rows);
}
