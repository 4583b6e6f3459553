import type { ColumnDescription, DescribeOutcome } from '../contract.ts';
import { samplesOf } from '../samples.ts';
import { type CatalogueTable, loadCatalogue } from './catalogue.ts';
import { createBinder, type Dialect } from './dialect.ts';
import type { RowsOutcome, RunStatement } from './driver.ts';
import { newestRefs } from './list.ts';
import { tableLikelihood } from './propose.ts';
import {
  bindQuery,
  filterConditions,
  type Plan,
  type SectionPlan,
  type TablePlan,
} from './section.ts';

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
  const header = plan.header;
  const newest =
    header.kind === 'table' ? await newestRefs(run, header, [header.section.key], dialect, 1) : [];
  if ('kind' in newest) return { kind: 'unreachable', fault: newest.fault };
  for (const section of [header, ...plan.others]) {
    const rows = await sampleRows(run, section, dialect, newest[0] ?? '');
    if (rows.kind === 'unanswered') return { kind: 'unreachable', fault: rows.fault };
    columns.push(...describeRows(section, rows));
  }
  return { kind: 'described', columns };
}

async function sampleRows(
  run: RunStatement,
  plan: SectionPlan,
  dialect: Dialect,
  ref: string,
): Promise<RowsOutcome> {
  if (plan.kind === 'query') return run(bindQuery(plan.section, ref, dialect, sampleRowsMax));
  const binder = createBinder(dialect);
  const conditions = filterConditions(plan, dialect, binder);
  const where = conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`;
  return run({
    text:
      `SELECT ${plan.columns.map(dialect.quote).join(', ')} FROM ${plan.table.quoted}${where} ` +
      `ORDER BY ${dialect.quote(plan.section.key)} DESC LIMIT ${sampleRowsMax}`,
    values: binder.values,
    rowsMax: sampleRowsMax,
  });
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
    text: `${dialect.tables} LIMIT ${tableNamesMax}`,
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
    (column) => !dialect.isBinary(table.types.get(column) ?? ''),
  );
  if (columns.length === 0) return [];
  const rows = await run({
    text:
      `SELECT ${columns.map(dialect.quote).join(', ')} FROM ${table.quoted} ` +
      `LIMIT ${sampleRowsMax}`,
    values: [],
    rowsMax: sampleRowsMax,
    isGuarded: true,
  });
  // A view over a table that is gone, or one this user may not open, hides only itself.
  if (rows.kind === 'unanswered' && rows.fault.retry !== 'never') {
    return { kind: 'unreachable', fault: rows.fault };
  }
  const plan: TablePlan = {
    kind: 'table',
    name,
    section: { table: name, key: columns[0] ?? '', match: columns[0] ?? '' },
    table,
    columns,
    selected: columns,
  };
  return describeRows(plan, rows);
}
