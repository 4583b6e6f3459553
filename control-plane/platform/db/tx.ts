import type pg from 'pg';

/** A value for `$1`; the driver converts it. */
export type SqlValue = unknown;

/**
 * One open transaction. Statements are constants with `$1` values; each connection prepares a
 * statement once.
 */
export interface Tx {
  /** All rows. */
  rows<Row>(sql: string, values?: readonly SqlValue[]): Promise<Row[]>;
  /** The first row, or undefined. */
  row<Row>(sql: string, values?: readonly SqlValue[]): Promise<Row | undefined>;
  /** How many rows the statement changed. */
  run(sql: string, values?: readonly SqlValue[]): Promise<number>;
  /** Calls `effect` once the transaction has committed, and only then; it must not throw. */
  afterCommit(effect: () => void): void;
  /**
   * When the transaction has committed, notifies all who listen to the channel, in this process at once.
   * Only for hints: one may get lost, so listeners must also look by themselves at intervals.
   */
  notify(channel: string, payload: string): void;
}

/** A transaction whose opener runs the effects of `afterCommit`. */
export interface OpenTx extends Tx {
  readonly effects: readonly (() => void)[];
  /**
   * The error to tell in place of this one. Of statements sent together the later ones fail because an
   * earlier one has (25P02), and their error may be seen first: what is told is the earlier one's.
   */
  causeOf(error: unknown): unknown;
}

/** SQLSTATE in_failed_sql_transaction. */
const isAborted = (error: unknown) => (error as { code?: unknown } | null)?.code === '25P02';

const preparedMax = 2_000;
const names = new Map<string, string>();

/**
 * Wraps a connection on which a transaction has begun; `isPreparing` is false where the session is not
 * the connection's own.
 */
export function transactionOn(
  client: pg.ClientBase,
  isPreparing: boolean,
  notify: Tx['notify'],
): OpenTx {
  const effects: (() => void)[] = [];
  let failure: unknown;
  const query = (sql: string, values: readonly SqlValue[] = []) => {
    const answered = client.query({
      text: sql,
      values: [...values],
      ...(isPreparing ? statementName(sql) : {}),
    });
    answered.catch((error) => {
      if (!isAborted(error)) failure = error;
    });
    return answered;
  };
  return {
    effects,
    causeOf: (error) => (isAborted(error) && failure !== undefined ? failure : error),
    rows: async <Row>(sql: string, values?: readonly SqlValue[]) =>
      (await query(sql, values)).rows as Row[],
    row: async <Row>(sql: string, values?: readonly SqlValue[]) =>
      (await query(sql, values)).rows[0] as Row | undefined,
    run: async (sql, values) => (await query(sql, values)).rowCount ?? 0,
    afterCommit: (effect) => void effects.push(effect),
    notify: (channel, payload) => void effects.push(() => notify(channel, payload)),
  };
}

/**
 * The name under which a connection prepares a statement. Over the limit statements are not
 * prepared, so that SQL composed at run time cannot fill the server's memory.
 */
export function statementName(sql: string): { name?: string } {
  const known = names.get(sql);
  if (known !== undefined) return { name: known };
  if (names.size >= preparedMax) return {};
  const name = `s${names.size}`;
  names.set(sql, name);
  return { name };
}
