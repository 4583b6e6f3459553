/** A statement with its bound values. `text` never contains anything that a caller sent. */
export interface Statement {
  readonly text: string;
  readonly values: readonly (string | null)[];
  /** Rows wanted at most; one more may be returned to show that there are more. */
  readonly rowsMax: number;
  /**
   * The driver keeps the transaction usable when the statement fails, and limits its rows itself.
   * Set when an administrator wrote the statement, or when the table may be broken.
   */
  readonly isGuarded?: boolean;
}

/** A column of a table that this product makes. */
export interface NewColumn {
  readonly name: string;
  /** The most characters of a text; `long`: any number; `decimal`: an exact number. */
  readonly holds: number | 'long' | 'decimal';
  readonly isRequired?: boolean;
}

/** The columns and the key of a `create table`, with each column's type in the database's words. */
export function columnList(
  { quote }: Pick<Dialect, 'quote'>,
  columns: readonly NewColumn[],
  primaryKey: readonly string[],
  typeOf: (column: NewColumn) => string,
): string {
  const rows = columns.map(
    (column) => `${quote(column.name)} ${typeOf(column)}${column.isRequired ? ' NOT NULL' : ''}`,
  );
  return `(${[...rows, `PRIMARY KEY (${primaryKey.map(quote).join(', ')})`].join(', ')})`;
}

/** The sides of a comparison: each `column = value` holds, or `column IN (value, …)`. */
interface Comparison {
  readonly column: string;
  readonly value: string;
}

/** `column = placeholder`; undefined when no value of the column's type can be written so. */
export function equality(
  dialect: Dialect,
  column: string,
  type: string,
  placeholder: string,
  value: string,
): string | undefined {
  const sides = dialect.comparison(dialect.quote(column), type, placeholder, value);
  return sides && `${sides.column} = ${sides.value}`;
}

/**
 * `column IN (placeholder, …)` of those values that its type can have, which are bound; undefined when there
 * are none. Not OR: MariaDB takes a time for it that grows with the square of the alternatives.
 */
export function oneOf(
  dialect: Dialect,
  column: string,
  type: string,
  values: readonly string[],
  binder: Binder,
): string | undefined {
  const comparisons: Comparison[] = [];
  for (const value of values) {
    const sides = dialect.comparison(dialect.quote(column), type, binder.next(), value);
    if (sides === undefined) continue;
    binder.bind(value);
    comparisons.push(sides);
  }
  const list = comparisons.map((sides) => sides.value).join(', ');
  return comparisons[0] && `${comparisons[0].column} IN (${list})`;
}

/** What differs between SQL databases in the statements of the shared engine. */
export interface Dialect {
  quote(identifier: string): string;
  /** The placeholder of the value bound at `position`, from 1. */
  placeholder(position: number): string;
  /**
   * The two sides by which a column is compared with a text value, in a form that uses the column's index
   * and cannot fail on any text; undefined when no value of the column's type can be written so. The
   * column's side is the same for all values.
   */
  comparison(
    column: string,
    type: string,
    placeholder: string,
    value: string,
  ): Comparison | undefined;
  /** A value as `list` returned it, in the form the database compares. */
  comparable(value: string): string;
  /** A quoted column as it stands in a SELECT list, so that the driver gets its exact value. */
  selected(column: string, type: string): string;
  /** The first characters of a text column, so that no long text is sent whole; others as `selected` has them. */
  beginning(column: string, type: string, characters: number): string;
  /** A placeholder whose value is compared by order with a column of that type, or written to it. */
  converted(placeholder: string, type: string): string;
  /** A SELECT that answers with `count` rows at most. */
  limited(select: string, count: number): string;
  readonly isBinary: (type: string) => boolean;
  /** Answers with what the server is and its version, as people say it: "MariaDB 10.11.6". */
  readonly product: string;
  /** Rows (schema, table): tables and views, those of the default schema first. */
  readonly tables: string;
  /**
   * Rows (schema, table, column, type) of the tables named by the `count` values bound, default
   * schema first, columns in their order.
   */
  columns(count: number): string;
  /**
   * Rows (schema, table, key, kind, column) of the primary keys (kind P) and unique keys (U) of the tables
   * named by the `count` values bound, columns in their order.
   */
  keys(count: number): string;
  /**
   * Rows (schema, table, key, column, other schema, other table, other column) of the foreign keys of the
   * tables named by the `count` values bound, columns in their order.
   */
  foreignKeys(count: number): string;
  /**
   * Rows (schema, table, rows) by the database's own statistics, of the tables named by the `count` values
   * bound; absent where it keeps none.
   */
  rowCounts?(count: number): string;
  /** About how many rows a table has, without reading it, where the database keeps no statistics. */
  rowCount?(table: string): string;
  /** Creates the side table under its quoted name when it is missing. */
  createSideTable(table: string): string;
  /** Creates a table of this product under its quoted name when it is missing. */
  createTable(table: string, columns: readonly NewColumn[], primaryKey: readonly string[]): string;
  /** Stands in a SELECT that will be followed by an UPDATE of the same rows. */
  readonly lock: { readonly afterTable: string; readonly atEnd: string };
}

/** What most databases have in common. */
export const usualDialect = {
  selected: (column: string) => column,
  converted: (placeholder: string) => placeholder,
  limited: (select: string, count: number) => `${select} LIMIT ${count}`,
  lock: { afterTable: '', atEnd: ' FOR UPDATE' },
} satisfies Partial<Dialect>;

/** Collects bound values while a statement is written. */
export interface Binder {
  bind(value: string): string;
  readonly values: readonly string[];
  /** The placeholder that the next `bind` will return. */
  next(): string;
}

/** A binder that starts at the first position. */
export function createBinder(dialect: Dialect): Binder {
  const values: string[] = [];
  const next = () => dialect.placeholder(values.length + 1);
  return {
    values,
    next,
    bind(value) {
      const placeholder = next();
      values.push(value);
      return placeholder;
    },
  };
}
