/**
 * Reads a file of contacts as it comes, without keeping all of it in memory: CSV in any of the usual forms,
 * or a workbook. What is not chosen is guessed by its beginning.
 */
import {
  type ColumnChoice,
  type FileColumn,
  guessColumns,
} from '@drawbridge/messaging/contact-file/columns.ts';
import {
  guessTable,
  isSeparatorLine,
  recordsOf,
} from '@drawbridge/messaging/contact-file/table-guess.ts';
import type { Delimiter } from '@drawbridge/records/delimiter.ts';
import { LenientCsv, type LenientRecord } from '@drawbridge/records/lenient-csv.ts';
import { recordLimits, type Unreadable } from '@drawbridge/records/limits.ts';
import type { Encoding } from '@drawbridge/records/text.ts';
import { LineReader, type TextLines } from '@drawbridge/records/text-lines.ts';
import type { LoopTurns } from '../../../platform/concurrency/loop-turns.ts';
import type { ThreadPool } from '../../../platform/concurrency/thread-pool.ts';
import { commonFail } from '../../../platform/http/errors.ts';
import { fail } from '../../errors.ts';
import type { SheetAnswer, SheetTask } from './sheet-thread.ts';
import { closing } from './uploaded-file.ts';

/** The program of the threads that read workbooks. */
export const sheetThread = new URL('./sheet-thread.ts', import.meta.url);

const headBytes = 65_536;
const linesLooked = 60;
const samplesMax = 20;
const recordsAtOnce = 500;
export const columnsMax = 500;

/** What a person has chosen; the rest is guessed. */
export interface ReadingChoices {
  readonly encoding?: Encoding | undefined;
  readonly separator?: Delimiter | undefined;
  readonly sheet?: string | undefined;
  /** From 1; 0: there is none. */
  readonly headerRow?: number | undefined;
  readonly columns?: readonly ColumnChoice[] | undefined;
}

/** How a file is read. */
export interface FileReading {
  readonly format: 'csv' | 'xlsx';
  readonly encoding: Encoding | null;
  readonly encoding_certain: boolean;
  readonly separator: Delimiter | null;
  readonly sheet: string | null;
  readonly sheets: readonly string[];
  readonly header_row: number;
  readonly columns: readonly FileColumn[];
}

export interface OpenFile {
  readonly columns: readonly FileColumn[];
  readonly headerRow: number;
  /** Certain once all records were read. */
  reading(): FileReading;
  /** The records below the header, some hundreds at a time, each time in a turn of the event loop. */
  readonly records: AsyncGenerator<readonly LenientRecord[]>;
}

export interface FileReaderContext {
  readonly threads: ThreadPool;
  readonly turns: LoopTurns;
}

/** Throws `invalid_request` for a file that is no table. */
export async function openFile(
  context: FileReaderContext,
  tenantId: string,
  bytes: AsyncIterable<Uint8Array>,
  choices: ReadingChoices,
): Promise<OpenFile> {
  const pieces = bytes[Symbol.asyncIterator]();
  const head = await readHead(pieces);
  if (isOldWorkbook(head)) {
    throw refused('it is an old XLS file, or protected by a password: save it as XLSX or CSV');
  }
  if (!isArchive(head)) return openTable(context, tenantId, head, pieces, choices);
  const answer = await readSheet(context, tenantId, await readAll(head, pieces), choices.sheet);
  const { csv, sheet, sheets } = answer;
  const all = { ...choices, encoding: 'utf-8', separator: ',' } as const;
  const rest = portionsOf(csv.subarray(headBytes))[Symbol.asyncIterator]();
  const about = { format: 'xlsx', encoding: null, separator: null, sheet, sheets } as const;
  return openTable(context, tenantId, csv.subarray(0, headBytes), rest, all, about);
}

async function readHead(pieces: AsyncIterator<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for (let size = 0; size < headBytes; ) {
    const { done, value } = await pieces.next();
    if (done === true) break;
    parts.push(value);
    size += value.length;
  }
  return Buffer.concat(parts);
}

async function* portionsOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += headBytes) yield bytes.subarray(at, at + headBytes);
}

const isArchive = ([a, b, c, d]: Uint8Array) => a === 0x50 && b === 0x4b && c === 3 && d === 4;
const isOldWorkbook = ([a, b]: Uint8Array) => a === 0xd0 && b === 0xcf;

async function readAll(
  head: Uint8Array,
  pieces: AsyncIterator<Uint8Array>,
): Promise<Uint8Array<ArrayBuffer>> {
  const parts = [head];
  let size = head.length;
  for (let next = await pieces.next(); next.done !== true; next = await pieces.next()) {
    parts.push(next.value);
    size += next.value.length;
    if (size > recordLimits.bytesMax) {
      const detail = `A workbook has at most ${recordLimits.bytesMax} bytes; save it as CSV.`;
      throw fail('payload_too_large', detail, closing);
    }
  }
  // Of its own: its memory is handed to a thread.
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

async function readSheet(
  { threads }: FileReaderContext,
  tenantId: string,
  bytes: Uint8Array<ArrayBuffer>,
  sheet: string | undefined,
): Promise<Extract<SheetAnswer, { kind: 'sheet' }>> {
  const task: SheetTask = { bytes, sheet };
  const prepare = async () => ({ task, transfer: [bytes.buffer] });
  const outcome = await threads.run<SheetAnswer>(tenantId, { bytes: bytes.length, prepare });
  switch (outcome.kind) {
    case 'busy':
      throw commonFail('rate_limited', 'Other workbooks of yours are being read; try again.', {
        headers: { 'retry-after': '5' },
      });
    case 'ended':
      throw refused('it is too large to be read as a workbook: save it as CSV');
    case 'done':
      if (outcome.result.kind === 'unreadable') throw refused(outcome.result.problem);
      return outcome.result;
  }
}

type About = Pick<FileReading, 'format' | 'sheet' | 'sheets'> &
  Partial<Pick<FileReading, 'encoding' | 'separator'>>;

const csvFile: About = { format: 'csv', sheet: null, sheets: [] };

function openTable(
  { turns }: FileReaderContext,
  tenantId: string,
  head: Uint8Array,
  pieces: AsyncIterator<Uint8Array>,
  choices: ReadingChoices,
  about: About = csvFile,
): OpenFile {
  const lines = new LineReader(choices.encoding);
  const first = orRefuse(lines.push(head));
  // A file without a line end is a header without rows, or a list of one.
  const looked = first.lines.length > 0 ? first.lines : lines.peek();
  const countsRecords = about.format === 'xlsx';
  const { separator, headerRow: headerLine } = choices;
  const sample = looked.slice(0, linesLooked);
  const table = guessTable(sample, { separator, headerLine, countsRecords });
  const known = recordsOf(sample, table.separator, { countsRecords });
  const header = known.find(({ line }) => line === table.headerLine);
  if (known.length === 0) throw refused('it is empty');
  if (header === undefined && table.headerLine > 0) {
    throw refused(`its line ${table.headerLine} is empty, or too far down to name the columns`);
  }
  const samples = known
    .filter(({ line }) => line > table.headerLine)
    .slice(0, samplesMax)
    .map(({ fields }) => fields);
  const columns = guessColumns(header?.fields ?? [], samples, choices.columns);
  if (columns.length > columnsMax) throw refused(`it has more than ${columnsMax} columns`);
  const csv = new LenientCsv({ separator: table.separator, countsRecords });
  csv.width = columns.length;

  async function* texts(): AsyncGenerator<TextLines> {
    yield first;
    for (let next = await pieces.next(); next.done !== true; next = await pieces.next()) {
      yield orRefuse(lines.push(next.value));
    }
    yield lines.end();
  }

  async function* records(): AsyncGenerator<readonly LenientRecord[]> {
    let held: LenientRecord[] = [];
    const isBelow = ({ line, fields }: LenientRecord) =>
      line > table.headerLine && !isSeparatorLine(fields);
    for await (const text of texts()) {
      for (const record of csv.push(text)) {
        if (isBelow(record)) held.push(record);
        if (held.length < recordsAtOnce) continue;
        await turns.next(tenantId);
        yield held;
        held = [];
      }
    }
    for (const record of csv.end()) if (isBelow(record)) held.push(record);
    yield held;
  }

  return {
    columns,
    headerRow: table.headerLine,
    records: records(),
    reading: () => ({
      encoding: lines.encoding ?? 'utf-8',
      encoding_certain: lines.isEncodingCertain,
      separator: table.separator,
      header_row: table.headerLine,
      columns,
      ...about,
    }),
  };
}

function orRefuse(outcome: TextLines | Unreadable): TextLines {
  if (outcome.kind === 'lines') return outcome;
  throw refused(outcome.error.message);
}

/** The 400 of a file that cannot be read. */
export function refused(problem: string) {
  return fail('invalid_request', `file: ${problem}`, {
    ...closing,
    body: { errors: { file: [problem] } },
  });
}
