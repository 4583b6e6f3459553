import type { TextLines } from './text-lines.ts';

/** A record of a file that people made. */
export interface LenientRecord {
  /** The line on which it begins, from 1. */
  readonly line: number;
  readonly fields: readonly string[];
  /** Why its fields are not certain; they are then only good to be shown. */
  readonly problem?: string;
}

/** How to read a file. */
export interface LenientCsvOptions {
  readonly separator: string;
  /** Records are numbered in place of lines: each is a row of a sheet. */
  readonly countsRecords?: boolean;
}

interface Line {
  readonly text: string;
  readonly line: number;
  readonly isMisread: boolean;
}

/** A quoted field may go over so many lines, of so many characters together. */
const openLinesMax = 100;
const openLengthMax = 65_536;

const unclosed = 'a quote is opened and not closed';
const stray = 'a quote stands inside a field, so that the columns cannot be told apart';
const foreign = 'it holds bytes of another encoding than the rest of the file';

/**
 * Reads CSV as spreadsheets and people write it. What is not certain is one record with a problem and does
 * not reach beyond its line: a quote that is never closed costs the record in which it is opened, and a
 * quote within a field counts as text where only one reading gives as many fields as the header has. Rows
 * without any value are left out.
 */
export class LenientCsv {
  /** Fields of the header, once it is known. */
  width: number | undefined;
  readonly #separator: string;
  readonly #countsRecords: boolean;
  #line = 0;
  /** Lines of a record that is open within quotes. */
  #open: Line[] = [];
  #openLength = 0;

  constructor({ separator, countsRecords = false }: LenientCsvOptions) {
    this.#separator = separator;
    this.#countsRecords = countsRecords;
  }

  /** The records that end in these lines. */
  *push({ lines, misread }: TextLines): Generator<LenientRecord> {
    for (const [at, text] of lines.entries()) {
      if (!this.#countsRecords || this.#open.length === 0) this.#line += 1;
      const isMisread = misread.has(at);
      const whole = text.endsWith('\r') ? text.slice(0, -1) : text;
      // Nearly all lines of a large file: no generator of their own.
      if (this.#open.length > 0 || isMisread || whole.includes('"')) {
        yield* this.#take({ text: whole, line: this.#line, isMisread });
      } else {
        const fields = whole.split(this.#separator);
        if (hasValue(fields)) yield { line: this.#line, fields };
      }
    }
  }

  /** What is still open. */
  *end(): Generator<LenientRecord> {
    while (this.#open.length > 0) yield* this.#giveUp();
  }

  *#take(line: Line): Generator<LenientRecord> {
    if (this.#open.length > 0) return yield* this.#continue(line);
    const { text } = line;
    if (!text.includes('"')) {
      const fields = text.split(this.#separator);
      if (hasValue(fields)) yield recordOf([line], fields);
      return;
    }
    const found = scan(text, this.#separator);
    if (found.isOpen && !found.isStray) {
      this.#open = [line];
      this.#openLength = text.length;
    } else if (!found.isStray) {
      yield recordOf([line], found.fields);
    } else {
      yield this.#choose(line, found);
    }
  }

  /** Of two readings of stray quotes the one that has as many fields as the header. */
  #choose(line: Line, { fields, isOpen }: Scan): LenientRecord {
    const literal = splitLiterally(line.text, this.#separator);
    const isQuotedRight = !isOpen && (this.width ?? fields.length) === fields.length;
    const isLiteralRight = literal.length === this.width;
    const isSame = fields.join('\n') === literal.join('\n');
    if (isQuotedRight && (!isLiteralRight || isSame)) return recordOf([line], fields);
    if (isLiteralRight && !isQuotedRight) return recordOf([line], literal);
    return { line: line.line, fields: literal, problem: stray };
  }

  *#continue(line: Line): Generator<LenientRecord> {
    this.#open.push(line);
    this.#openLength += line.text.length + 1;
    if (line.text.includes('"')) {
      const whole = this.#open.map(({ text }) => text).join('\n');
      const { fields, isOpen, isStray } = scan(whole, this.#separator);
      if (isStray || (!isOpen && this.#isTooMuch())) return yield* this.#giveUp();
      if (!isOpen) {
        const record = recordOf(this.#open, fields);
        this.#open = [];
        return yield record;
      }
    }
    const isLong = this.#open.length > openLinesMax || this.#openLength > openLengthMax;
    if (isLong) yield* this.#giveUp();
  }

  /** Whether whole records seem to lie between the quotes. */
  #isTooMuch(): boolean {
    const { width = 0 } = this;
    if (width < 2) return false;
    const full = this.#open.map(
      ({ text }) => splitLiterally(text, this.#separator).length >= width,
    );
    return full.slice(1, -1).includes(true) || full.filter(Boolean).length > 1;
  }

  /** The record in which the quote was opened is lost; the lines after it are read anew. */
  *#giveUp(): Generator<LenientRecord> {
    const [first, ...rest] = this.#open;
    this.#open = [];
    if (first === undefined) return;
    const fields = splitLiterally(first.text, this.#separator);
    yield { line: first.line, fields, problem: unclosed };
    for (const line of rest) yield* this.#take(line);
  }
}

function hasValue(fields: readonly string[]): boolean {
  return fields.some((field) => field.trim() !== '');
}

function recordOf(lines: readonly Line[], fields: readonly string[]): LenientRecord {
  const { line } = lines[0]!;
  const isForeign = lines.some(({ isMisread }) => isMisread);
  return isForeign ? { line, fields, problem: foreign } : { line, fields };
}

interface Scan {
  readonly fields: readonly string[];
  /** It ends within quotes. */
  readonly isOpen: boolean;
  /** A quote within quotes is neither doubled nor the end of its field. */
  readonly isStray: boolean;
}

function scan(text: string, separator: string): Scan {
  const fields: string[] = [];
  let isStray = false;
  for (let at = 0; ; ) {
    const start = skipSpaces(text, at);
    if (text[start] !== '"') {
      const end = text.indexOf(separator, at);
      fields.push(text.slice(at, end < 0 ? text.length : end));
      if (end < 0) return { fields, isOpen: false, isStray };
      at = end + 1;
      continue;
    }
    let value = '';
    for (let from = start + 1; ; ) {
      const quote = text.indexOf('"', from);
      if (quote < 0) return { fields, isOpen: true, isStray };
      value += text.slice(from, quote);
      from = quote + 1;
      const next = skipSpaces(text, from);
      if (next === text.length || text[next] === separator) {
        fields.push(value);
        at = next + 1;
        break;
      }
      value += '"';
      if (text[from] === '"') from += 1;
      else isStray = true;
    }
    if (at > text.length) return { fields, isOpen: false, isStray };
  }
}

function skipSpaces(text: string, from: number): number {
  let at = from;
  while (text[at] === ' ') at += 1;
  return at;
}

/** Cuts at every separator; a field that is quoted as a whole loses its quotes. */
function splitLiterally(text: string, separator: string): string[] {
  return text.split(separator).map((field) => {
    const [, quoted] = /^ *"((?:[^"]|"")*)" *$/.exec(field) ?? [];
    return quoted === undefined ? field : quoted.replaceAll('""', '"');
  });
}
