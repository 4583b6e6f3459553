import type { WriteBackCommand, WriteBackOutcome } from '../contract.ts';
import { fault } from '../fault.ts';
import {
  confirmationColumns,
  confirmationValues,
  decideConfirmation,
  type StoredConfirmation,
  sideTableName,
} from '../stored-confirmation.ts';
import { loadCatalogue } from './catalogue.ts';
import { createBinder, type Dialect, equality, type Statement } from './dialect.ts';
import { faultCodes, type RunStatement, type SqlDriver, type Unanswered } from './driver.ts';
import { filterConditions, planSections, selectMatching, type TablePlan } from './section.ts';
import type { ConfirmationTargetColumns, SqlSettings } from './settings.ts';

/** How often a transaction is tried when other sessions write at the same time. */
const attemptsMax = 5;

/** The outcome of one transaction; `collided` asks for another attempt. */
type Attempt =
  | { readonly kind: 'done'; readonly outcome: WriteBackOutcome }
  | { readonly kind: 'collided' };

type Step = { readonly commit: boolean; readonly value: Attempt };

/** Writes a confirmation to its target in one transaction, never over another invoice's. */
export async function writeBack(
  driver: SqlDriver,
  settings: SqlSettings,
  command: WriteBackCommand,
  signal: AbortSignal,
): Promise<WriteBackOutcome> {
  const { writeBack: target } = settings;
  if (target.mode === 'none') return { kind: 'unsupported' };
  const attempt =
    target.mode === 'columns' && command.environment === 'live'
      ? () => writeColumns(driver, settings, target.columns, command, signal)
      : () => writeSideTable(driver, target.schema, command, signal);
  for (let attempts = 1; attempts <= attemptsMax; attempts += 1) {
    const result = await attempt();
    if (result.kind === 'done') return result.outcome;
    if (result.kind === 'unanswered' && result.fault.code !== faultCodes.collision) {
      return { kind: 'unreachable', fault: result.fault };
    }
  }
  const message = `${driver.where}: others kept changing the same confirmation; try again.`;
  return { kind: 'unreachable', fault: fault('busy', message, 'later') };
}

function writeSideTable(
  driver: SqlDriver,
  schema: string | undefined,
  command: WriteBackCommand,
  signal: AbortSignal,
): Promise<Attempt | Unanswered> {
  const { dialect } = driver;
  const name = sideTableName(command.environment);
  const target = schema === undefined ? name : `${schema}.${name}`;
  const table = [schema, name]
    .flatMap((part) => part ?? [])
    .map(dialect.quote)
    .join('.');
  return driver.inWriteTransaction(
    (run) => ensureSideTable(run, dialect, schema, name, table),
    async (run): Promise<Step> => {
      const current = await run(selectConfirmation(dialect, table, command));
      if (current.kind !== 'rows') return failed(current.fault);
      const stored = storedConfirmation(current.rows[0]);
      const decision = decideConfirmation(stored, command);
      if (decision.kind === 'conflict') return settled(decision, false);
      if (decision.kind === 'already') return settled({ kind: 'already', target }, false);
      const statement =
        stored === undefined
          ? insertConfirmation(dialect, table, command)
          : updateConfirmation(dialect, table, command, stored.invoiceId);
      const written = await run(statement);
      if (written.kind !== 'rows') return failed(written.fault);
      if (written.changed !== 1) return collided;
      return settled({ kind: 'written', target }, true);
    },
    signal,
  );
}

async function ensureSideTable(
  run: RunStatement,
  dialect: Dialect,
  schema: string | undefined,
  name: string,
  table: string,
): Promise<Unanswered | undefined> {
  // Looked up first: a writer may be allowed to write to the table and not to create it.
  const known = await loadCatalogue(run, dialect, [name]);
  if (known.kind !== 'catalogue') return { kind: 'unanswered', fault: known.fault };
  const isThere = known.tables.some((one) => schema === undefined || one.schema === schema);
  if (isThere) return undefined;
  const created = await run({ text: dialect.createSideTable(table), values: [], rowsMax: 0 });
  return created.kind === 'rows' ? undefined : { kind: 'unanswered', fault: created.fault };
}

const confirmationColumnNames = ['invoice_id', 'status', 'settled_at', 'idempotency_key'] as const;

function selectConfirmation(dialect: Dialect, table: string, command: WriteBackCommand): Statement {
  const columns = confirmationColumnNames.map(dialect.quote).join(', ');
  const { afterTable, atEnd } = dialect.lock;
  return {
    text:
      `SELECT ${columns} FROM ${table}${afterTable} ` +
      `WHERE ${dialect.quote('source_ref')} = ${dialect.placeholder(1)}${atEnd}`,
    values: [command.confirmation.sourceRef],
    rowsMax: 1,
  };
}

function storedConfirmation(
  row: readonly (string | null)[] | undefined,
): StoredConfirmation | undefined {
  if (row === undefined) return undefined;
  const [invoiceId, status, settledAt, idempotencyKey] = row.map((value) => value ?? undefined);
  return { invoiceId: invoiceId ?? '', status, settledAt, idempotencyKey };
}

function insertConfirmation(dialect: Dialect, table: string, command: WriteBackCommand): Statement {
  const values = confirmationValues(command);
  const placeholders = confirmationColumns.map((_, index) => dialect.placeholder(index + 1));
  return {
    text:
      `INSERT INTO ${table} (${confirmationColumns.map(dialect.quote).join(', ')}) ` +
      `VALUES (${placeholders.join(', ')})`,
    values: confirmationColumns.map((column) => values[column]),
    rowsMax: 0,
  };
}

/** Written while the row is still that of the invoice which was found there. */
function updateConfirmation(
  dialect: Dialect,
  table: string,
  command: WriteBackCommand,
  foundId: string,
): Statement {
  const values = confirmationValues(command);
  const changed = confirmationColumns.filter((column) => column !== 'source_ref');
  const assignments = changed.map(
    (column, index) => `${dialect.quote(column)} = ${dialect.placeholder(index + 1)}`,
  );
  return {
    text:
      `UPDATE ${table} SET ${assignments.join(', ')} ` +
      `WHERE ${dialect.quote('source_ref')} = ${dialect.placeholder(changed.length + 1)} ` +
      `AND ${dialect.quote('invoice_id')} = ${dialect.placeholder(changed.length + 2)}`,
    values: [...changed.map((column) => values[column]), values.source_ref, foundId],
    rowsMax: 0,
  };
}

async function writeColumns(
  driver: SqlDriver,
  settings: SqlSettings,
  columns: ConfirmationTargetColumns,
  command: WriteBackCommand,
  signal: AbortSignal,
): Promise<Attempt | Unanswered> {
  return driver.inWriteTransaction(
    async () => undefined,
    async (run): Promise<Step> => {
      const header = await planHeader(run, settings, columns, driver.dialect);
      if (header.kind !== 'table') return failed(header.fault);
      return fillColumns(run, header, columns, command, driver.dialect);
    },
    signal,
  );
}

/** The header section narrowed to its match column and the columns. */
async function planHeader(
  run: RunStatement,
  settings: SqlSettings,
  columns: ConfirmationTargetColumns,
  dialect: Dialect,
): Promise<TablePlan | Unanswered> {
  const header = settings.sections.header;
  if (header === undefined || 'query' in header) {
    const message = 'Write-back to columns needs a header section that names its table.';
    return { kind: 'unanswered', fault: fault('header_table_missing', message, 'never') };
  }
  const catalogue = await loadCatalogue(run, dialect, [header.table]);
  if (catalogue.kind !== 'catalogue') return { kind: 'unanswered', fault: catalogue.fault };
  const narrowed = { ...header, columns: Object.values(columns).flatMap((column) => column ?? []) };
  const planned = planSections({ header: narrowed }, catalogue.tables, dialect);
  if (planned.kind === 'unplanned') return { kind: 'unanswered', fault: planned.fault };
  const plan = planned.plan.header;
  if (plan.kind === 'table') return plan;
  throw new Error('a header that names a table was planned as a query');
}

async function fillColumns(
  run: RunStatement,
  header: TablePlan,
  columns: ConfirmationTargetColumns,
  command: WriteBackCommand,
  dialect: Dialect,
): Promise<Step> {
  const ref = command.confirmation.sourceRef;
  const where = `${header.section.table}.${columns.invoice_id}`;
  const select = selectMatching(header, [ref], dialect, 2, true);
  const current = select === undefined ? undefined : await run(select);
  if (current !== undefined && current.kind !== 'rows') return failed(current.fault);
  const rows = (current?.rows ?? []).map((row) =>
    Object.fromEntries(header.selected.map((column, index) => [column, row[index] ?? null])),
  );
  const matching = rows.filter((row) => row[header.section.match] === ref);
  const [row] = matching;
  if (row === undefined || matching.length > 1 || rows.length > 1) {
    const found = `${rows.length} rows of ${header.section.table} instead of one`;
    return settled({ kind: 'conflict', found }, false);
  }
  const values = columnValues(columns, command);
  const storedId = row[columns.invoice_id] ?? '';
  if (storedId !== '') {
    const decision = isSame(row, values)
      ? ({ kind: 'already' } as const)
      : decideConfirmation(storedIn(storedId, columns, row), command);
    if (decision.kind === 'conflict') return settled(decision, false);
    if (decision.kind === 'already') return settled({ kind: 'already', target: where }, false);
  }
  const written = await run(updateColumns(header, columns, values, ref, storedId, dialect));
  if (written.kind !== 'rows') return failed(written.fault);
  // Where the dialect has no FOR UPDATE nothing is locked, and this condition decides.
  if (written.changed !== 1) return collided;
  return settled({ kind: 'written', target: where }, true);
}

function storedIn(
  invoiceId: string,
  columns: ConfirmationTargetColumns,
  row: Readonly<Record<string, string | null>>,
): StoredConfirmation {
  return {
    invoiceId,
    status: (columns.status && row[columns.status]) || undefined,
    settledAt: (columns.settled_at && row[columns.settled_at]) || undefined,
  };
}

type ColumnValues = readonly (readonly [column: string, value: string | null])[];

function columnValues(columns: ConfirmationTargetColumns, command: WriteBackCommand): ColumnValues {
  const values = confirmationValues(command);
  return confirmationColumns.flatMap((name) => {
    const column = name in columns ? columns[name as keyof ConfirmationTargetColumns] : undefined;
    return column === undefined ? [] : [[column, values[name]] as const];
  });
}

/** Whether the row holds these values; columns may write the same instant differently. */
function isSame(row: Readonly<Record<string, string | null>>, values: ColumnValues): boolean {
  return values.every(([column, value]) => {
    const storedId = row[column] ?? null;
    if (storedId === value || storedId === null || value === null) return storedId === value;
    return instantMs(storedId) !== undefined && instantMs(storedId) === instantMs(value);
  });
}

function instantMs(text: string): number | undefined {
  if (!/^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}:\d{2}(\.\d+)?Z?$/.test(text)) return undefined;
  // Instants are written in UTC, also where the column keeps no zone.
  return Date.parse(`${text.replace(' ', 'T').replace('Z', '')}Z`);
}

/** Written while the row still holds the id that was found there, or none. */
function updateColumns(
  header: TablePlan,
  columns: ConfirmationTargetColumns,
  values: ColumnValues,
  ref: string,
  foundId: string,
  dialect: Dialect,
): Statement {
  const binder = createBinder(dialect);
  const bound: (string | null)[] = [];
  const assignments = values.map(([column, value]) => {
    const isInstant = column === columns.settled_at || column === columns.cancellable_until;
    const type = header.table.types.get(column) ?? '';
    const placeholder = dialect.converted(binder.bind(''), type);
    bound.push(value !== null && isInstant ? dialect.comparable(value) : value);
    return `${dialect.quote(column)} = ${placeholder}`;
  });
  const isDocument = [
    equals(header, header.section.match, ref, dialect, binder),
    ...filterConditions(header, dialect, binder),
  ];
  const isFound = equals(header, columns.invoice_id, foundId, dialect, binder);
  const isEmpty = `${dialect.quote(columns.invoice_id)} IS NULL`;
  const conditions = [...isDocument, foundId === '' ? `(${isEmpty} OR ${isFound})` : isFound];
  return {
    text:
      `UPDATE ${header.table.quoted} SET ${assignments.join(', ')} ` +
      `WHERE ${conditions.join(' AND ')}`,
    values: [...bound, ...binder.values.slice(bound.length)],
    rowsMax: 0,
  };
}

function equals(
  header: TablePlan,
  column: string,
  value: string,
  dialect: Dialect,
  binder: ReturnType<typeof createBinder>,
): string {
  const type = header.table.types.get(column) ?? '';
  const condition = equality(dialect, column, type, binder.next(), value);
  if (condition === undefined) return '1 = 0';
  binder.bind(value);
  return condition;
}

const collided: Step = { commit: false, value: { kind: 'collided' } };

function failed(cause: Unanswered['fault']): Step {
  const isCollision = cause.code === faultCodes.collision;
  const value: Attempt = isCollision
    ? { kind: 'collided' }
    : { kind: 'done', outcome: { kind: 'unreachable', fault: cause } };
  return { commit: false, value };
}

function settled(outcome: WriteBackOutcome, commit: boolean): Step {
  return { commit, value: { kind: 'done', outcome } };
}
