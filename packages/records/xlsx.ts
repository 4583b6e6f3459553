import { SaxesParser } from 'saxes';
import type { SourceRow } from './document.ts';
import { type RecordLimits, recordLimits, type Unreadable, unreadable } from './limits.ts';
import { plainNumber } from './number.ts';
import { checkHeader, checkRow, columnsOf, isSkipped, type TableShape, valuesOf } from './table.ts';
import { dateOf, isDateFormat } from './xlsx-date.ts';
import { type ZipEntry, zipEntries } from './zip.ts';

/** A sheet as rows; a row's key is its number in the sheet; an empty cell is `null`. */
export interface XlsxTable {
  readonly kind: 'table';
  /** The sheet that was read, and all that can be seen. */
  readonly sheet: string;
  readonly sheets: readonly string[];
  readonly columns: readonly string[];
  readonly rows: readonly SourceRow[];
}

/** How to read a workbook. */
export interface XlsxOptions extends TableShape {
  /** Shown to people as the origin of each row, before the name of the sheet. */
  readonly origin: string;
  /** Default: the first one that is not hidden. */
  readonly sheet?: string | undefined;
  readonly limits?: RecordLimits;
}

/** Of a workbook, unpacked; a small file may hold much. */
const xlsxLimits = { unpackedBytesMax: 134_217_728, partsMax: 5_000, stylesMax: 65_536 } as const;

/**
 * Reads a sheet of an XLSX workbook. Numbers keep their digits (those that a double adds are left
 * out), dates are `YYYY-MM-DD`. Formulas are not computed: the value that the program stored is
 * taken. Links to other files are not followed.
 */
export function readXlsx(bytes: Uint8Array, options: XlsxOptions): XlsxTable | Unreadable {
  return inWorkbook(bytes, options.limits, (workbook) => readSheet(workbook, options));
}

/** Several sheets of one workbook, in the order of `all`; it is unpacked once. */
export function readXlsxSheets(
  bytes: Uint8Array,
  all: readonly XlsxOptions[],
): { readonly kind: 'tables'; readonly tables: readonly XlsxTable[] } | Unreadable {
  return inWorkbook(bytes, all[0]?.limits, (workbook) => {
    const tables: XlsxTable[] = [];
    for (const options of all) {
      const table = readSheet(workbook, options);
      if (table.kind === 'unreadable') return table;
      tables.push(table);
    }
    return { kind: 'tables', tables } as const;
  });
}

/** A row of a sheet as it stands there. */
interface SheetRow {
  /** As `headerLine` counts. */
  readonly position: number;
  readonly fields: readonly string[];
}

/** What a workbook holds, for somebody to find out how it is laid out. */
export interface LookedSheet {
  readonly name: string;
  /** The first and the last rows that hold something. */
  readonly rows: readonly SheetRow[];
  readonly rowCount: number;
}

const sheetsLooked = 20;

/** The first visible sheets of a workbook, with the first `firstRows` rows of each and the last `lastRows`. */
export function lookIntoXlsx(
  bytes: Uint8Array,
  { firstRows, lastRows }: { readonly firstRows: number; readonly lastRows: number },
): { readonly kind: 'sheets'; readonly sheets: readonly LookedSheet[] } | Unreadable {
  return inWorkbook(bytes, recordLimits, (workbook) => {
    const sheets = workbook.visible.slice(0, sheetsLooked).map((name): LookedSheet => {
      const first: SheetRow[] = [];
      let last: SheetRow[] = [];
      let position = 0;
      let rowCount = 0;
      const reader = new SheetReader(workbook, recordLimits, (_, fields) => {
        position += 1;
        if (fields.every((field) => field === '')) return;
        rowCount += 1;
        const row = { position, fields };
        if (first.length < firstRows) first.push(row);
        else last = [...last.slice(1 - lastRows), row];
      });
      walk(name, workbook.sheet(name).text, reader);
      return { name, rows: [...first, ...last], rowCount };
    });
    return { kind: 'sheets', sheets } as const;
  });
}

function inWorkbook<T>(
  bytes: Uint8Array,
  limits: RecordLimits = recordLimits,
  work: (workbook: Workbook) => T,
): T | Unreadable {
  if (bytes.length > limits.bytesMax) {
    const message = `The file has ${bytes.length} bytes; at most ${limits.bytesMax} are read.`;
    return unreadable('too_large', message);
  }
  try {
    return work(openWorkbook(bytes));
  } catch (error) {
    if (error instanceof Refusal) return error.unreadable;
    throw error;
  }
}

/** Ends the reading of a workbook; it does not leave this file. */
class Refusal extends Error {
  readonly unreadable: Unreadable;

  constructor(refusal: Unreadable) {
    super(refusal.error.message);
    this.unreadable = refusal;
  }
}

function refuse(...args: Parameters<typeof unreadable>): never {
  throw new Refusal(unreadable(...args));
}

interface Workbook {
  /** Names of the sheets that are not hidden. */
  readonly visible: readonly string[];
  /** A sheet by its name; the first visible one without. */
  sheet(wanted: string | undefined): { readonly name: string; readonly text: string };
  readonly strings: readonly string[];
  /** Whether cells of a style are dates. */
  readonly dates: readonly boolean[];
  readonly startsIn1904: boolean;
}

function openWorkbook(bytes: Uint8Array): Workbook {
  const [first, second] = bytes;
  // An encrypted workbook is such a container too.
  if (first === 0xd0 && second === 0xcf) {
    refuse('not_xlsx', 'The file is an old XLS file, or protected by a password. Save it as XLSX.');
  }
  const parts = new Parts(bytes);
  const { sheets, startsIn1904 } = readWorkbook(parts.text('xl/workbook.xml'));
  const paths = readRelations(parts.text('xl/_rels/workbook.xml.rels'));
  const strings = 'xl/sharedStrings.xml';
  const styles = 'xl/styles.xml';
  return {
    visible: sheets.filter(({ isHidden }) => !isHidden).map(({ name }) => name),
    sheet(wanted) {
      const { name, id } = findSheet(sheets, wanted);
      const path = paths.get(id) ?? refuse('not_xlsx', `The sheet "${name}" is not in the file.`);
      return { name, text: parts.text(path) };
    },
    strings: parts.has(strings) ? readStrings(parts.text(strings)) : [],
    dates: parts.has(styles) ? readStyles(parts.text(styles)) : [],
    startsIn1904,
  };
}

function findSheet(sheets: readonly Sheet[], wanted: string | undefined): Sheet {
  const found =
    wanted === undefined
      ? sheets.find(({ isHidden }) => !isHidden)
      : sheets.find(({ name }) => name === wanted);
  if (found !== undefined) return found;
  const names = sheets.map(({ name }) => `"${name}"`).join(', ');
  const message = `The workbook has no sheet "${wanted ?? ''}"; it has ${names.slice(0, 500)}.`;
  return refuse('sheet_missing', message);
}

/** The parts of a workbook; together they are unpacked up to a limit. */
class Parts {
  readonly #entries: ReadonlyMap<string, ZipEntry>;
  #left: number = xlsxLimits.unpackedBytesMax;

  constructor(bytes: Uint8Array) {
    const entries = zipEntries(bytes, xlsxLimits.partsMax);
    if (entries === undefined) refuse('not_xlsx', 'The file is not an XLSX workbook.');
    this.#entries = new Map(entries.map((entry) => [entry.name, entry]));
  }

  has(name: string): boolean {
    return this.#entries.has(name);
  }

  text(name: string): string {
    const entry = this.#entries.get(name);
    if (entry === undefined) {
      return refuse(
        'not_xlsx',
        `The file is not an XLSX workbook: it has no ${name.slice(0, 100)}.`,
      );
    }
    const bytes = entry.read(this.#left);
    if (bytes === undefined) {
      const message =
        `${name.slice(0, 100)} in the file is broken, or the workbook has more than ` +
        `${xlsxLimits.unpackedBytesMax} bytes when it is unpacked.`;
      return refuse('not_xlsx', message);
    }
    this.#left -= bytes.length;
    return new TextDecoder().decode(bytes);
  }
}

type Attributes = Readonly<Record<string, string>>;

interface Handlers {
  open?(name: string, attributes: Attributes): void;
  text?(text: string): void;
  close?(name: string): void;
}

const pieceLength = 65_536;

/** Goes through a part; names come without prefix. */
function walk(part: string, text: string, handlers: Handlers): void {
  const parser = new SaxesParser();
  const fail = (message: string) => refuse('not_xlsx', `${part}: ${message.slice(0, 200)}`);
  parser.on('doctype', () => fail('a document type declaration is not read.'));
  parser.on('error', ({ message }) => fail(message));
  parser.on('opentag', ({ name, attributes }) => handlers.open?.(localName(name), attributes));
  parser.on('closetag', ({ name }) => handlers.close?.(localName(name)));
  parser.on('text', (said) => handlers.text?.(said));
  parser.on('cdata', (said) => handlers.text?.(said));
  for (let at = 0; at < text.length; at += pieceLength) {
    parser.write(text.slice(at, at + pieceLength));
  }
  parser.close();
}

function localName(qualified: string): string {
  return qualified.slice(qualified.indexOf(':') + 1);
}

interface Sheet {
  readonly name: string;
  readonly id: string;
  readonly isHidden: boolean;
}

function readWorkbook(text: string): { sheets: readonly Sheet[]; startsIn1904: boolean } {
  const sheets: Sheet[] = [];
  let startsIn1904 = false;
  walk('workbook', text, {
    open(name, attributes) {
      if (name === 'workbookPr') startsIn1904 = /^(1|true)$/.test(attributes.date1904 ?? '');
      if (name !== 'sheet') return;
      const id = Object.entries(attributes).find(([key]) => /^[^:]+:id$/.test(key))?.[1] ?? '';
      const isHidden = (attributes.state ?? 'visible') !== 'visible';
      sheets.push({ name: attributes.name ?? '', id, isHidden });
    },
  });
  return { sheets, startsIn1904 };
}

/** The paths of parts of this file by the ids of their relations. */
function readRelations(text: string): ReadonlyMap<string, string> {
  const paths = new Map<string, string>();
  walk('relations', text, {
    open(name, { Id = '', Target = '', TargetMode }) {
      if (name !== 'Relationship' || TargetMode === 'External') return;
      paths.set(Id, Target.startsWith('/') ? Target.slice(1) : `xl/${Target}`);
    },
  });
  return paths;
}

function readStrings(text: string): readonly string[] {
  const strings: string[] = [];
  const said = new SaidText();
  walk('strings', text, {
    open(name) {
      if (name === 'si') said.begin();
      else said.open(name);
    },
    text: (part) => said.add(part),
    close(name) {
      if (name === 'si') strings.push(said.text);
      else said.close(name);
    },
  });
  return strings;
}

/** The text of an item: that of its runs, without that of phonetic hints. */
class SaidText {
  text = '';
  #isText = false;
  #isHint = false;

  begin(): void {
    this.text = '';
  }

  open(name: string): void {
    if (name === 'rPh') this.#isHint = true;
    if (name === 't') this.#isText = !this.#isHint;
  }

  add(part: string): void {
    if (this.#isText) this.text += part;
  }

  close(name: string): void {
    if (name === 'rPh') this.#isHint = false;
    if (name === 't') this.#isText = false;
  }
}

function readStyles(text: string): readonly boolean[] {
  const formats = new Map<string, string>();
  const dates: boolean[] = [];
  let isCellFormats = false;
  walk('styles', text, {
    open(name, { numFmtId = '', formatCode = '' }) {
      if (name === 'numFmt') formats.set(numFmtId, formatCode);
      if (name === 'cellXfs') isCellFormats = true;
      if (name !== 'xf' || !isCellFormats) return;
      if (dates.length === xlsxLimits.stylesMax) refuse('too_large', 'It has too many styles.');
      dates.push(isDateFormat(Number(numFmtId), formats.get(numFmtId)));
    },
    close(name) {
      if (name === 'cellXfs') isCellFormats = false;
    },
  });
  return dates;
}

function readSheet(workbook: Workbook, options: XlsxOptions): XlsxTable | Unreadable {
  const limits = options.limits ?? recordLimits;
  const rows: SourceRow[] = [];
  const { name, text } = workbook.sheet(options.sheet);
  const origin = `${options.origin} [${name}]`;
  let columns: readonly string[] | undefined = options.headerLine === 0 ? [] : undefined;
  let skip = Math.max(0, (options.headerLine ?? 1) - 1);
  const reader = new SheetReader(workbook, limits, (number, cells) => {
    if (skip > 0) {
      skip -= 1;
      return;
    }
    if (cells.every((cell) => cell === '')) return;
    if (columns === undefined) {
      columns = columnsOf(cells);
      orThrow(checkHeader(columns, limits, number));
      return;
    }
    // A sheet has no end of a row: what is left empty is not there.
    const width = Math.max(columns.length, cells.length);
    const fields = Array.from({ length: width }, (_, index) => cells[index] ?? '');
    if (isSkipped(columns, fields, options.skipRows)) return;
    orThrow(checkRow(columns, fields, number, options, limits));
    if (rows.length === limits.rowsMax) {
      const message = `The sheet has more than ${limits.rowsMax} rows. Split it into smaller files.`;
      refuse('too_many_rows', message);
    }
    rows.push({ origin, key: String(number), values: valuesOf(columns, fields) });
  });
  walk(name, text, reader);
  if (columns === undefined) {
    const message = `The sheet "${name}" is empty; its first row must name the columns.`;
    return unreadable('empty', message);
  }
  return {
    kind: 'table',
    sheet: name,
    sheets: workbook.visible,
    columns,
    rows,
  };
}

function orThrow(refusal: Unreadable | undefined): void {
  if (refusal !== undefined) throw new Refusal(refusal);
}

interface Cell {
  readonly place: string;
  readonly column: number;
  readonly type: string;
  readonly style: number;
  hasFormula: boolean;
  value: string | undefined;
}

class SheetReader implements Handlers {
  readonly #workbook: Workbook;
  readonly #limits: RecordLimits;
  readonly #onRow: (number: number, cells: readonly string[]) => void;
  readonly #said = new SaidText();
  #row = 0;
  #cells: string[] = [];
  #cell: Cell | undefined;
  #isValue = false;

  constructor(
    workbook: Workbook,
    limits: RecordLimits,
    onRow: (number: number, cells: readonly string[]) => void,
  ) {
    this.#workbook = workbook;
    this.#limits = limits;
    this.#onRow = onRow;
  }

  open(name: string, { r = '', t = 'n', s = '0' }: Attributes): void {
    if (name === 'row') {
      this.#row = Number(r) || this.#row + 1;
      this.#cells = [];
    } else if (name === 'c') {
      const column = r === '' ? this.#cells.length : columnIndex(r);
      const place = r === '' ? `${this.#row}:${column + 1}` : r.slice(0, 12);
      this.#cell = {
        place,
        column,
        type: t,
        style: Number(s),
        hasFormula: false,
        value: undefined,
      };
      this.#said.begin();
    } else if (this.#cell !== undefined) {
      if (name === 'f') this.#cell.hasFormula = true;
      if (name === 'v') {
        this.#isValue = true;
        this.#cell.value = '';
      }
      this.#said.open(name);
    }
  }

  text(part: string): void {
    if (this.#isValue && this.#cell !== undefined) this.#cell.value += part;
    else this.#said.add(part);
  }

  close(name: string): void {
    if (name === 'row') this.#onRow(this.#row, this.#cells);
    if (name === 'v') this.#isValue = false;
    this.#said.close(name);
    if (name !== 'c' || this.#cell === undefined) return;
    const cell = this.#cell;
    this.#cell = undefined;
    const text = this.#textOf(cell);
    if (text === '') return;
    if (cell.column >= this.#limits.columnsMax) {
      const message = `Cell ${cell.place}: at most ${this.#limits.columnsMax} columns are read.`;
      refuse('too_many_columns', message, this.#row);
    }
    while (this.#cells.length < cell.column) this.#cells.push('');
    this.#cells[cell.column] = text;
  }

  #textOf({ type, value, style, hasFormula, place }: Cell): string {
    if (type === 'inlineStr') return this.#said.text;
    if (value === undefined) {
      if (!hasFormula) return '';
      const message =
        `Cell ${place} has a formula without a value. Open the file in the program that made it, ` +
        'let it compute, and save it again.';
      return refuse('formula_without_value', message, this.#row);
    }
    switch (type) {
      case 's':
        return this.#workbook.strings[Number(value)] ?? '';
      case 'b':
        return value === '1' ? 'true' : 'false';
      case 'n':
        return this.#workbook.dates[style] === true
          ? dateOf(value, this.#workbook.startsIn1904)
          : shownNumber(value);
      default:
        return value;
    }
  }
}

/** `C7` is in column 2. */
function columnIndex(place: string): number {
  let index = 0;
  for (const letter of /^[A-Z]{1,3}/.exec(place)?.[0] ??
    refuse('not_xlsx', 'A cell has no place.')) {
    index = index * 26 + letter.charCodeAt(0) - 64;
  }
  return index - 1;
}

/** Significant digits that the programs show and compute with; a double is written with up to 17. */
const shownDigits = 15;

/**
 * A number as the programs show it: 59.97 where the file has 59.970000000000006, which is how a
 * double of it is written. A number that no double writes so is left as it is.
 */
function shownNumber(value: string): string {
  const plain = plainNumber(value);
  const digits = plain.replace(/^-?0*\.?0*|\./g, '');
  if (digits.length <= shownDigits || !plain.includes('.')) return plain;
  const double = Number(value);
  if (plainNumber(String(double)) !== plain && plainNumber(double.toPrecision(17)) !== plain) {
    return plain;
  }
  return plainNumber(String(Number(double.toPrecision(shownDigits))));
}
