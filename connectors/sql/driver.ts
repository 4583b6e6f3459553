import type { Socket } from 'node:net';
import { type ConnectorFault, limits } from '../contract.ts';
import { fault } from '../fault.ts';
import type { Dialect, Statement } from './dialect.ts';
import type { Rights } from './rights.ts';

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
export type RunStatement = (statement: Statement) => Promise<RowsOutcome>;

/** One database of one kind: sessions, transactions, values as text. */
export interface SqlDriver {
  readonly dialect: Dialect;
  /** The database as people know it, without credentials: "PostgreSQL at db:5432/erp". */
  readonly where: string;
  /** Milliseconds of one call, and so of one statement. */
  readonly timeoutMs: number;
  /** How its rights are read and granted; absent where it knows none. */
  readonly rights?: Rights;
  /** What a person should know of this database, once it was read. */
  readonly note?: () => string | undefined;
  /** Runs `work` in one read-only transaction that sees one state of the database. */
  inReadTransaction<T>(
    work: (run: RunStatement) => Promise<T>,
    signal: AbortSignal,
  ): Promise<T | Unanswered>;
  /**
   * Runs `work` in one transaction of the writer's session after `prepare` was run outside it
   * (some databases end a transaction at DDL); commits when it returns `commit: true`.
   */
  inWriteTransaction<T>(
    prepare: (run: RunStatement) => Promise<Unanswered | undefined>,
    work: (run: RunStatement) => Promise<{ readonly commit: boolean; readonly value: T }>,
    signal: AbortSignal,
  ): Promise<T | Unanswered>;
  close(): Promise<void>;
}

/** Codes of faults that the engine itself reacts to. */
export const faultCodes = {
  /** Another session changed the same row first: the transaction may be run again. */
  collision: 'collision',
  /** The bound value cannot be compared with the column: no row can match. */
  incomparable: 'value_incomparable',
  /** The answer has more bytes than are read. */
  tooLarge: 'too_large',
} as const;

/** What is said of a server that takes no connection without TLS. */
export const tlsRequired = 'takes no connection without TLS: set "tls" to "verify".';

/** What `toText` returns for a value that has no text. */
export const binary: unique symbol = Symbol('binary');
/** What `toText` returns for a value of which the driver lost digits. */
export const inexact: unique symbol = Symbol('inexact');
/** What `toText` returns. */
export type ValueText = string | null | typeof binary | typeof inexact;

/**
 * Gathers the rows of one answer as text, within the limits: what is beyond them is not kept.
 *
 *   const gathered = new GatheredRows(columns, statement.rowsMax, toText);
 *   for (const row of rows) if (!gathered.add(row)) break;
 *   return gathered.outcome();
 */
export class GatheredRows<Value> {
  readonly #columns: readonly string[];
  readonly #rowsMax: number;
  readonly #toText: (value: Value, column: number) => ValueText;
  readonly #rows: (readonly (string | null)[])[] = [];
  #bytes = 0;
  #unusable: Unusable | undefined;

  constructor(
    columns: readonly string[],
    rowsMax: number,
    toText: (value: Value, column: number) => ValueText,
  ) {
    this.#columns = columns;
    this.#rowsMax = rowsMax;
    this.#toText = toText;
  }

  /** False once no further row can change the outcome. */
  add(row: readonly Value[]): boolean {
    if (this.#unusable !== undefined || this.#rows.length > this.#rowsMax) return false;
    const values: (string | null)[] = [];
    for (const [index, value] of row.entries()) {
      const text = this.#toText(value, index);
      if (text === binary) return this.#refuse('binary_value', index, 'holds binary data');
      if (text === inexact) return this.#refuse('inexact_value', index, lostDigits, asText);
      const bytes = text === null ? 0 : Buffer.byteLength(text);
      if (bytes > limits.valueBytesMax) {
        return this.#refuse('value_too_long', index, 'holds a value of more than 1 MiB');
      }
      this.#bytes += bytes;
      values.push(text);
    }
    if (this.#bytes > limits.answerBytesMax) {
      this.#unusable = { kind: 'unusable', fault: tooLarge };
      return false;
    }
    this.#rows.push(values);
    return this.#rows.length <= this.#rowsMax;
  }

  /** `changed`: the rows that an INSERT or UPDATE touched. */
  outcome(changed = 0): Rows | Unusable {
    const rows = this.#rows;
    return this.#unusable ?? { kind: 'rows', columns: this.#columns, rows, changed };
  }

  #refuse(code: string, column: number, what: string, advice = leaveOut): false {
    const message = `Column "${this.#columns[column]}" ${what}. ${advice}`;
    this.#unusable = { kind: 'unusable', fault: fault(code, message, 'never') };
    return false;
  }
}

const leaveOut = `Leave it out of the section's columns.`;
const lostDigits = 'holds a decimal of more digits than arrive exactly from a handwritten query';
const asText = 'Let the query give it as text: CONVERT(varchar(50), …).';

const tooLarge = fault(
  faultCodes.tooLarge,
  `The document has more than ${limits.answerBytesMax / 1_048_576} MiB. Leave out columns that nobody maps.`,
  'never',
);

/** What a handwritten query is answered that does something else than read. */
export function notAQuery(where: string): Unanswered {
  const message = `${where} takes a handwritten query only if it reads and answers with rows.`;
  return { kind: 'unanswered', fault: fault('query_unusable', message, 'never') };
}

const watchMs = 50;

/**
 * Ends the connection when a server sends more than that before this is called off: also what is no
 * row yet fills the memory. `fault.ts` words the error that the driver then reports.
 */
export function watchAnswer(socket: Socket, bytesMax = 4 * limits.answerBytesMax): () => void {
  const { bytesRead } = socket;
  const timer = setInterval(() => {
    if (socket.bytesRead - bytesRead <= bytesMax) return;
    clearInterval(timer);
    socket.destroy(Object.assign(new Error('the answer is too large'), { code: 'ERR_TOO_LARGE' }));
  }, watchMs).unref();
  return () => clearInterval(timer);
}
