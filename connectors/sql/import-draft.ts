import type { ImportCommand, WriteBackOutcome } from '../contract.ts';
import { shortened } from '../fault.ts';
import type { Dialect, Statement } from './dialect.ts';
import { draftOwnTables } from './draft-own-tables.ts';
import type { Cell, DraftPlan, DraftTables } from './draft-plan.ts';
import { draftSideTables } from './draft-side-tables.ts';
import type { RunStatement, SqlDriver, Unanswered, Unusable } from './driver.ts';
import type { DraftTarget, SqlSettings } from './settings.ts';

type Step = { readonly commit: boolean; readonly value: WriteBackOutcome };

/** Puts a draft into its tables, or takes it out again, in one transaction. */
export async function importDraft(
  driver: SqlDriver,
  settings: SqlSettings,
  command: ImportCommand,
  signal: AbortSignal,
): Promise<WriteBackOutcome> {
  const { dialect } = driver;
  const tables = tablesOf(dialect, targetOf(settings), command);
  if (tables === undefined) return { kind: 'unsupported' };
  const result = await driver.inWriteTransaction(
    (run) => tables.prepare(run),
    async (run): Promise<Step> => {
      const plan = await tables.plan(run, command.document);
      if (plan.kind === 'unanswered') return unreachable(plan);
      return command.action === 'import'
        ? insertDraft(run, dialect, plan, command)
        : deleteDraft(run, dialect, plan, command);
    },
    signal,
  );
  return result.kind === 'unanswered' ? { kind: 'unreachable', fault: result.fault } : result;
}

/** Where the settings say that drafts go. */
export function targetOf({ drafts, writeBack }: SqlSettings): NonNullable<DraftTarget> {
  if (drafts !== undefined) return drafts;
  if (writeBack.mode === 'none') return { mode: 'none' };
  const { schema } = writeBack;
  return schema === undefined ? { mode: 'side-table' } : { mode: 'side-table', schema };
}

/** The sandbox never writes to the client's own tables. */
function tablesOf(
  dialect: Dialect,
  target: NonNullable<DraftTarget>,
  { environment }: ImportCommand,
): DraftTables | undefined {
  if (target.mode === 'none') return undefined;
  if (target.mode === 'insert' && environment === 'live') return draftOwnTables(dialect, target);
  const schema = target.mode === 'side-table' ? target.schema : undefined;
  return draftSideTables(dialect, environment, schema);
}

/** Rows of one INSERT: their values together stay below what any database binds. */
const rowsAtOnce = 10;

async function insertDraft(
  run: RunStatement,
  dialect: Dialect,
  plan: DraftPlan,
  { document }: ImportCommand,
): Promise<Step> {
  const { target, header, lines } = plan;
  const find = select(dialect, plan);
  const before = await run(find);
  if (before.kind !== 'rows') return unreachable(before);
  if (before.rows.length > 0) return settled({ kind: 'already', target }, false);
  const leftOver = await deleteLeftOver(run, lines);
  if (leftOver !== undefined) return unreachable(leftOver);
  const added = await run(insert(dialect, header.table, [header.cells]));
  if (added.kind !== 'rows') return unreachable(added);
  if (lines === undefined) return settled({ kind: 'written', target }, true);
  // Read again for the key that the database gave the header.
  const after = await run(find);
  if (after.kind !== 'rows') return unreachable(after);
  const parent = after.rows[0]?.[0] ?? null;
  const count = document.draft.lines.length;
  for (let first = 1; first <= count; first += rowsAtOnce) {
    const length = Math.min(rowsAtOnce, count - first + 1);
    const rows = Array.from({ length }, (_, index) => lines.cells(first + index, parent));
    const written = await run(insert(dialect, lines.table, rows));
    if (written.kind !== 'rows') return unreachable(written);
  }
  return settled({ kind: 'written', target }, true);
}

/** Lines without their header would keep the same document from coming again. */
async function deleteLeftOver(
  run: RunStatement,
  lines: DraftPlan['lines'],
): Promise<Unanswered | Unusable | undefined> {
  if (lines?.leftOver === undefined) return undefined;
  const { text: condition, value } = lines.leftOver;
  const of = `FROM ${lines.table} WHERE ${condition}`;
  const found = await run({ text: `SELECT COUNT(*) ${of}`, values: [value], rowsMax: 1 });
  if (found.kind !== 'rows') return found;
  if (Number(found.rows[0]?.[0]) === 0) return undefined;
  const deleted = await run({ text: `DELETE ${of}`, values: [value], rowsMax: 0 });
  return deleted.kind === 'rows' ? undefined : deleted;
}

async function deleteDraft(
  run: RunStatement,
  dialect: Dialect,
  plan: DraftPlan,
  { document }: ImportCommand,
): Promise<Step> {
  const { target, header, lines } = plan;
  const current = await run(select(dialect, plan));
  if (current.kind !== 'rows') return unreachable(current);
  const [row] = current.rows;
  if (row === undefined) return settled({ kind: 'already', target }, false);
  if (header.untouched.length === 0) {
    const message =
      `${target}: nothing in the row of ${document.id} tells whether somebody has gone on with it. ` +
      'Look at it there and delete it; let "drafts" fill a column such as the state always with the same.';
    return settled({ kind: 'conflict', found: message }, false);
  }
  const [parent, ...found] = row;
  const changed = header.untouched.findIndex(({ value }, at) => found[at] !== value);
  if (changed >= 0) {
    const { column, value } = header.untouched[changed]!;
    const now = `${column} is "${found[changed]}" and not "${value}"`;
    const message = `${target}: somebody has gone on with the draft of ${document.id}, for ${now}`;
    return settled({ kind: 'conflict', found: shortened(message) }, false);
  }
  const isOfDraft = lines?.isOfDraft(parent ?? null);
  const conditions = [
    ...(lines === undefined || isOfDraft === undefined ? [] : [{ table: lines.table, isOfDraft }]),
    { table: header.table, isOfDraft: header.isDraft },
  ];
  for (const { table, isOfDraft: condition } of conditions) {
    const text = `DELETE FROM ${table} WHERE ${condition.text}`;
    const deleted = await run({ text, values: [condition.value], rowsMax: 0 });
    if (deleted.kind !== 'rows') return unreachable(deleted);
  }
  return settled({ kind: 'written', target }, true);
}

/** The key that lines refer to, then the columns that tell whether the draft is untouched. */
function select(dialect: Dialect, { header, lines }: DraftPlan): Statement {
  const key = lines?.parent === undefined ? 'NULL' : dialect.quote(lines.parent);
  const columns = [key, ...header.untouched.map(({ column }) => dialect.quote(column))];
  const { afterTable, atEnd } = dialect.lock;
  return {
    text:
      `SELECT ${columns.join(', ')} FROM ${header.table}${afterTable} ` +
      `WHERE ${header.isDraft.text}${atEnd}`,
    values: [header.isDraft.value],
    rowsMax: 1,
  };
}

function insert(dialect: Dialect, table: string, rows: readonly (readonly Cell[])[]): Statement {
  const cells = rows.flat();
  const width = rows[0]?.length ?? 0;
  const groups = rows.map((row, at) => {
    const places = row.map((_, index) => dialect.placeholder(at * width + index + 1));
    return `(${places.join(', ')})`;
  });
  const columns = (rows[0] ?? []).map(({ column }) => dialect.quote(column)).join(', ');
  return {
    text: `INSERT INTO ${table} (${columns}) VALUES ${groups.join(', ')}`,
    values: cells.map(({ value }) => value),
    rowsMax: 0,
  };
}

function settled(value: WriteBackOutcome, commit: boolean): Step {
  return { commit, value };
}

function unreachable({ fault }: Unanswered | Unusable): Step {
  return { commit: false, value: { kind: 'unreachable', fault } };
}
