/** One row of a source as read: every value as text, `null` where the source has none. */
export interface SourceRow {
  /** The table, file or sheet it came from; people see it in validation errors. */
  readonly origin: string;
  /** The key of the row in its origin, as text. */
  readonly key: string;
  readonly values: Readonly<Record<string, string | null>>;
}

/**
 * A source document: named sections of rows, e.g. `header` (one row), `lines` (many), `taxes`,
 * `customer`. Values have the source's own column names, so that an error can name the column that
 * a person can open.
 */
export interface SourceDocument {
  readonly ref: string;
  readonly sections: Readonly<Record<string, readonly SourceRow[]>>;
  /** The document itself, where the source holds it as one XML file; without XML declaration. */
  readonly xml?: string;
}
