import { CsvError, parse } from 'csv-parse/sync';
import { type Delimiter, delimiterWindow, sniffDelimiter } from './delimiter.ts';
import type { SourceRow } from './document.ts';
import { type RecordLimits, recordLimits, type Unreadable, unreadable } from './limits.ts';
import {
  checkHeader,
  checkRow,
  columnsOf,
  fieldsWithin,
  isSkipped,
  type TableShape,
  valuesOf,
} from './table.ts';
import { decodeText, type Encoding } from './text.ts';

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
export interface CsvOptions extends TableShape {
  /** Shown to people as the origin of each row, e.g. the file name. */
  readonly origin: string;
  /** Default: guessed from the text. */
  readonly delimiter?: Delimiter | undefined;
  /** Default: by the byte order mark, or UTF-8. */
  readonly encoding?: Encoding | undefined;
  readonly limits?: RecordLimits;
}

/** Reads a CSV file; a fault has its place and says how to correct it. */
export function readCsv(bytes: Uint8Array, options: CsvOptions): CsvTable | Unreadable {
  const decoded = decodeText(bytes, options.limits ?? recordLimits, options.encoding);
  if (decoded.kind === 'unreadable') return decoded;
  const reader = createCsvReader(options);
  const rest = reader.end(decoded.text);
  if (rest.kind === 'unreadable') return rest;
  const { delimiter = ',', columns = [] } = reader;
  return { kind: 'table', delimiter, columns, rows: rest.rows };
}

/** The rows that are complete. */
type CsvRows = { readonly kind: 'rows'; readonly rows: readonly SourceRow[] } | Unreadable;

/** Reads a CSV text that comes in pieces, and keeps no more of it than the row that is cut. */
export interface CsvReader {
  /** Known once rows have come. */
  readonly delimiter: Delimiter | undefined;
  /** The columns of the header line, once rows have come; empty when the file has none. */
  readonly columns: readonly string[] | undefined;
  push(text: string): CsvRows;
  /** The last piece, with what was left of those before. */
  end(text?: string): CsvRows;
}

/** Characters of one record of a text that comes in pieces. */
const recordLengthMax = 4_194_304;

/** A reader of one text; it is not used after a refusal. */
export function createCsvReader(options: CsvOptions): CsvReader {
  return new Reader(options);
}

class Reader implements CsvReader {
  delimiter: Delimiter | undefined;
  columns: readonly string[] | undefined;
  readonly #options: CsvOptions;
  readonly #limits: RecordLimits;
  readonly #cut = new RecordCut();
  #line = 1;
  #skip: number;
  #rowCount = 0;

  constructor(options: CsvOptions) {
    this.#options = options;
    this.#limits = options.limits ?? recordLimits;
    this.delimiter = options.delimiter;
    this.#skip = Math.max(0, (options.headerLine ?? 1) - 1);
    if (options.headerLine === 0) this.columns = [];
  }

  push(text: string): CsvRows {
    this.#cut.add(text);
    if (this.delimiter === undefined && this.#cut.length < delimiterWindow) return noRows;
    const whole = this.#cut.take();
    if (whole !== '') return this.#rows(whole);
    if (this.#cut.length <= recordLengthMax) return noRows;
    // A quote that is never closed takes in all that follows; the parser says where it stands.
    const faulty = this.#rows(this.#cut.rest());
    const message = `The record from line ${this.#line} on is longer than ${recordLengthMax} characters.`;
    return faulty.kind === 'unreadable' ? faulty : unreadable('value_too_long', message);
  }

  end(text = ''): CsvRows {
    this.#cut.add(text);
    const rows = this.#rows(this.#cut.rest());
    if (rows.kind === 'unreadable' || this.columns !== undefined) return rows;
    return unreadable('empty', 'The file is empty; its first line must name the columns.');
  }

  #rows(text: string): CsvRows {
    this.delimiter ??= sniffDelimiter(text);
    // One more than allowed (and the header), so that an excess is noticed without reading
    // everything.
    const to = this.#limits.rowsMax - this.#rowCount + this.#skip + 2;
    const parsed = parseRecords(text, this.delimiter, this.#line, to);
    if ('kind' in parsed) return parsed;
    this.#line = parsed.lineAfter;
    const rows: SourceRow[] = [];
    for (const { fields, line } of parsed.records) {
      const refusal = this.#take(fields, line, rows);
      if (refusal !== undefined) return refusal;
    }
    return { kind: 'rows', rows };
  }

  #take(given: readonly string[], line: number, rows: SourceRow[]): Unreadable | undefined {
    if (this.#skip > 0) {
      this.#skip -= 1;
      return undefined;
    }
    if (this.columns === undefined) {
      this.columns = columnsOf(given);
      return checkHeader(this.columns, this.#limits, line);
    }
    const fields = fieldsWithin(this.columns, given);
    // A spreadsheet writes rows that hold nothing. Without a header all count, as people find it among them.
    if (this.columns.length > 0 && fields.every((field) => field.trim() === '')) return undefined;
    if (isSkipped(this.columns, fields, this.#options.skipRows)) return undefined;
    this.#rowCount += 1;
    const refusal = checkRow(this.columns, fields, line, this.#options, this.#limits);
    if (refusal !== undefined) return refusal;
    if (this.#rowCount > this.#limits.rowsMax) {
      return unreadable(
        'too_many_rows',
        `The file has more than ${this.#limits.rowsMax} rows. Split it into smaller files.`,
      );
    }
    rows.push({
      origin: this.#options.origin,
      key: String(line),
      values: valuesOf(this.columns, fields),
    });
    return undefined;
  }
}

const noRows: CsvRows = { kind: 'rows', rows: [] };

/** Cuts a text after its last record: at the last line feed that does not stand in quotes. */
class RecordCut {
  #text = '';
  /** How far it was looked at, and whether that is within quotes. */
  #looked = 0;
  #isQuoted = false;
  #end = 0;

  get length(): number {
    return this.#text.length;
  }

  add(text: string): void {
    this.#text += text;
  }

  take(): string {
    for (let at = this.#looked; at < this.#text.length; ) {
      const quote = this.#text.indexOf('"', at);
      const to = quote < 0 ? this.#text.length : quote;
      const lineFeed = this.#isQuoted ? -1 : this.#text.slice(at, to).lastIndexOf('\n');
      if (lineFeed >= 0) this.#end = at + lineFeed + 1;
      if (quote >= 0) this.#isQuoted = !this.#isQuoted;
      at = to + 1;
      this.#looked = Math.min(at, this.#text.length);
    }
    const whole = this.#text.slice(0, this.#end);
    this.#text = this.#text.slice(this.#end);
    this.#looked -= this.#end;
    this.#end = 0;
    return whole;
  }

  rest(): string {
    const text = this.#text;
    this.#text = '';
    this.#looked = 0;
    return text;
  }
}

interface ParsedRecord {
  readonly fields: readonly string[];
  /** The line the record starts on, from 1. */
  readonly line: number;
}

interface ParsedRecords {
  readonly records: readonly ParsedRecord[];
  readonly lineAfter: number;
}

function parseRecords(
  text: string,
  delimiter: Delimiter,
  firstLine: number,
  to: number,
): ParsedRecords | Unreadable {
  const bytes = Buffer.from(text);
  // The parser makes an error of each record that is not as long as the first one, also where that is
  // allowed: their stacks would take four times as long as all the rest.
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    const records = parse(bytes, {
      delimiter,
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
      to,
    }) as unknown as readonly InformedRecord[];
    return withLines(bytes, records, firstLine);
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    // The parser counts a quoted CR LF as two lines; without the CRs the line of the error is
    // right.
    if (text.includes('\r\n')) {
      return parseRecords(text.replaceAll('\r\n', '\n'), delimiter, firstLine, to);
    }
    return quoteError(error, firstLine);
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

function quoteError(error: CsvError, firstLine: number): Unreadable {
  const counted = Number(error.lines) || undefined;
  const line = counted === undefined ? undefined : counted + firstLine - 1;
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

function withLines(
  bytes: Uint8Array,
  records: readonly InformedRecord[],
  firstLine: number,
): ParsedRecords {
  let line = firstLine;
  let at = 0;
  const informed = records.map(({ record, info }) => {
    while (bytes[at] === lineFeed || bytes[at] === carriageReturn) {
      if (bytes[at] === lineFeed) line += 1;
      at += 1;
    }
    const start = line;
    for (; at < info.bytes; at += 1) if (bytes[at] === lineFeed) line += 1;
    return { fields: record, line: start };
  });
  for (; at < bytes.length; at += 1) if (bytes[at] === lineFeed) line += 1;
  return { records: informed, lineAfter: line };
}
