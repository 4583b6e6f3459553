import type { ConnectorFault } from '../contract.ts';
import { fault } from '../fault.ts';
import { type CatalogueTable, findTable } from './catalogue.ts';
import { createBinder, type Dialect, equality, oneOf, type Statement } from './dialect.ts';
import {
  isNameable,
  type QuerySection,
  type Sections,
  splitAtRef,
  type TableSection,
} from './settings.ts';

/** A section whose table and columns were found in the catalogue. */
export interface TablePlan {
  readonly kind: 'table';
  readonly name: string;
  readonly section: TableSection;
  readonly table: CatalogueTable;
  /** Columns that go into the document. */
  readonly columns: readonly string[];
  /** Columns that are read: those of the document and those that grouping needs. */
  readonly selected: readonly string[];
}

/** A section that an administrator wrote. */
export interface QueryPlan {
  readonly kind: 'query';
  readonly name: string;
  readonly section: QuerySection;
}

export type SectionPlan = TablePlan | QueryPlan;

/** The header section, and the sections that refer to it. */
export interface Plan {
  readonly header: SectionPlan;
  readonly others: readonly SectionPlan[];
}

export type PlanOutcome =
  | { readonly kind: 'planned'; readonly plan: Plan }
  | { readonly kind: 'unplanned'; readonly fault: ConnectorFault };

/** Checks the settings against the catalogue; a fault names what the database does not have. */
export function planSections(
  sections: Sections,
  tables: readonly CatalogueTable[],
  dialect: Dialect,
): PlanOutcome {
  const extrasOf = (name: string) =>
    Object.values(sections).flatMap((section) =>
      parentOf(section) === name ? (section.matchFrom ?? []) : [],
    );
  const plans: SectionPlan[] = [];
  for (const [name, section] of Object.entries(sections)) {
    const plan =
      'query' in section
        ? ({ kind: 'query', name, section } as const)
        : planTable(name, section, tables, dialect, extrasOf(name));
    if (plan.kind === 'unplanned') return plan;
    plans.push(plan);
  }
  const header = plans.find(({ name }) => name === 'header');
  if (header === undefined) {
    const message = 'No sections are set up: say in the settings which table holds the header.';
    return { kind: 'unplanned', fault: fault('sections_missing', message, 'never') };
  }
  const others = plans.filter((plan) => plan !== header);
  return { kind: 'planned', plan: { header, others } };
}

/** The section whose values a section is matched with. */
export function parentOf(section: Sections[string]): string {
  return ('of' in section ? section.of : undefined) ?? 'header';
}

function planTable(
  name: string,
  section: TableSection,
  tables: readonly CatalogueTable[],
  dialect: Dialect,
  extras: readonly string[],
): TablePlan | { readonly kind: 'unplanned'; readonly fault: ConnectorFault } {
  const table = findTable(tables, section.table);
  if (table === undefined) {
    const message = `Section "${name}": this user sees no table "${section.table}".`;
    return { kind: 'unplanned', fault: fault('table_missing', message, 'never') };
  }
  const columns =
    section.columns ??
    [...table.types]
      .filter(([column, type]) => isNameable(column) && !dialect.isBinary(type))
      .map(([column]) => column);
  const selected = [...new Set([...columns, section.key, section.match, ...extras])];
  const named = [...selected, section.orderBy ?? section.key, ...Object.keys(section.where ?? {})];
  const unknown = named.find((column) => !table.types.has(column));
  if (unknown !== undefined) {
    const message = `Section "${name}": table "${section.table}" has no column "${unknown}".`;
    return { kind: 'unplanned', fault: fault('column_missing', message, 'never') };
  }
  return { kind: 'table', name, section, table, columns, selected };
}

/** Reads the rows whose match column is one of `values`; undefined when none of them can match. */
export function selectMatching(
  plan: TablePlan,
  values: readonly string[],
  dialect: Dialect,
  rowsMax: number,
  isLocked = false,
): Statement | undefined {
  const { section, table } = plan;
  const binder = createBinder(dialect);
  const type = table.types.get(section.match) ?? '';
  const isWanted = oneOf(dialect, section.match, type, values, binder);
  if (isWanted === undefined) return undefined;
  const filters = filterConditions(plan, dialect, binder);
  const order = [...new Set([section.orderBy ?? section.key, section.key])].map(dialect.quote);
  const { afterTable, atEnd } = isLocked ? dialect.lock : noLock;
  const select =
    `SELECT ${selectList(plan, plan.selected, dialect)} FROM ${table.quoted}${afterTable} ` +
    `WHERE ${[isWanted, ...filters].join(' AND ')} ` +
    `ORDER BY ${order.join(', ')}`;
  const text = dialect.limited(select, rowsMax + 1) + atEnd;
  return { text, values: binder.values, rowsMax };
}

const noLock: Dialect['lock'] = { afterTable: '', atEnd: '' };

/** Columns of the plan's table, as they stand after SELECT. */
export function selectList(
  { table }: TablePlan,
  columns: readonly string[],
  dialect: Dialect,
): string {
  const selected = (column: string) =>
    dialect.selected(dialect.quote(column), table.types.get(column) ?? '');
  return columns.map(selected).join(', ');
}

/** The fixed filters of a section as conditions; a value its column cannot have matches nothing. */
export function filterConditions(
  plan: TablePlan,
  dialect: Dialect,
  binder: ReturnType<typeof createBinder>,
): string[] {
  return Object.entries(plan.section.where ?? {}).map(([column, value]) => {
    if (value === null) return `${dialect.quote(column)} IS NULL`;
    const type = plan.table.types.get(column) ?? '';
    const condition = equality(dialect, column, type, binder.next(), value);
    if (condition === undefined) return '1 = 0';
    binder.bind(value);
    return condition;
  });
}

/** An administrator's query with `value` bound at its `:ref`; null finds nothing, but shows columns. */
export function bindQuery(
  section: QuerySection,
  value: string | null,
  dialect: Dialect,
  rowsMax: number,
): Statement {
  const text = splitAtRef(section.query).join(dialect.placeholder(1));
  return { text, values: [value], rowsMax, isGuarded: true };
}
