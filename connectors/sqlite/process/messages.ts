import type { Statement } from '../../sql/dialect.ts';
import type { Rows, Unanswered, Unusable } from '../../sql/driver.ts';

/** A file that is opened for one transaction. */
export interface Transaction {
  readonly file: string;
  /** Folders in which it may lie. */
  readonly roots: readonly string[];
  readonly isWriter: boolean;
}

/** What the process is asked, one thing after another. */
export type SqliteRequest =
  /** Opens the file; for reading the transaction begins with it. */
  | ({ readonly kind: 'open' } & Transaction)
  | { readonly kind: 'execute'; readonly text: string }
  | { readonly kind: 'run'; readonly statement: Statement }
  | { readonly kind: 'close' };

export type SqliteAnswer = { readonly kind: 'done' } | Rows | Unusable | Unanswered;

/** What the process sends: an answer, and before it the rows that are too many for one message. */
export type SqliteMessage = { readonly rows: Rows['rows'] } | { readonly answer: SqliteAnswer };
