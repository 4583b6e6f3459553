import { type RecordLimits, type Unreadable, unreadable } from './limits.ts';

/** What a table of a file looks like; the same for CSV files and for sheets. */
export interface TableShape {
  /** Which row names the columns, counted from 1; 0: none, columns are called `1`, `2` … Default: 1. */
  readonly headerLine?: number | undefined;
  /** Whether rows may have fewer fields than the header. Default: only without a header. */
  readonly isRagged?: boolean | undefined;
  /** Rows that belong to no document, such as totals at the end. */
  readonly skipRows?: readonly SkippedRows[] | undefined;
}

/** Rows that are left out: in which all these columns are empty, or one begins with a text. */
export type SkippedRows =
  | { readonly empty: readonly string[] }
  | { readonly column: string; readonly begins: string };

/** The names of a header row; programs that end each line with the delimiter name nothing behind the last. */
export function columnsOf(fields: readonly string[]): readonly string[] {
  const names = fields.map((name) => name.trim());
  const count = names.findLastIndex((name) => name !== '') + 1;
  return count === 0 ? names : names.slice(0, count);
}

/** The fields of a row without empty ones behind the last column. */
export function fieldsWithin(
  columns: readonly string[],
  fields: readonly string[],
): readonly string[] {
  if (columns.length === 0 || fields.length <= columns.length) return fields;
  const isEmpty = fields.slice(columns.length).every((field) => field.trim() === '');
  return isEmpty ? fields.slice(0, columns.length) : fields;
}

/** The fields of a row by their columns, or by their position; an empty one is `null`. */
export function valuesOf(
  columns: readonly string[],
  fields: readonly string[],
): Readonly<Record<string, string | null>> {
  const names = namesOf(columns, fields);
  return Object.fromEntries(names.map((column, position) => [column, fields[position] || null]));
}

/** Why a header cannot be used; `line` is where it stands. */
export function checkHeader(
  columns: readonly string[],
  limits: RecordLimits,
  line: number,
): Unreadable | undefined {
  if (columns.length > limits.columnsMax) {
    return unreadable(
      'too_many_columns',
      `The header names ${columns.length} columns; at most ${limits.columnsMax} are read.`,
      line,
    );
  }
  const seen = new Map<string, number>();
  for (const [index, column] of columns.entries()) {
    if (column === '') {
      return unreadable(
        'header_incomplete',
        `Column ${index + 1} has no name in the header line. Name it, or remove the column.`,
        line,
      );
    }
    const earlier = seen.get(column);
    if (earlier !== undefined) {
      return unreadable(
        'header_duplicate',
        `The header names "${column}" twice, as columns ${earlier} and ${index + 1}. ` +
          'Rename one of them.',
        line,
      );
    }
    seen.set(column, index + 1);
  }
  return undefined;
}

/** Whether a row is one of those that are left out; it may then have too few fields, and not too many. */
export function isSkipped(
  columns: readonly string[],
  fields: readonly string[],
  rules: readonly SkippedRows[] = [],
): boolean {
  if (rules.length === 0 || (columns.length > 0 && fields.length > columns.length)) return false;
  const names = namesOf(columns, fields);
  const textOf = (column: string) => (fields[names.indexOf(column)] ?? '').trim();
  return rules.some((rule) =>
    'empty' in rule
      ? rule.empty.every((column) => names.includes(column) && textOf(column) === '')
      : textOf(rule.column).toLowerCase().startsWith(rule.begins.toLowerCase()),
  );
}

function namesOf(columns: readonly string[], fields: readonly string[]): readonly string[] {
  return columns.length > 0 ? columns : fields.map((_, index) => String(index + 1));
}

/** Why a row cannot be used. */
export function checkRow(
  columns: readonly string[],
  fields: readonly string[],
  line: number,
  { headerLine = 1, isRagged = headerLine === 0 }: TableShape,
  limits: RecordLimits,
): Unreadable | undefined {
  const isOther = isRagged ? fields.length > columns.length : fields.length !== columns.length;
  if (headerLine > 0 && isOther) {
    return unreadable(
      'column_count',
      `The row on line ${line} has ${fields.length} fields and the header ` +
        `${columns.length}. Quote fields that hold the delimiter, or complete the row.`,
      line,
    );
  }
  if (fields.length > limits.columnsMax) {
    return unreadable(
      'too_many_columns',
      `The row on line ${line} has ${fields.length} fields; at most ${limits.columnsMax} are read.`,
      line,
    );
  }
  const tooLong = fields.findIndex((value) => value.length > limits.valueLengthMax);
  if (tooLong < 0) return undefined;
  return unreadable(
    'value_too_long',
    `The row on line ${line} has a value of more than ` +
      `${limits.valueLengthMax} characters in column "${columns[tooLong] ?? tooLong + 1}".`,
    line,
  );
}
