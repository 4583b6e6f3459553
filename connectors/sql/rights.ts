import type { Statement } from './dialect.ts';

/** A right on a table, or on one of its columns. */
export interface TableRight {
  readonly privilege: 'SELECT' | 'INSERT' | 'UPDATE';
  readonly schema: string;
  readonly table: string;
  readonly column?: string;
}

/** How one database tells and grants rights. */
export interface Rights {
  /** Answers with the user as grants name it, and the default schema. */
  readonly who: string;
  /** Asks for a right, in force by whichever way it was granted. */
  held(right: TableRight): Statement;
  /** What the answer says; undefined when there is no such table, as far as the user sees. */
  isHeld(rows: readonly (readonly (string | null)[])[], right: TableRight): boolean | undefined;
  /** Asks whether the user may make a table in the schema. */
  creates(schema: string): Statement;
  isCreating(rows: readonly (readonly (string | null)[])[], schema: string): boolean;
  /** A user as GRANT names it. */
  account(user: string): string;
  /** Makes a user that logs in with a password that is still to be chosen. */
  login(user: string): string;
  /** Lets a user read all tables, so that those of invoices can be found among them. */
  readAll(users: Users): readonly string[];
  /** What a user needs beside rights on the tables of a schema. */
  enter?(schema: string, user: string): string;
  /** CREATE TABLE that does nothing where the table is there; as it is when left out. */
  ifMissing?(table: string, create: string): string;
}

/** Who reads and who writes, as the settings name them. */
export interface Users {
  readonly reader: string;
  readonly writer: string;
  readonly database: string;
  /** The schema of tables that are named without one, where one has to be named. */
  readonly schema: string | undefined;
}
