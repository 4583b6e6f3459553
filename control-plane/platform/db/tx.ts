import type pg from 'pg';

export type SqlValue = unknown;

/**
 * One open transaction. Statements are constants with `$1` values; each is prepared once a
 * connection.
 */
export interface Tx {
  /** All rows. */
  rows<Row>(sql: string, values?: readonly SqlValue[]): Promise<Row[]>;
  /** The first row, or undefined. */
  row<Row>(sql: string, values?: readonly SqlValue[]): Promise<Row | undefined>;
  /** How many rows the statement changed. */
  run(sql: string, values?: readonly SqlValue[]): Promise<number>;
  /** Called once the transaction has committed, never when it has not; must not throw. */
  afterCommit(effect: () => void): void;
}

export interface OpenTx extends Tx {
  readonly effects: readonly (() => void)[];
}

const preparedMax = 2_000;
const names = new Map<string, string>();

export function transactionOn(client: pg.ClientBase): OpenTx {
  const effects: (() => void)[] = [];
  const query = (sql: string, values: readonly SqlValue[] = []) =>
    client.query({ text: sql, values: [...values], ...statementName(sql) });
  return {
    effects,
    rows: async <Row>(sql: string, values?: readonly SqlValue[]) =>
      (await query(sql, values)).rows as Row[],
    row: async <Row>(sql: string, values?: readonly SqlValue[]) =>
      (await query(sql, values)).rows[0] as Row | undefined,
    run: async (sql, values) => (await query(sql, values)).rowCount ?? 0,
    afterCommit: (effect) => void effects.push(effect),
  };
}

/**
 * Beyond the limit, statements go unprepared: SQL put together at run time must not fill the
 * server's memory.
 */
function statementName(sql: string): { name?: string } {
  const known = names.get(sql);
  if (known !== undefined) return { name: known };
  if (names.size >= preparedMax) return {};
  const name = `s${names.size}`;
  names.set(sql, name);
  return { name };
}
