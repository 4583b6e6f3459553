import type { FoundTable } from '@drawbridge/mapping/discovery/database.ts';
import { type TableLayout, tableLayout } from '@drawbridge/mapping/discovery/file-table.ts';
import type { LookedTree } from '@drawbridge/mapping/discovery/file-tree.ts';
import type { LookedRow } from '@drawbridge/mapping/discovery/looked-table.ts';
import { createCsvReader } from '@drawbridge/records/csv.ts';
import { type Delimiter, likelyDelimiter } from '@drawbridge/records/delimiter.ts';
import { parseJsonText } from '@drawbridge/records/json.ts';
import { type RecordError, recordLimits, type Unreadable } from '@drawbridge/records/limits.ts';
import { createTextReader, decodeText, type Encoding } from '@drawbridge/records/text.ts';
import { LineReader } from '@drawbridge/records/text-lines.ts';
import type { ContentFile } from './documents.ts';
import { kindOfFile } from './settings.ts';

/** What a file looks like before anything is said of it. */
export type Look =
  | {
      readonly kind: 'table';
      readonly layout: TableLayout;
      readonly delimiter: Delimiter;
      /** Where neither its first bytes nor UTF-8 tell it. */
      readonly encoding?: Encoding;
      readonly notes: readonly string[];
    }
  | { readonly kind: 'workbook'; readonly sheets: readonly LookedTable[] }
  | { readonly kind: 'tree'; readonly tree: LookedTree }
  /** Nothing that could be an invoice. */
  | { readonly kind: 'nothing'; readonly reason: string };

/** A sheet with rows. */
export interface LookedTable {
  readonly name: string;
  readonly layout: TableLayout;
}

/** Bounds of what is looked at of one file. */
const lookLimits = {
  /** Bytes of the beginning of a CSV file, and of its end. */
  beginningBytes: 1_048_576,
  endBytes: 65_536,
  firstRows: 1_000,
  lastRows: 40,
} as const;

/** Looks into a file of any kind. */
export async function lookInto(file: ContentFile, signal: AbortSignal): Promise<Look> {
  const kind = kindOfFile(file.name);
  if (kind === 'csv') return lookIntoCsv(file, signal);
  if (file.size > recordLimits.bytesMax) {
    return nothing({
      message: `The file has ${file.size} bytes; at most ${recordLimits.bytesMax} are read.`,
    });
  }
  const { first: bytes } = await endsOf(file, recordLimits.bytesMax + 1, signal);
  switch (kind) {
    case 'xlsx':
      return lookIntoWorkbook(bytes);
    case 'pdf':
      return lookIntoPdf(bytes);
    case 'xml':
      return lookIntoXmlFile(bytes);
    default:
      return lookIntoJson(bytes);
  }
}

function nothing({ message }: Pick<RecordError, 'message'>): Look {
  return { kind: 'nothing', reason: message };
}

function lookIntoJson(bytes: Uint8Array): Look {
  const decoded = decodeText(bytes, recordLimits);
  if (decoded.kind === 'unreadable') return nothing(decoded.error);
  const parsed = parseJsonText(decoded.text);
  if (parsed.kind === 'unreadable') return nothing(parsed.error);
  return { kind: 'tree', tree: { value: parsed.value } };
}

async function lookIntoXmlFile(bytes: Uint8Array): Promise<Look> {
  const { lookIntoXml } = await import('@drawbridge/records/xml.ts');
  const read = lookIntoXml(bytes);
  if (read.kind === 'unreadable') return nothing(read.error);
  return { kind: 'tree', tree: { value: read.value, root: read.root } };
}

async function lookIntoPdf(bytes: Uint8Array): Promise<Look> {
  const { embeddedInvoice } = await import('@drawbridge/records/pdf/embedded.ts');
  const found = embeddedInvoice(bytes);
  return found.kind === 'unreadable' ? nothing(found.error) : lookIntoXmlFile(found.bytes);
}

async function lookIntoWorkbook(bytes: Uint8Array): Promise<Look> {
  const { lookIntoXlsx } = await import('@drawbridge/records/xlsx.ts');
  const { firstRows, lastRows } = lookLimits;
  const read = lookIntoXlsx(bytes, { firstRows, lastRows });
  if (read.kind === 'unreadable') return nothing(read.error);
  const sheets = read.sheets.flatMap(({ name, rows }) => {
    const layout = tableLayout(name, rows, true);
    return layout === undefined ? [] : [{ name, layout }];
  });
  if (sheets.length === 0) return nothing({ message: 'No sheet has a header and rows.' });
  return { kind: 'workbook', sheets };
}

async function lookIntoCsv(file: ContentFile, signal: AbortSignal): Promise<Look> {
  const { first, last } = await endsOf(file, lookLimits.beginningBytes, signal);
  const found = encodingOf(first);
  if (found.kind === 'unreadable') return nothing(found.error);
  const { encoding, isCertain } = found;
  const isWhole = last.length === 0;
  const text = textOf(first, encoding, isWhole);
  if (text.kind === 'unreadable') return nothing(text.error);
  const delimiter = likelyDelimiter(text.text);
  const read = rowsOf(text.text, delimiter, isWhole);
  if ('kind' in read) return nothing(read.error);
  const { firstRows, lastRows } = lookLimits;
  const tail = isWhole
    ? read.slice(firstRows).slice(-lastRows)
    : tailRows(last, encoding, delimiter);
  const layout = tableLayout(
    file.name,
    [...read.slice(0, firstRows), ...tail],
    isWhole || tail.length > 0,
  );
  if (layout === undefined) {
    const why = isWhole ? 'It has no rows below a header.' : 'Its first line is longer than 1 MiB.';
    return nothing({ message: why });
  }
  const doubt = `Its text is read as ${encoding}: look at the names, and name another encoding where they are wrong.`;
  return {
    kind: 'table',
    layout,
    delimiter,
    ...(encoding === undefined ? {} : { encoding }),
    notes: isCertain ? [] : [doubt],
  };
}

/** Reads all of it, and keeps the beginning, and the end where it is longer. */
async function endsOf(
  file: ContentFile,
  firstBytes: number,
  signal: AbortSignal,
): Promise<{ readonly first: Uint8Array; readonly last: Uint8Array }> {
  const parts: Uint8Array[] = [];
  let length = 0;
  let last: Uint8Array = new Uint8Array();
  for await (const chunk of file.chunks()) {
    if (signal.aborted) break;
    const room = firstBytes - length;
    if (room > 0) {
      parts.push(chunk.subarray(0, room));
      length += Math.min(room, chunk.length);
    }
    // Of a larger file the end is not looked for.
    if (room < chunk.length && file.size > recordLimits.bytesMax) {
      last = chunk.subarray(Math.max(0, room), Math.max(0, room) + 1);
      break;
    }
    if (room < chunk.length) {
      last = Buffer.concat([last, chunk.subarray(Math.max(0, room))]).subarray(
        -lookLimits.endBytes,
      );
    }
  }
  return { first: Buffer.concat(parts, length), last };
}

type FoundEncoding =
  | {
      readonly kind: 'encoding';
      readonly encoding: Encoding | undefined;
      readonly isCertain: boolean;
    }
  | Unreadable;

/** UTF-8 and what has a mark need no setting; of others it is guessed. */
function encodingOf(bytes: Uint8Array): FoundEncoding {
  const read = createTextReader().push(bytes);
  if (read.kind === 'text') return { kind: 'encoding', encoding: undefined, isCertain: true };
  const reader = new LineReader();
  reader.push(bytes.subarray(0, lookLimits.endBytes));
  const { encoding, isEncodingCertain } = reader;
  // Where most of it is UTF-8 the rest is broken, and nothing to be guessed.
  if (encoding === undefined || encoding === 'utf-8') return read;
  return { kind: 'encoding', encoding, isCertain: isEncodingCertain };
}

function textOf(bytes: Uint8Array, encoding: Encoding | undefined, isWhole: boolean) {
  const reader = createTextReader(encoding);
  const read = reader.push(bytes);
  if (read.kind === 'unreadable' || !isWhole) return read;
  const end = reader.end();
  return end.kind === 'unreadable' ? end : { ...read, text: read.text + end.text };
}

function rowsOf(
  text: string,
  delimiter: Delimiter,
  isWhole: boolean,
): readonly LookedRow[] | Unreadable {
  const csv = createCsvReader({ origin: '', delimiter, headerLine: 0 });
  const read = isWhole ? csv.end(text) : csv.push(text);
  if (read.kind === 'unreadable') return read;
  return read.rows
    .map(({ values }, index) => ({
      position: index + 1,
      fields: Object.values(values).map((value) => value ?? ''),
    }))
    .filter(({ fields }) => fields.some((field) => field.trim() !== ''));
}

/** The last rows of a file; none where its end cannot be read by itself. */
function tailRows(
  bytes: Uint8Array,
  encoding: Encoding | undefined,
  delimiter: Delimiter,
): readonly LookedRow[] {
  const start = bytes.indexOf(0x0a) + 1;
  const text = start === 0 ? undefined : textOf(bytes.subarray(start), encoding, true);
  const rows = text?.kind === 'text' ? rowsOf(text.text, delimiter, true) : [];
  if ('kind' in rows) return [];
  return rows
    .slice(-lookLimits.lastRows)
    .map(({ fields }) => ({ fields, position: Number.POSITIVE_INFINITY }));
}

/** A look without the values that it found. */
export function withoutContent(look: Look): Look {
  const bare = (layout: TableLayout) => ({ ...layout, table: { ...layout.table, sample: [] } });
  switch (look.kind) {
    case 'nothing':
      return look;
    case 'table':
      return { ...look, layout: bare(look.layout) };
    case 'workbook': {
      const sheets = look.sheets.map(({ name, layout }) => ({ name, layout: bare(layout) }));
      return { ...look, sheets };
    }
    case 'tree':
      return { kind: 'tree', tree: { value: null } };
  }
}

/** The tables that a look found. */
export function tablesOf(look: Look): readonly FoundTable[] {
  if (look.kind === 'table') return [look.layout.table];
  return look.kind === 'workbook' ? look.sheets.map(({ layout }) => layout.table) : [];
}
