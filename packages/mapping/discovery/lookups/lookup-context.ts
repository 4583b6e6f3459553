import type { FoundTable, Reference } from '../database.ts';

/** The database that lookups are sought in. */
export interface LookupContext {
  /** Those to rows that extend others are among them. */
  readonly references: readonly Reference[];
  readonly byName: ReadonlyMap<string, FoundTable>;
  /** Words that the names of all tables begin with. */
  readonly prefixes: ReadonlySet<string>;
}
