/** Limits of one file; over them a reader returns `unreadable`. */
export interface RecordLimits {
  readonly bytesMax: number;
  /** Rows of one file, all documents together. */
  readonly rowsMax: number;
  readonly columnsMax: number;
  /** UTF-16 units of one value. */
  readonly valueLengthMax: number;
}

/** The default limits. */
export const recordLimits: RecordLimits = {
  bytesMax: 33_554_432,
  rowsMax: 200_000,
  columnsMax: 1_000,
  valueLengthMax: 1_048_576,
};

/** Why bytes cannot be read: the fault, its place and a correction; `line` counts from 1. */
export interface RecordError {
  readonly code: RecordErrorCode;
  readonly message: string;
  readonly line?: number;
}

/** The kinds of faults of a file. */
export type RecordErrorCode =
  | 'too_large'
  | 'too_many_rows'
  | 'too_many_columns'
  | 'value_too_long'
  | 'not_utf8'
  | 'not_text'
  | 'empty'
  | 'header_incomplete'
  | 'header_duplicate'
  | 'column_count'
  | 'quote_misplaced'
  | 'quote_unclosed'
  | 'not_json'
  | 'not_a_document'
  | 'column_duplicate'
  | 'section_duplicate'
  | 'too_deep'
  | 'too_many_elements'
  | 'not_xml'
  | 'not_xlsx'
  | 'sheet_missing'
  | 'formula_without_value'
  | 'row_unknown'
  | 'path_missing'
  | 'not_pdf'
  | 'encrypted'
  | 'no_invoice'
  | 'several_invoices';

/** A refusal as the readers of this package return it. */
export interface Unreadable {
  readonly kind: 'unreadable';
  readonly error: RecordError;
}

/** Builds a refusal; `line` counts from 1. */
export function unreadable(code: RecordErrorCode, message: string, line?: number): Unreadable {
  return {
    kind: 'unreadable',
    error: line === undefined ? { code, message } : { code, message, line },
  };
}
