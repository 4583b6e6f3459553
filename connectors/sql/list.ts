import { type ListOutcome, limits } from '../contract.ts';
import { fault } from '../fault.ts';
import { decodeCursor, encodeCursor } from '../json.ts';
import { createBinder, type Dialect, type Statement } from './dialect.ts';
import type { RunStatement, Unanswered, Unusable } from './driver.ts';
import { filterConditions, selectList, type TablePlan } from './section.ts';
import type { SqlSettings } from './settings.ts';

/** The columns by which documents are ordered and compared with a cursor. */
export function keyset(plan: TablePlan, changes: SqlSettings['changes']): readonly string[] {
  return changes === undefined ? [plan.section.key] : [changes.column, changes.key];
}

/** One page of refs after `cursor`, in the order of the keyset columns. */
export async function listPage(
  run: RunStatement,
  plan: TablePlan,
  columns: readonly string[],
  dialect: Dialect,
  cursor: string | undefined,
): Promise<ListOutcome> {
  const position = cursor === undefined ? [] : positionOf(cursor, columns);
  if (position === undefined) {
    const message = 'The cursor does not fit these settings: begin again without one.';
    return { kind: 'unreachable', fault: fault('cursor_invalid', message, 'never') };
  }
  const outcome = await run(pageStatement(plan, columns, dialect, position));
  if (outcome.kind !== 'rows') return { kind: 'unreachable', fault: outcome.fault };
  const rows = outcome.rows.slice(0, limits.pageSize);
  const last = rows.at(-1)?.slice(1);
  return {
    kind: 'page',
    refs: rows.map(([ref]) => ref ?? ''),
    cursor:
      last === undefined ? (cursor ?? encodeCursor([columns, []])) : encodeCursor([columns, last]),
    more: outcome.rows.length > limits.pageSize,
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
  const text = dialect.limited(select, count);
  const outcome = await run({ text, values: binder.values, rowsMax: count });
  return outcome.kind === 'rows' ? outcome.rows.map(([ref]) => ref ?? '') : outcome;
}

function pageStatement(
  plan: TablePlan,
  columns: readonly string[],
  dialect: Dialect,
  position: readonly string[],
): Statement {
  const binder = createBinder(dialect);
  const quoted = columns.map(dialect.quote);
  const match = dialect.quote(plan.section.match);
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
    `SELECT ${selectList(plan, [plan.section.match, ...columns], dialect)} ` +
    `FROM ${plan.table.quoted} WHERE ${conditions.join(' AND ')} ORDER BY ${quoted.join(', ')}`;
  return {
    text: dialect.limited(select, limits.pageSize + 1),
    values: binder.values,
    rowsMax: limits.pageSize,
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
