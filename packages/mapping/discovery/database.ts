import { isWrittenDay } from '../calendar.ts';
import { idleAffixes, withoutAffixes, withoutTable } from '../column-affixes.ts';
import { rememberedByName, rememberedByObject } from '../remembered.ts';
import { wordsOf } from '../words.ts';

/** A row of a sample, each value as text. */
export type SampleRow = Readonly<Record<string, string | null>>;

/** A table or view as discovery found it. */
export interface FoundTable {
  /** As settings name it: with its schema where that is not the default one. */
  readonly name: string;
  /** Columns with their types in the database's own words, without binary ones. */
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  /** Empty where none is declared. */
  readonly primaryKey: readonly string[];
  readonly uniques: readonly (readonly string[])[];
  /** About how many rows it has, as the database's own statistics say; undefined when they do not. */
  readonly rows: number | undefined;
  /** The newest rows by the key, where there is one; a few hundred at most. */
  readonly sample: readonly SampleRow[];
}

/** Columns that point at a row of another table. */
export interface Reference {
  readonly table: string;
  readonly columns: readonly string[];
  readonly to: string;
  readonly toColumns: readonly string[];
  /** The rows that point there, where others of the table point elsewhere. */
  readonly where?: Readonly<Record<string, string>>;
  /** Declared in the database, or found by names and values. */
  readonly basis: 'declared' | 'found';
  /** How sure it is, 0 to 1. */
  readonly confidence: number;
}

/** What discovery found in a database. */
export interface FoundDatabase {
  readonly tables: readonly FoundTable[];
  readonly references: readonly Reference[];
}

/** What the values of a column look like. */
export interface ColumnFacts {
  readonly kind: 'empty' | 'integer' | 'decimal' | 'date' | 'text';
  readonly rows: number;
  /** Rows that hold something. */
  readonly filled: number;
  readonly values: ReadonlySet<string>;
}

const integer = /^-?\d{1,18}$/;
const compactDate = /^(19|20)\d{2}(0[1-9]|1[0-2])([0-2]\d|3[01])$/;
/** With the century before: 1260105 is 5 January 2026. */
const centuryDate = /^1[1-3]\d(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])$/;
const decimal = /^-?\d*[.,]?\d+(e[+-]?\d+)?$/i;
const isoDate = /^\d{4}-\d{2}-\d{2}([T ].*)?$/;

const factsOf = new WeakMap<FoundTable, Map<string, ColumnFacts>>();

/** The facts of a column, from the sample of its table. */
export function columnFacts(table: FoundTable, column: string): ColumnFacts {
  const known = factsOf.get(table) ?? new Map<string, ColumnFacts>();
  factsOf.set(table, known);
  const cached = known.get(column);
  if (cached !== undefined) return cached;
  const made = factsOfValues(table.sample.map((row) => row[column] ?? null));
  known.set(column, made);
  return made;
}

/** Whether rows were read, and none of them has a value there. */
export function isUnfilled(table: FoundTable, column: string): boolean {
  return table.sample.length > 0 && columnFacts(table, column).filled === 0;
}

/** The facts of a list of values. */
function factsOfValues(all: readonly (string | null)[]): ColumnFacts {
  const filled = all.filter((value): value is string => value !== null && value.trim() !== '');
  const values = new Set(filled);
  const areAll = (holds: (value: string) => boolean) =>
    [...values].every((value) => holds(value.trim()));
  const are = (form: RegExp) => areAll((value) => form.test(value));
  const areDays = () => areAll((value) => isoDate.test(value) || isWrittenDay(value));
  const kind =
    values.size === 0
      ? 'empty'
      : areDays() || are(compactDate) || (values.size > 2 && are(centuryDate))
        ? 'date'
        : are(integer)
          ? 'integer'
          : are(decimal)
            ? 'decimal'
            : 'text';
  return { kind, rows: all.length, filled: filled.length, values };
}

/** Rows of a sample in which a column of a key has one value, at least, before it says nothing: one company. */
const idleKeyRowsMin = 5;

/** The columns of the key that tell rows apart. */
export function tellingKey(table: FoundTable): readonly string[] {
  const { primaryKey, sample } = table;
  if (primaryKey.length < 2 || sample.length < idleKeyRowsMin) return primaryKey;
  const telling = primaryKey.filter((column) => columnFacts(table, column).values.size > 1);
  return telling.length === 0 ? primaryKey : telling;
}

/** Whether those columns, and no others, tell rows apart as the key of the table. */
export function isWholeKey(table: FoundTable, columns: readonly string[]): boolean {
  return tellingKey(table).join() === columns.join();
}

const affixesOf = rememberedByObject(({ columns }: FoundTable) =>
  idleAffixes(columns.map(({ name }) => name)),
);

/** A column's name without what most columns of its table begin or end with: `invchead_number` → number. */
export function bareName(table: FoundTable, column: string): string {
  return withoutTable(withoutAffixes(column, affixesOf(table)), table.name);
}

/** The words of a column's name, without that beginning. */
export function wordsOfColumn(table: FoundTable, column: string): readonly string[] {
  return wordsOf(bareName(table, column));
}

/** Compares columns that say as much: the one with fewer words in its name first. */
export function byPlainName(table: FoundTable, one: string, other: string): number {
  return wordsOfColumn(table, one).length - wordsOfColumn(table, other).length;
}

/** Whether the columns together name at most one row: declared, or so in the whole sample. */
export function isUnique(table: FoundTable, columns: readonly string[]): boolean {
  const isIn = (key: readonly string[]) =>
    key.length > 0 && key.every((column) => columns.includes(column));
  if (isIn(table.primaryKey) || table.uniques.some(isIn)) return true;
  if (table.sample.length < 2) return false;
  const seen = new Set(
    table.sample.map((row) => JSON.stringify(columns.map((column) => row[column] ?? null))),
  );
  return seen.size === table.sample.length && columns.every((name) => isFull(table, name));
}

function isFull(table: FoundTable, column: string): boolean {
  const { rows, filled } = columnFacts(table, column);
  return rows === filled;
}

/** A name without case and separators, for comparison: `Trans_No` → transno. */
export const folded = rememberedByName((name) => name.toLowerCase().replace(/[^a-z0-9]/g, ''));
