import { createCsvReader } from '@drawbridge/records/csv.ts';
import type { SourceDocument, SourceRow } from '@drawbridge/records/document.ts';
import { type RecordError, recordLimits } from '@drawbridge/records/limits.ts';
import { createTextReader } from '@drawbridge/records/text.ts';
import { type ConnectorFault, limits, type ReadOutcome } from '../contract.ts';
import { fault } from '../fault.ts';
import { readJoinedFiles } from './joined-files.ts';
import { type RowPlacer, rowPlacer } from './rows.ts';
import { type ContentSettings, kindOfFile } from './settings.ts';
import type { WholeDocument } from './whole-document.ts';
import { readWhole } from './whole-files.ts';
import { wideDocument } from './wide-rows.ts';

/** A file whose documents are wanted; its bytes can be gone through again and again. */
export interface ContentFile {
  /** With an extension that tells what it is; refs begin with it. */
  readonly name: string;
  readonly size: number;
  chunks(): AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
  /** The content of a file that stands beside it, by its name; absent where it stands alone. */
  readonly beside?: (name: string) => Promise<Uint8Array | undefined>;
}

/** A file, or a document in it, cannot be used. */
export interface Unusable {
  readonly kind: 'unusable';
  readonly fault: ConnectorFault;
}

/** What a ref names: a file, and the document in it where the file holds several. */
export interface FileRef {
  readonly name: string;
  readonly document?: string;
}

/**
 * Bounds of CSV files, which are read in pieces: of one document no more is kept than `limits` allow.
 * Other files are read as a whole, within `recordLimits`.
 */
const streamLimits = { ...recordLimits, bytesMax: 268_435_456, rowsMax: 5_000_000 };

/**
 * Splits `file.csv#INV-1` at the `#` that follows the extension; any other `#` is part of a name.
 */
export function parseFileRef(ref: string): FileRef {
  const match = /^(.+?\.(?:csv|json|xml|xlsx|pdf))#(.+)$/is.exec(ref);
  const [, name, document] = match ?? [];
  return name === undefined || document === undefined ? { name: ref } : { name, document };
}

/** Refs are listed again when so many others stand between the rows of their document. */
const refsRemembered = 10_000;

/** Refs of documents, and whether the file holds more. */
export interface RefsOutcome {
  readonly kind: 'refs';
  readonly refs: readonly string[];
  readonly more: boolean;
}

/** Refs that are gathered ahead of a page, so that a large file is not read for each. */
const refsAhead = 20_000;

/** Refs of a file that were gathered and are not listed yet. */
export class RefsAhead {
  #version = '';
  #from = 0;
  #refs: readonly string[] = [];
  #more = true;

  /** As `refsIn`, of a file in its state `version`. */
  async refsIn(
    file: ContentFile,
    version: string,
    settings: ContentSettings,
    from: number,
    max: number,
    signal: AbortSignal,
  ): Promise<RefsOutcome | Unusable> {
    const start = from - this.#from;
    const isKnown =
      version === this.#version &&
      start >= 0 &&
      (start + max < this.#refs.length || (!this.#more && start <= this.#refs.length));
    if (!isKnown) {
      const read = await refsIn(file, settings, from, Math.max(max, refsAhead), signal);
      if (read.kind === 'unusable' || signal.aborted) return read;
      this.#version = version;
      this.#from = from;
      this.#refs = read.refs;
      this.#more = read.more;
    }
    const at = from - this.#from;
    const refs = this.#refs.slice(at, at + max);
    return { kind: 'refs', refs, more: this.#more || at + max < this.#refs.length };
  }
}

/** The refs of the documents of a file in their order: `max` of them after the first `from`. */
export async function refsIn(
  file: ContentFile,
  settings: ContentSettings,
  from: number,
  max: number,
  signal: AbortSignal,
): Promise<RefsOutcome | Unusable> {
  const refs: string[] = [];
  const known = new Set<string>();
  let count = 0;
  const over = await eachPart(file, settings, signal, ({ ref }) => {
    if (known.has(ref)) return true;
    known.add(ref);
    if (known.size > refsRemembered) known.delete(known.values().next().value ?? '');
    count += 1;
    if (count > from) refs.push(ref);
    return refs.length <= max;
  });
  // Most PDF files are no invoices for programs: they are nothing that somebody has to hear of.
  if (over?.fault.code === 'no_invoice') return { kind: 'refs', refs: [], more: false };
  if (over !== undefined) return over;
  return { kind: 'refs', refs: refs.slice(0, max), more: refs.length > max };
}

/** The first documents of a file, for samples; of a large one no more is read than they need. */
export async function firstDocuments(
  file: ContentFile,
  settings: ContentSettings,
  max: number,
  signal: AbortSignal,
): Promise<readonly SourceDocument[]> {
  const gathered = new GatheredDocuments();
  const over = await eachPart(file, settings, signal, (part) => {
    if (!gathered.has(part.ref) && gathered.size === max) return false;
    gathered.add(part);
    return true;
  });
  return over === undefined ? gathered.all() : [];
}

/** Documents of a file that were gathered and are not asked for yet. */
export class GatheredAhead {
  #of: unknown;
  #documents = new GatheredDocuments();

  /** Those of the file `of`; of another one nothing is known. */
  documents(of: unknown): GatheredDocuments {
    return Object.is(this.#of, of) ? this.#documents : new GatheredDocuments();
  }

  keep(of: unknown, documents: GatheredDocuments): void {
    this.#of = of;
    this.#documents = documents;
  }
}

/** Characters of documents that are gathered ahead, so that a large file is not read for each call. */
const aheadLengthMax = 4_194_304;

/**
 * Reads the documents that `wanted` names, in one pass; what is answered is asked for each by the
 * function that it gives back. Documents that follow them are kept in `ahead`.
 */
export async function pickDocuments(
  file: ContentFile,
  settings: ContentSettings,
  wanted: readonly FileRef[],
  signal: AbortSignal,
  ahead?: { readonly gathered: GatheredAhead; readonly version: string },
): Promise<(ref: FileRef) => ReadOutcome> {
  const names = new Set(wanted.map(refOf));
  const isWhole = wanted.some(({ document }) => document === undefined);
  const known = ahead?.gathered.documents(ahead.version);
  if (known !== undefined && !isWhole && [...names].every((ref) => known.has(ref))) {
    return (ref) => known.outcome(refOf(ref));
  }
  const gathered = new GatheredDocuments();
  const following = new GatheredDocuments();
  const begun = new Set<string>();
  const earlier = new SeenRefs();
  const whole: string[] = [];
  const over = await eachPart(file, settings, signal, (part) => {
    const { ref } = part;
    if (names.has(ref) || (isWhole && whole.length < 2)) {
      begun.add(ref);
      gathered.add(part);
      if (whole.at(-1) !== ref) whole.push(ref);
    } else if (following.has(ref)) {
      following.add(part);
    } else if (ahead !== undefined && !earlier.has(ref)) {
      const isNext = begun.size === names.size && following.length < aheadLengthMax;
      if (isNext) following.add(part);
      // Of what has begun already rows are missing.
      else earlier.add(ref);
    }
    return true;
  });
  if (over !== undefined) return () => over;
  if (!signal.aborted) ahead?.gathered.keep(ahead.version, following);
  return (ref) =>
    ref.document === undefined ? wholeFile(ref, gathered) : gathered.outcome(refOf(ref));
}

/** Which refs were met, in little memory; it may take a ref for one that was met. */
class SeenRefs {
  readonly #bits = new Uint8Array(seenBytes);

  has(ref: string): boolean {
    const bit = bitOf(ref);
    return ((this.#bits[bit >>> 3] ?? 0) & (1 << (bit & 7))) !== 0;
  }

  add(ref: string): void {
    const bit = bitOf(ref);
    this.#bits[bit >>> 3] = (this.#bits[bit >>> 3] ?? 0) | (1 << (bit & 7));
  }
}

const seenBytes = 2_097_152;

/** FNV-1a, as much of it as there are bits. */
function bitOf(ref: string): number {
  let hash = 0x81_1c_9d_c5;
  for (let at = 0; at < ref.length; at += 1) {
    hash = Math.imul(hash ^ ref.charCodeAt(at), 0x01_00_01_93);
  }
  return (hash >>> 0) % (seenBytes * 8);
}

function refOf({ name, document }: FileRef): string {
  return document === undefined ? name : `${name}#${document}`;
}

/** The one document of a file that is asked for by its own name. */
function wholeFile({ name }: FileRef, gathered: GatheredDocuments): ReadOutcome {
  const [only, second] = gathered.refs();
  if (only === undefined) return { kind: 'missing' };
  if (second !== undefined) {
    const message = `${name} holds several documents: name one of them, as in ${only}`;
    return { kind: 'unusable', fault: fault('header_not_unique', message, 'never') };
  }
  const outcome = gathered.outcome(only);
  if (outcome.kind !== 'found') return outcome;
  return { kind: 'found', document: { ...outcome.document, ref: name } };
}

/** Rows of one document that stand together, or all of it. */
interface Part {
  readonly ref: string;
  readonly rows: readonly SourceRow[];
  /** The section of the rows; undefined for rows of a flat table. */
  readonly section: string | undefined;
  /** A document that was read as a whole. */
  readonly whole?: WholeDocument;
}

interface Gathering {
  readonly sections: Map<string, SourceRow[]>;
  rowCount: number;
  length: number;
  wholes: number;
  /** The file itself, where it is XML. */
  xml?: string;
}

class GatheredDocuments {
  readonly #documents = new Map<string, Gathering>();
  length = 0;

  get size(): number {
    return this.#documents.size;
  }

  has(ref: string): boolean {
    return this.#documents.has(ref);
  }

  refs(): readonly string[] {
    return [...this.#documents.keys()];
  }

  add({ ref, rows, section, whole }: Part): void {
    const known = this.#documents.get(ref);
    const gathering: Gathering = known ?? {
      sections: new Map(),
      rowCount: 0,
      length: 0,
      wholes: 0,
    };
    this.#documents.set(ref, gathering);
    if (whole !== undefined) {
      gathering.wholes += 1;
      if (whole.xml !== undefined) gathering.xml = whole.xml;
      for (const [name, each] of Object.entries(whole.sections)) this.#put(gathering, name, each);
      return;
    }
    // A flat table repeats the header in each row; it is read from the first one.
    if (section === undefined && !gathering.sections.has('header')) {
      gathering.sections.set('header', rows.slice(0, 1));
      gathering.rowCount += 1;
    }
    this.#put(gathering, section ?? 'lines', rows);
  }

  #put(gathering: Gathering, section: string, rows: readonly SourceRow[]): void {
    gathering.rowCount += rows.length;
    const length = rows.reduce((sum, { values }) => sum + lengthOf(values), 0);
    gathering.length += length;
    // Of a document that is too large nothing more is kept: nobody gets it.
    if (faultOf(gathering, '') !== undefined) return;
    this.length += length;
    const kept = gathering.sections.get(section);
    if (kept === undefined) gathering.sections.set(section, [...rows]);
    else for (const row of rows) kept.push(row);
  }

  outcome(ref: string): ReadOutcome {
    const gathering = this.#documents.get(ref);
    if (gathering === undefined) return { kind: 'missing' };
    const cause = faultOf(gathering, ref);
    if (cause !== undefined) return { kind: 'unusable', fault: cause };
    const { sections, xml } = gathering;
    const itself = xml === undefined ? {} : { xml };
    return { kind: 'found', document: { ref, sections: Object.fromEntries(sections), ...itself } };
  }

  all(): readonly SourceDocument[] {
    return this.refs().flatMap((ref) => {
      const outcome = this.outcome(ref);
      return outcome.kind === 'found' ? [outcome.document] : [];
    });
  }
}

function lengthOf(values: SourceRow['values']): number {
  let length = 0;
  for (const column in values) length += column.length + (values[column]?.length ?? 0);
  return length;
}

function faultOf(
  { sections, rowCount, length, wholes }: Gathering,
  ref: string,
): ConnectorFault | undefined {
  if (wholes > 1 || (sections.get('header')?.length ?? 0) > 1) {
    return fault('header_not_unique', `There are several documents called ${ref}.`, 'never');
  }
  if (rowCount > limits.rowsMax) {
    return fault('too_many_rows', `${ref} has more than ${limits.rowsMax} rows.`, 'never');
  }
  if (length > limits.answerBytesMax) {
    const message = `${ref} has more than ${limits.answerBytesMax} characters.`;
    return fault('too_large', message, 'never');
  }
  return undefined;
}

/** Goes through the documents of a file in their order; `visit` says whether to go on. */
async function eachPart(
  file: ContentFile,
  settings: ContentSettings,
  signal: AbortSignal,
  visit: (part: Part) => boolean,
): Promise<Unusable | undefined> {
  const isJoined = settings.joinedFiles !== undefined;
  if (kindOfFile(file.name) === 'csv' && !isJoined) {
    return eachCsvPart(file, settings, signal, visit);
  }
  const { bytesMax } = recordLimits;
  if (file.size > bytesMax) return tooLarge(file, bytesMax);
  const bytes = await allBytes(file, bytesMax + 1);
  if (bytes.length > bytesMax) return tooLarge(file, bytesMax);
  if (signal.aborted) return undefined;
  const { name, beside = nothingBeside } = file;
  const read = isJoined
    ? await readJoinedFiles({ name, bytes, beside }, settings)
    : await readWhole(name, bytes, settings);
  switch (read.kind) {
    case 'unusable':
      return read;
    case 'rows': {
      const over = visitRows(name, read.rows, rowPlacer(name, settings), settings, visit);
      return over === 'enough' ? undefined : over;
    }
    case 'documents':
      for (const whole of read.documents) {
        if (!visit({ ref: whole.ref, rows: [], section: undefined, whole })) break;
      }
      return undefined;
  }
}

const nothingBeside = async () => undefined;

function tooLarge({ name, size }: ContentFile, bytesMax: number): Unusable {
  const message = `${name} has ${size} bytes; at most ${bytesMax} are read.`;
  return { kind: 'unusable', fault: fault('too_large', message, 'never') };
}

/** The bytes of a file, which may grow while it is read; of one that has more than `bytesMax`, some more than these. */
export async function allBytes(file: ContentFile, bytesMax: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of file.chunks()) {
    parts.push(part);
    length += part.length;
    if (length > bytesMax) break;
  }
  return Buffer.concat(parts, length);
}

async function eachCsvPart(
  file: ContentFile,
  settings: ContentSettings,
  signal: AbortSignal,
  visit: (part: Part) => boolean,
): Promise<Unusable | undefined> {
  const { name } = file;
  if (file.size > streamLimits.bytesMax) return tooLarge(file, streamLimits.bytesMax);
  const text = createTextReader(settings.encoding);
  const { delimiter, headerLine, skipRows } = settings;
  const isRagged = settings.rowSections === undefined ? undefined : true;
  const csv = createCsvReader({
    origin: name,
    delimiter,
    headerLine,
    isRagged,
    skipRows,
    limits: streamLimits,
  });
  const place = rowPlacer(name, settings);
  let count = 0;
  const visitText = (piece: ReturnType<typeof text.push>, isLast: boolean) => {
    if (piece.kind === 'unreadable') return unreadable(name, piece.error);
    const read = isLast ? csv.end(piece.text) : csv.push(piece.text);
    if (read.kind === 'unreadable') return unreadable(name, read.error);
    count += read.rows.length;
    return visitRows(name, read.rows, place, settings, visit);
  };
  for await (const chunk of file.chunks()) {
    if (signal.aborted) return undefined;
    const over = visitText(text.push(chunk), false);
    if (over !== undefined) return over === 'enough' ? undefined : over;
  }
  const over = visitText(text.end(), true);
  if (over !== undefined) return over === 'enough' ? undefined : over;
  return count > 0 ? undefined : noRows(name);
}

function noRows(name: string): Unusable {
  return unreadable(name, { code: 'empty', message: 'The file has a header and no rows.' });
}

/** Rows of the same document that follow each other are visited together. */
function visitRows(
  name: string,
  rows: readonly SourceRow[],
  place: RowPlacer,
  { lineColumns }: ContentSettings,
  visit: (part: Part) => boolean,
): Unusable | 'enough' | undefined {
  let part: { ref: string; section: string | undefined; rows: SourceRow[] } | undefined;
  for (const row of rows) {
    const placed = place(row);
    if (placed === undefined) continue;
    if ('code' in placed) return misplaced(name, placed);
    const { ref, section } = placed;
    if (lineColumns !== undefined) {
      const whole = wideDocument(ref, row, lineColumns);
      if (!visit({ ref, rows: [], section: undefined, whole })) return 'enough';
      continue;
    }
    // Each header row begins a document, also one of the same name.
    if (part !== undefined && part.ref === ref && part.section === section) {
      part.rows.push(row);
      continue;
    }
    if (part !== undefined && !visit(part)) return 'enough';
    part = { ref, section, rows: [row] };
  }
  return part === undefined || visit(part) ? undefined : 'enough';
}

function misplaced(name: string, { code, message }: { code: string; message: string }): Unusable {
  return { kind: 'unusable', fault: fault(code, `${name}: ${message}`, 'never') };
}

function unreadable(name: string, error: RecordError): Unusable {
  return { kind: 'unusable', fault: fault(error.code, `${name}: ${error.message}`, 'never') };
}
