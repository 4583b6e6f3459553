import { CsvError, parse } from 'csv-parse/sync';
import { type Delimiter, sniffDelimiter } from './delimiter.ts';
import type { SourceRow } from './document.ts';
import { type RecordLimits, recordLimits, type Unreadable, unreadable } from './limits.ts';
import { decodeText } from './text.ts';

/**
 * A CSV file as rows; a row's key is the line it starts on, counted from 1; an empty field is
 * `null`.
 */
export interface CsvTable {
  readonly kind: 'table';
  readonly delimiter: Delimiter;
  readonly columns: readonly string[];
  readonly rows: readonly SourceRow[];
}

/** How to read a CSV file. */
export interface CsvOptions {
  /** Shown to people as the origin of each row, e.g. the file name. */
  readonly origin: string;
  /** Default: guessed from the text. */
  readonly delimiter?: Delimiter | undefined;
  readonly limits?: RecordLimits;
}

interface ParsedRecord {
  readonly fields: readonly string[];
  /** The line the record starts on, from 1. */
  readonly line: number;
}

/** Reads a CSV file with a header line; a fault has its place and says how to correct it. */
export function readCsv(bytes: Uint8Array, options: CsvOptions): CsvTable | Unreadable {
  const limits = options.limits ?? recordLimits;
  const decoded = decodeText(bytes, limits);
  if (decoded.kind === 'unreadable') return decoded;
  const delimiter = options.delimiter ?? sniffDelimiter(decoded.text);
  const parsed = parseRecords(decoded.text, delimiter, limits);
  if ('kind' in parsed) return parsed;
  const [header, ...body] = parsed;
  if (header === undefined) {
    return unreadable('empty', 'The file is empty; its first line must name the columns.');
  }
  const columns = header.fields.map((name) => name.trim());
  const refusal = checkHeader(columns, limits) ?? checkRows(columns, body, limits);
  if (refusal !== undefined) return refusal;
  const rows = body.map((parsedRecord) => ({
    origin: options.origin,
    key: String(parsedRecord.line),
    values: Object.fromEntries(
      columns.map((column, position) => [column, parsedRecord.fields[position] || null]),
    ),
  }));
  return { kind: 'table', delimiter, columns, rows };
}

function parseRecords(
  text: string,
  delimiter: Delimiter,
  limits: RecordLimits,
): readonly ParsedRecord[] | Unreadable {
  const bytes = Buffer.from(text);
  try {
    const records = parse(bytes, {
      delimiter,
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
      // One more than allowed (and the header), so that an excess is noticed without reading
      // everything.
      to: limits.rowsMax + 2,
    }) as unknown as readonly InformedRecord[];
    return withLines(bytes, records);
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    // The parser counts a quoted CR LF as two lines; without the CRs the line of the error is
    // right.
    if (text.includes('\r\n')) {
      return parseRecords(text.replaceAll('\r\n', '\n'), delimiter, limits);
    }
    return quoteError(error);
  }
}

function quoteError(error: CsvError): Unreadable {
  const line = Number(error.lines) || undefined;
  if (error.code === 'CSV_QUOTE_NOT_CLOSED') {
    return unreadable(
      'quote_unclosed',
      'A quote that is opened is never closed. ' +
        'Close it, or double it ("") where the text itself holds a quote.',
      line,
    );
  }
  return unreadable(
    'quote_misplaced',
    `Line ${line ?? '?'}: a quote stands in the middle of a field. ` +
      'Quote the whole field and double the quotes inside it.',
    line,
  );
}

interface InformedRecord {
  readonly record: readonly string[];
  /** `bytes` is the position after the record. */
  readonly info: { readonly bytes: number };
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

function withLines(bytes: Uint8Array, records: readonly InformedRecord[]): readonly ParsedRecord[] {
  let line = 1;
  let at = 0;
  return records.map(({ record, info }) => {
    while (bytes[at] === lineFeed || bytes[at] === carriageReturn) {
      if (bytes[at] === lineFeed) line += 1;
      at += 1;
    }
    const start = line;
    for (; at < info.bytes; at += 1) if (bytes[at] === lineFeed) line += 1;
    return { fields: record, line: start };
  });
}

function checkHeader(columns: readonly string[], limits: RecordLimits): Unreadable | undefined {
  if (columns.length > limits.columnsMax) {
    return unreadable(
      'too_many_columns',
      `The header names ${columns.length} columns; at most ${limits.columnsMax} are read.`,
      1,
    );
  }
  const seen = new Map<string, number>();
  for (const [index, column] of columns.entries()) {
    if (column === '') {
      return unreadable(
        'header_incomplete',
        `Column ${index + 1} has no name in the header line. Name it, or remove the column.`,
        1,
      );
    }
    const earlier = seen.get(column);
    if (earlier !== undefined) {
      return unreadable(
        'header_duplicate',
        `The header names "${column}" twice, as columns ${earlier} and ${index + 1}. ` +
          'Rename one of them.',
        1,
      );
    }
    seen.set(column, index + 1);
  }
  return undefined;
}

function checkRows(
  columns: readonly string[],
  rows: readonly ParsedRecord[],
  limits: RecordLimits,
): Unreadable | undefined {
  if (rows.length > limits.rowsMax) {
    return unreadable(
      'too_many_rows',
      `The file has more than ${limits.rowsMax} rows. Split it into smaller files.`,
    );
  }
  for (const { fields, line } of rows) {
    if (fields.length !== columns.length) {
      return unreadable(
        'column_count',
        `The row on line ${line} has ${fields.length} fields and the header ` +
          `${columns.length}. Quote fields that hold the delimiter, or complete the row.`,
        line,
      );
    }
    const tooLong = fields.findIndex((value) => value.length > limits.valueLengthMax);
    if (tooLong >= 0) {
      return unreadable(
        'value_too_long',
        `The row on line ${line} has a value of more than ` +
          `${limits.valueLengthMax} characters in column "${columns[tooLong]}".`,
        line,
      );
    }
  }
  return undefined;
}
