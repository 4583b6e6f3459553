import { type ListOutcome, limits } from '../contract.ts';
import { cursorInvalid } from '../fault.ts';
import { decodeCursor, encodeCursor } from '../json.ts';
import { createBinder, type Dialect, type Statement } from './dialect.ts';
import { faultCodes, type RunStatement, type Unanswered, type Unusable } from './driver.ts';
import { filterConditions, selectList, type TablePlan } from './section.ts';
import type { SqlSettings } from './settings.ts';

/** The columns by which documents are ordered and compared with a cursor. */
export function keyset(plan: TablePlan, changes: SqlSettings['changes']): readonly string[] {
  return changes === undefined ? [plan.section.key] : [changes.column, changes.key];
}

/** How documents are listed: in the order of `columns`, so many in a page. */
export interface Listing {
  readonly columns: readonly string[];
  /** The column that grows whenever a document changes. */
  readonly version: string | undefined;
  readonly pageSize: number;
}

/** In the order of changes. */
export function changesOf(plan: TablePlan, { changes, sections }: SqlSettings): Listing {
  // A handwritten query is run for each document: a large page would take too long to read.
  const isByQuery = Object.values(sections).some((section) => 'query' in section);
  const pageSize = isByQuery ? limits.pageSize : limits.tablePageSize;
  return { columns: keyset(plan, changes), version: changes?.column, pageSize };
}

/** In the order of the key, which no change alters. */
export function wholeOf(plan: TablePlan, { changes }: SqlSettings): Listing {
  const columns = [changes?.key ?? plan.section.key];
  return { columns, version: changes?.column, pageSize: limits.wholePageSize };
}

/** One page of refs after `cursor`. */
export async function listPage(
  run: RunStatement,
  plan: TablePlan,
  listing: Listing,
  dialect: Dialect,
  cursor: string | undefined,
): Promise<ListOutcome> {
  const { columns, version, pageSize } = listing;
  const position = cursor === undefined ? [] : positionOf(cursor, columns);
  if (position === undefined) return cursorInvalid('does not fit these settings');
  const outcome = await run(pageStatement(plan, listing, dialect, position));
  if (outcome.kind !== 'rows') {
    const isIncomparable = outcome.fault.code === faultCodes.incomparable;
    if (isIncomparable && position.length > 0) return cursorInvalid('is of another type by now');
    return { kind: 'unreachable', fault: outcome.fault };
  }
  const rows = outcome.rows.slice(0, pageSize);
  const last = rows.at(-1)?.slice(1, 1 + columns.length);
  // A document may have several rows: it is listed once, with the version of its last one.
  const versions = new Map(rows.map((row) => [row[0] ?? '', row.at(-1) ?? '']));
  return {
    kind: 'page',
    refs: [...versions.keys()],
    ...(version === undefined ? {} : { versions: [...versions.values()] }),
    cursor:
      last === undefined ? (cursor ?? encodeCursor([columns, []])) : encodeCursor([columns, last]),
    more: outcome.rows.length > pageSize,
  };
}

/** A few refs, newest first. */
export async function newestRefs(
  run: RunStatement,
  plan: TablePlan,
  columns: readonly string[],
  dialect: Dialect,
  count: number,
): Promise<readonly string[] | Unusable | Unanswered> {
  const binder = createBinder(dialect);
  const { match } = plan.section;
  const conditions = [
    `${dialect.quote(match)} IS NOT NULL`,
    ...filterConditions(plan, dialect, binder),
  ];
  const order = columns.map((column) => `${dialect.quote(column)} DESC`).join(', ');
  const select =
    `SELECT ${selectList(plan, [match], dialect)} FROM ${plan.table.quoted} ` +
    `WHERE ${conditions.join(' AND ')} ORDER BY ${order}`;
  // A table with a row for each line names a document several times.
  const rowsMax = plan.section.repeats === true ? count * 20 : count;
  const text = dialect.limited(select, rowsMax);
  const outcome = await run({ text, values: binder.values, rowsMax });
  if (outcome.kind !== 'rows') return outcome;
  return [...new Set(outcome.rows.map(([ref]) => ref ?? ''))].slice(0, count);
}

/** Whether there are documents that have no value in the column of changes, by which they are listed. */
export async function hasUnlisted(
  run: RunStatement,
  plan: TablePlan,
  column: string,
  dialect: Dialect,
): Promise<boolean | Unusable | Unanswered> {
  const binder = createBinder(dialect);
  const { match } = plan.section;
  const conditions = [
    `${dialect.quote(match)} IS NOT NULL`,
    `${dialect.quote(column)} IS NULL`,
    ...filterConditions(plan, dialect, binder),
  ];
  // Any one will do: in order of the key all documents might be read to find none.
  const select =
    `SELECT ${selectList(plan, [match], dialect)} FROM ${plan.table.quoted} ` +
    `WHERE ${conditions.join(' AND ')}`;
  const text = dialect.limited(select, 1);
  const outcome = await run({ text, values: binder.values, rowsMax: 1 });
  return outcome.kind === 'rows' ? outcome.rows.length > 0 : outcome;
}

function pageStatement(
  plan: TablePlan,
  { columns, version, pageSize }: Listing,
  dialect: Dialect,
  position: readonly string[],
): Statement {
  const binder = createBinder(dialect);
  const quoted = columns.map(dialect.quote);
  const match = dialect.quote(plan.section.match);
  const selected = [plan.section.match, ...columns, ...(version === undefined ? [] : [version])];
  const conditions = [
    ...[...new Set([match, ...quoted])].map((column) => `${column} IS NOT NULL`),
    ...filterConditions(plan, dialect, binder),
  ];
  if (position.length > 0) {
    const bind = (index: number) =>
      dialect.converted(
        binder.bind(dialect.comparable(position[index] ?? '')),
        plan.table.types.get(columns[index] ?? '') ?? '',
      );
    // Not a row comparison: some databases have none, and others use the index worse with it.
    const [first = '', second] = quoted;
    conditions.push(
      second === undefined
        ? `${first} > ${bind(0)}`
        : `(${first} > ${bind(0)} OR (${first} = ${bind(0)} AND ${second} > ${bind(1)}))`,
    );
  }
  const select =
    `SELECT ${selectList(plan, selected, dialect)} ` +
    `FROM ${plan.table.quoted} WHERE ${conditions.join(' AND ')} ORDER BY ${quoted.join(', ')}`;
  return {
    text: dialect.limited(select, pageSize + 1),
    values: binder.values,
    rowsMax: pageSize,
  };
}

/**
 * The position after which to go on, or undefined when the cursor is for other columns: it carries
 * their names, so that changed settings are noticed.
 */
function positionOf(cursor: string, columns: readonly string[]): readonly string[] | undefined {
  const parsed = decodeCursor(cursor);
  if (!Array.isArray(parsed) || JSON.stringify(parsed[0]) !== JSON.stringify(columns)) {
    return undefined;
  }
  const position: unknown = parsed[1];
  if (!Array.isArray(position) || !position.every((value) => typeof value === 'string')) {
    return undefined;
  }
  if (position.some((value) => value.includes('\0'))) return undefined;
  return position.length === 0 || position.length === columns.length ? position : undefined;
}
