import type { ErrorName, exits } from './errors.ts';

export interface Table {
  /** A sentence above it. */
  readonly title?: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** What is said in place of a table without rows. */
  readonly none?: string;
}

/** How a command ended. */
export type Outcome =
  | {
      readonly kind: 'done';
      /** For --json. */
      readonly data: unknown;
      /** What people see: tables and sentences, or nothing. */
      readonly shown?: Table | string | readonly (Table | string)[];
      /** Not `ok` when the command worked and found something that is not well. */
      readonly exit?: keyof typeof exits;
    }
  /** It printed while it worked. */
  | { readonly kind: 'printed' }
  | Failed;

/** What a command could not do, and why. */
export interface Failed {
  readonly kind: 'failed';
  readonly error: ErrorName;
  readonly cause: string;
  /** What was perhaps meant, for --json; people read it in the cause. */
  readonly suggestions?: readonly string[];
}

/** Something that a command works with, or why it cannot be opened. */
export type Opened<T> =
  | { readonly kind: 'opened'; readonly value: T }
  | { readonly kind: 'failed'; readonly outcome: Failed };

/** A file that somebody named cannot be written. */
export function unwritable(path: string, error: unknown): Failed {
  const { code = 'no code' } = error as NodeJS.ErrnoException;
  return failed('file_unwritable', `${path} cannot be written (${code}).`);
}

export function failed(error: ErrorName, cause: string): Failed {
  return { kind: 'failed', error, cause };
}
