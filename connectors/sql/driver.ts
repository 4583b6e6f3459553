import { type ConnectorFault, limits } from '../contract.ts';
import { abortFault, fault } from '../fault.ts';
import type { Dialect, Statement } from './dialect.ts';

/** Rows as text, in the order of `columns`. */
export interface Rows {
  readonly kind: 'rows';
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | null)[])[];
  /** Rows an INSERT or UPDATE touched. */
  readonly changed: number;
}

/** The source answered with something that cannot be used. */
export interface Unusable {
  readonly kind: 'unusable';
  readonly fault: ConnectorFault;
}

/** The source did not answer, or refused. */
export interface Unanswered {
  readonly kind: 'unanswered';
  readonly fault: ConnectorFault;
}

export type RowsOutcome = Rows | Unusable | Unanswered;

/** Runs one statement in the open transaction; never throws for what the database does. */
export type Run = (statement: Statement) => Promise<RowsOutcome>;

/** One database of one kind: sessions, transactions, values as text. */
export interface SqlDriver {
  readonly dialect: Dialect;
  /** The database as people know it, without credentials: "PostgreSQL at db:5432/erp". */
  readonly where: string;
  /** Runs `work` in one read-only transaction that sees one state of the database. */
  reading<T>(work: (run: Run) => Promise<T>, signal: AbortSignal): Promise<T | Unanswered>;
  /**
   * Runs `work` in one transaction of the writer's session after `prepare` was run outside it
   * (some databases end a transaction at DDL); commits when it returns `commit: true`.
   */
  writing<T>(
    prepare: (run: Run) => Promise<Unanswered | undefined>,
    work: (run: Run) => Promise<{ readonly commit: boolean; readonly value: T }>,
    signal: AbortSignal,
  ): Promise<T | Unanswered>;
  close(): Promise<void>;
}

/** Waits for a pool's connection, or for the signal; a connection that comes later goes back unused. */
export async function borrow<Connection extends { release(): void }>(
  connecting: Promise<Connection>,
  signal: AbortSignal,
  where: string,
  faultOf: (error: unknown, where: string) => ConnectorFault,
): Promise<Connection | Unanswered> {
  const aborted = Promise.withResolvers<'aborted'>();
  const onAbort = () => aborted.resolve('aborted');
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    const connection = await Promise.race([connecting, aborted.promise]);
    if (connection !== 'aborted') return connection;
    connecting.then(
      (late) => late.release(),
      () => undefined,
    );
    return { kind: 'unanswered', fault: abortFault(signal, where) };
  } catch (error) {
    return { kind: 'unanswered', fault: faultOf(error, where) };
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** Codes of faults that the engine acts upon. */
export const faultCodes = {
  /** Another session was faster: the transaction may be run again. */
  collision: 'collision',
  /** The bound value cannot be compared with the column: no row can match. */
  incomparable: 'value_incomparable',
} as const;

/** What `toText` returns for a value that has no text. */
export const binary: unique symbol = Symbol('binary');

/** Turns a driver's rows into text, or says which column holds what cannot be text. */
export function plainRows<Value>(
  columns: readonly string[],
  rows: readonly (readonly Value[])[],
  toText: (value: Value, column: number) => string | null | typeof binary,
  changed: number,
): RowsOutcome {
  const plain: (readonly (string | null)[])[] = [];
  for (const row of rows) {
    const values: (string | null)[] = [];
    for (const [index, value] of row.entries()) {
      const text = toText(value, index);
      if (text === binary) return unusable('binary_value', columns[index], 'holds binary data');
      // Four bytes a unit at most: the cheap bound first, the exact one only near the limit.
      if (text !== null && text.length * 4 > limits.valueBytesMax) {
        if (Buffer.byteLength(text) > limits.valueBytesMax) {
          return unusable('value_too_long', columns[index], 'holds a value of more than 1 MiB');
        }
      }
      values.push(text);
    }
    plain.push(values);
  }
  return { kind: 'rows', columns, rows: plain, changed };
}

function unusable(code: string, column: string | undefined, what: string): Unusable {
  const message = `Column "${column}" ${what}. Leave it out of the section's columns.`;
  return { kind: 'unusable', fault: fault(code, message, 'never') };
}
