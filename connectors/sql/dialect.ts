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

/** What differs between SQL databases in the statements of the shared engine. */
export interface Dialect {
  quote(identifier: string): string;
  /** The placeholder of the value bound at `position`, from 1. */
  placeholder(position: number): string;
  /**
   * `column = placeholder` for a text value, in a form that uses the column's index and cannot fail
   * on any text; undefined when no value of the column's type can be written so.
   */
  equals(column: string, type: string, placeholder: string, value: string): string | undefined;
  /** A value as `list` returned it, in the form the database compares. */
  comparable(value: string): string;
  /** A quoted column as it stands in a SELECT list, so that the driver gets its exact value. */
  selected(column: string, type: string): string;
  /** A placeholder whose value is compared by order with a column of that type, or written to it. */
  converted(placeholder: string, type: string): string;
  /** A SELECT that answers with `count` rows at most. */
  limited(select: string, count: number): string;
  readonly isBinary: (type: string) => boolean;
  /** Rows (schema, table): tables and views, those of the default schema first. */
  readonly tables: string;
  /**
   * Rows (schema, table, column, type) of the tables named by the `count` values bound, default
   * schema first, columns in their order.
   */
  columns(count: number): string;
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
