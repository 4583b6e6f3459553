import { isDictionary, unfiltered } from './filters.ts';
import {
  latin1,
  type PdfBudget,
  type PdfDictionary,
  PdfSyntaxError,
  PdfTooLarge,
  type PdfValue,
  PdfValueReader,
  spend,
} from './values.ts';

/** Limits of one PDF file; what is beyond them is not looked at. */
const pdfLimits = {
  /** Of all streams that are unpacked, together. */
  unpackedBytesMax: 67_108_864,
  /** Tables of objects: one for each time that the file was saved. */
  tablesMax: 1_000,
  objectsMax: 1_000_000,
  /** Values and bytes of texts that are read. */
  budget: 10_000_000,
  /** References that lead to references. */
  stepsMax: 32,
} as const;

/** Where an object stands: at a byte, or within a stream of objects. */
type Place = { readonly at: number } | { readonly within: number };

/** An object that is a stream. */
interface Stream {
  readonly dictionary: PdfDictionary;
  readonly packed: Uint8Array;
}

/** The file is encrypted, so that nothing of it can be read. */
export class PdfEncrypted extends Error {}

/**
 * The objects of a PDF file (ISO 32000-1), found by its tables, or by going through it where those are
 * broken. Objects are read when they are asked for, so that nothing else of the file is unpacked.
 */
export class PdfDocument {
  readonly #bytes: Uint8Array;
  readonly #places = new Map<number, Place>();
  readonly #streams = new Map<number, ReadonlyMap<number, PdfValue>>();
  #root: PdfValue = null;
  #left: number = pdfLimits.unpackedBytesMax;
  readonly #budget: PdfBudget = { left: pdfLimits.budget };

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    const isFound = this.#tried(() => this.#readTables());
    if (!isFound || !isDictionary(this.#tried(() => this.catalog) || undefined)) this.#search();
  }

  /** The object from which all others are reached; null where there is none. */
  get catalog(): PdfValue {
    return this.resolve(this.#root);
  }

  /** What a reference leads to; other values as they are. */
  resolve(value: PdfValue | undefined): PdfValue {
    let at = value ?? null;
    for (let step = 0; step < pdfLimits.stepsMax; step += 1) {
      if (typeof at !== 'object' || at === null || !('object' in at)) return at;
      at = this.#object(at.object);
    }
    return null;
  }

  /** A member of a dictionary, resolved; null where there is none. */
  member(value: PdfValue, name: string): PdfValue {
    return isDictionary(value) ? this.resolve(value.members.get(name)) : null;
  }

  /** The unpacked bytes of the stream that a reference leads to; undefined when it leads to none. */
  stream(value: PdfValue | undefined, bytesMax: number): Uint8Array | undefined {
    const number = typeof value === 'object' && value !== null && 'object' in value && value.object;
    const place = typeof number === 'number' ? this.#places.get(number) : undefined;
    if (place === undefined || !('at' in place)) return undefined;
    const stream = this.#streamAt(place.at);
    return stream === undefined ? undefined : this.#unpack(stream, bytesMax);
  }

  /** False where something is broken; limits and encryption are told further. */
  #tried<T>(work: () => T): T | false {
    try {
      return work();
    } catch (error) {
      if (error instanceof PdfSyntaxError) return false;
      throw error;
    }
  }

  #unpack({ dictionary, packed }: Stream, bytesMax: number): Uint8Array {
    const bytes = unfiltered(packed, dictionary, Math.min(bytesMax, this.#left), (value) =>
      this.resolve(value),
    );
    this.#left -= bytes.length;
    return bytes;
  }

  #object(number: number): PdfValue {
    const place = this.#places.get(number);
    if (place === undefined) return null;
    if ('within' in place) return this.#objectsWithin(place.within).get(number) ?? null;
    return this.#objectAt(place.at)?.value ?? null;
  }

  #reader(at: number, bytes = this.#bytes): PdfValueReader {
    return new PdfValueReader(bytes, at, this.#budget);
  }

  #objectAt(at: number): { readonly value: PdfValue; readonly reader: PdfValueReader } | undefined {
    const reader = this.#reader(at);
    const isObject =
      /^\d+$/.test(reader.word()) && /^\d+$/.test(reader.word()) && reader.takes('obj');
    return isObject ? { value: reader.value(), reader } : undefined;
  }

  #streamAt(at: number): Stream | undefined {
    const found = this.#objectAt(at);
    if (found === undefined || !isDictionary(found.value) || !found.reader.takes('stream')) {
      return undefined;
    }
    let start = found.reader.at;
    if (this.#bytes[start] === 0x0d) start += 1;
    if (this.#bytes[start] === 0x0a) start += 1;
    const end = this.#endOfStream(start, found.value);
    return { dictionary: found.value, packed: this.#bytes.subarray(start, end) };
  }

  /** Where its length says so, if it ends there; otherwise where `endstream` stands. */
  #endOfStream(start: number, dictionary: PdfDictionary): number {
    const length = this.member(dictionary, 'Length');
    if (typeof length === 'number' && Number.isInteger(length) && length >= 0) {
      const isEnd = this.#reader(start + length).takes('endstream');
      if (isEnd) return start + length;
    }
    const end = Buffer.from(this.#bytes.buffer, this.#bytes.byteOffset, this.#bytes.length).indexOf(
      'endstream',
      start,
    );
    spend(this.#budget, (end < 0 ? this.#bytes.length : end) - start);
    if (end < 0) throw new PdfSyntaxError('a stream without an end');
    return end;
  }

  #objectsWithin(number: number): ReadonlyMap<number, PdfValue> {
    const known = this.#streams.get(number);
    if (known !== undefined) return known;
    const objects = new Map<number, PdfValue>();
    // Before it is read: one that is said to stand in itself is empty.
    this.#streams.set(number, objects);
    const place = this.#places.get(number);
    const stream = place !== undefined && 'at' in place ? this.#streamAt(place.at) : undefined;
    if (stream === undefined) return objects;
    const first = this.member(stream.dictionary, 'First');
    const count = this.member(stream.dictionary, 'N');
    if (typeof first !== 'number' || typeof count !== 'number') return objects;
    const reader = this.#reader(0, this.#unpack(stream, pdfLimits.unpackedBytesMax));
    for (let index = 0; index < Math.min(count, pdfLimits.objectsMax); index += 1) {
      const [id, offset] = [Number(reader.word()), Number(reader.word())];
      if (!Number.isInteger(id) || !Number.isInteger(offset)) break;
      const value = this.#tried(() => this.#reader(first + offset, reader.bytes).value());
      if (value !== false && !objects.has(id)) objects.set(id, value);
    }
    return objects;
  }

  /** By the tables at its end, the newest first: what they say of an object goes before older ones. */
  #readTables(): boolean {
    const from = Math.max(0, this.#bytes.length - 2_048);
    const end = latin1(this.#bytes.subarray(from));
    const start = /startxref\s+(\d{1,10})(?!\d)/.exec(end.slice(end.lastIndexOf('startxref')))?.[1];
    const waiting = [Number(start ?? Number.NaN)];
    const read = new Set<number>();
    for (let at = waiting.shift(); at !== undefined; at = waiting.shift()) {
      if (!Number.isInteger(at) || read.has(at)) continue;
      if (read.size >= pdfLimits.tablesMax) break;
      read.add(at);
      const trailer = this.#readTable(at);
      if (trailer === undefined) return false;
      this.#began(trailer);
      // A file for old programs and new ones has a second table for the new ones.
      for (const name of ['XRefStm', 'Prev']) {
        const next = this.member(trailer, name);
        if (typeof next === 'number') waiting.push(next);
      }
    }
    return read.size > 0;
  }

  #began({ members }: PdfDictionary): void {
    if ((members.get('Encrypt') ?? null) !== null) throw new PdfEncrypted();
    if (this.#root === null) this.#root = members.get('Root') ?? null;
  }

  #readTable(at: number): PdfDictionary | undefined {
    const reader = this.#reader(at);
    if (reader.takes('xref')) return this.#readPlainTable(reader);
    const stream = this.#streamAt(at);
    if (stream === undefined) return undefined;
    this.#readPackedTable(stream);
    return stream.dictionary;
  }

  #readPlainTable(reader: PdfValueReader): PdfDictionary | undefined {
    while (!reader.takes('trailer')) {
      const [first, count] = [reader.word(), reader.word()].map(Number);
      if (!Number.isInteger(first) || !Number.isInteger(count) || count! > pdfLimits.objectsMax) {
        return undefined;
      }
      for (let index = 0; index < count!; index += 1) {
        const [offset, , kind] = [reader.word(), reader.word(), reader.word()];
        if (kind === '') return undefined;
        if (kind === 'n') this.#place(first! + index, { at: Number(offset) });
      }
    }
    const trailer = reader.value();
    return isDictionary(trailer) ? trailer : undefined;
  }

  #readPackedTable(stream: Stream): void {
    const { dictionary } = stream;
    const widths = numbersOf(this.member(dictionary, 'W'));
    const [kindWidth = 0, secondWidth = 0, thirdWidth = 0] = widths;
    const width = kindWidth + secondWidth + thirdWidth;
    const isUsable = widths.length >= 3 && widths.every((each) => each >= 0 && each <= 8);
    if (!isUsable || width === 0) throw new PdfSyntaxError('a table of unknown widths');
    const size = this.member(dictionary, 'Size');
    const index = numbersOf(this.member(dictionary, 'Index'));
    const ranges = index.length > 0 ? index : [0, typeof size === 'number' ? size : 0];
    const bytes = this.#unpack(stream, pdfLimits.unpackedBytesMax);
    let at = 0;
    const take = (count: number, usual: number) => {
      if (count === 0) return usual;
      let value = 0;
      for (const byte of bytes.subarray(at, at + count)) value = value * 256 + byte;
      at += count;
      return value;
    };
    for (let range = 0; range + 1 < ranges.length; range += 2) {
      for (let number = 0; number < ranges[range + 1]! && at + width <= bytes.length; number += 1) {
        const [kind, second] = [take(kindWidth, 1), take(secondWidth, 0)];
        take(thirdWidth, 0);
        if (kind === 1) this.#place(ranges[range]! + number, { at: second });
        if (kind === 2) this.#place(ranges[range]! + number, { within: second });
      }
    }
  }

  #place(number: number, place: Place): void {
    if (this.#places.size >= pdfLimits.objectsMax) throw new PdfTooLarge();
    if (!this.#places.has(number)) this.#places.set(number, place);
  }

  /** Goes through the file: of objects of one number the last one counts. */
  #search(): void {
    this.#places.clear();
    this.#streams.clear();
    this.#root = null;
    const text = latin1(this.#bytes);
    for (const { index, 1: number } of text.matchAll(/\b(\d{1,10}) \d{1,5} obj\b/g)) {
      if (this.#places.size >= pdfLimits.objectsMax) throw new PdfTooLarge();
      this.#places.set(Number(number), { at: index });
    }
    for (const { index } of text.matchAll(/\btrailer\b/g)) {
      const trailer = this.#tried(() => this.#reader(index + 7).value());
      if (trailer === false || !isDictionary(trailer)) continue;
      this.#root = null;
      this.#began(trailer);
    }
    for (const [number, place] of this.#places) {
      if ('at' in place) this.#tried(() => this.#searched(number, place.at));
    }
  }

  #searched(number: number, at: number): void {
    const found = this.#objectAt(at)?.value;
    if (found === undefined || !isDictionary(found)) return;
    const type = this.member(found, 'Type');
    const name = typeof type === 'object' && type !== null && 'name' in type ? type.name : '';
    if (name === 'XRef') this.#began(found);
    if (name === 'Catalog' && this.#root === null) {
      this.#root = { kind: 'reference', object: number };
    }
    if (name !== 'ObjStm') return;
    for (const [inner, value] of this.#objectsWithin(number)) {
      if (!this.#places.has(inner)) this.#places.set(inner, { within: number });
      if (isCatalog(value) && this.#root === null) {
        this.#root = { kind: 'reference', object: inner };
      }
    }
  }
}

function isCatalog(value: PdfValue): boolean {
  const type = isDictionary(value) ? value.members.get('Type') : undefined;
  return typeof type === 'object' && type !== null && 'name' in type && type.name === 'Catalog';
}

function numbersOf(value: PdfValue): readonly number[] {
  if (!Array.isArray(value)) return [];
  return (value as readonly PdfValue[]).filter(
    (each): each is number => typeof each === 'number' && Number.isInteger(each),
  );
}
