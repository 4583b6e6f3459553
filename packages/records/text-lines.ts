import { isAscii } from 'node:buffer';
import { decoderOf } from './decoder.ts';
import { type Unreadable, unreadable } from './limits.ts';
import type { Encoding } from './text.ts';

/** Lines without their ends. */
export interface TextLines {
  readonly kind: 'lines';
  readonly lines: readonly string[];
  /** Places in `lines` of those that hold bytes of another encoding; they are read as Windows-1252. */
  readonly misread: ReadonlySet<number>;
}

/** Bytes of one line. */
const lineBytesMax = 65_536;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const none: ReadonlySet<number> = new Set();

/**
 * Reads the lines of a file that comes in pieces, of which the first should be some kilobytes.
 * Without an encoding it is guessed: by the byte order mark, by the zeros of UTF-16, and otherwise
 * UTF-8 where the first bytes beyond ASCII are that, code page 850 where they are its letters
 * within words, Windows-1256 where they are Arabic words, GB 18030 where they are Chinese ones, or
 * Windows-1252. A byte that does not fit damages nothing: its line is named in
 * `misread`. U+0000 becomes U+FFFD. Lines end with LF or CR LF, or with CR where the file has no
 * LF.
 */
export class LineReader {
  /** Undefined as long as all of it is ASCII. */
  encoding: Encoding | undefined;
  /** False where a person should look at the names: the text does not look like western Europe. */
  isEncodingCertain = true;
  #isStarted = false;
  #lineEnd = lineFeed;
  #utf16: InstanceType<typeof TextDecoder> | undefined;
  #carriedText = '';
  #carried: Uint8Array = new Uint8Array();
  #line = 0;

  constructor(encoding?: Encoding) {
    this.encoding = encoding;
  }

  /** The lines that end in this piece. */
  push(bytes: Uint8Array): TextLines | Unreadable {
    const piece = this.#isStarted ? bytes : this.#start(bytes);
    const found = this.#utf16 === undefined ? this.#cut(piece) : this.#cutText(piece);
    const carried = Math.max(this.#carried.length, this.#carriedText.length);
    this.#line += found.lines.length;
    if (carried <= lineBytesMax) return found;
    const message = `Line ${this.#line + 1} is longer than ${lineBytesMax} bytes.`;
    return unreadable('value_too_long', message, this.#line + 1);
  }

  /** What has come of a line that has not ended, to be looked at. */
  peek(): readonly string[] {
    if (this.#utf16 !== undefined) return this.#carriedText === '' ? [] : [this.#carriedText];
    if (this.#carried.length === 0) return [];
    return [fromUtf8(this.#carried) ?? new TextDecoder('windows-1252').decode(this.#carried)];
  }

  /** The last line, if it has no end. */
  end(): TextLines {
    if (this.#utf16 !== undefined) {
      const text = this.#carriedText + withoutNul(this.#utf16.decode());
      return { kind: 'lines', lines: text === '' ? [] : [text], misread: none };
    }
    return this.#carried.length === 0 ? linesOf('') : this.#decode(this.#carried);
  }

  #start(bytes: Uint8Array): Uint8Array {
    this.#isStarted = true;
    const [first, second, third] = bytes;
    if (first === 0xef && second === 0xbb && third === 0xbf) {
      this.encoding ??= 'utf-8';
      this.#findLineEnd(bytes);
      return bytes.subarray(3);
    }
    this.encoding ??= utf16Of(bytes);
    if (this.encoding === 'utf-16le' || this.encoding === 'utf-16be') {
      this.#utf16 = new TextDecoder(this.encoding);
    }
    this.#findLineEnd(bytes);
    return bytes;
  }

  #findLineEnd(bytes: Uint8Array): void {
    const isOld = !bytes.includes(lineFeed) && bytes.includes(carriageReturn);
    if (isOld) this.#lineEnd = carriageReturn;
  }

  #cutText(bytes: Uint8Array): TextLines {
    const text = this.#carriedText + withoutNul(this.#utf16!.decode(bytes, { stream: true }));
    const lines = text.split(String.fromCharCode(this.#lineEnd));
    this.#carriedText = lines.pop() ?? '';
    return { kind: 'lines', lines, misread: none };
  }

  #cut(bytes: Uint8Array): TextLines {
    const end = bytes.lastIndexOf(this.#lineEnd);
    const rest = bytes.subarray(end + 1);
    if (end < 0) {
      this.#carried = Buffer.concat([this.#carried, rest]);
      return linesOf('');
    }
    const whole = bytes.subarray(0, end);
    const lines = this.#carried.length === 0 ? whole : Buffer.concat([this.#carried, whole]);
    this.#carried = rest.slice();
    return this.#decode(lines, true);
  }

  #decode(bytes: Uint8Array, isEnded = false): TextLines {
    const lineEnd = String.fromCharCode(this.#lineEnd);
    if (isAscii(bytes)) return linesOf(bufferOf(bytes).toString('latin1'), lineEnd, isEnded);
    this.encoding ??= this.#guess(bytes);
    if (this.encoding !== 'utf-8') {
      const decoder = decoderOf(this.encoding, { isStrict: false });
      return linesOf(decoder.decode(bytes), lineEnd, isEnded);
    }
    const text = fromUtf8(bytes);
    return text === undefined
      ? linesOneByOne(bytes, this.#lineEnd)
      : linesOf(text, lineEnd, isEnded);
  }

  #guess(bytes: Uint8Array): Encoding {
    if (fromUtf8(bytes) !== undefined) return 'utf-8';
    const lines = cutLines(bytes, this.#lineEnd).filter((line) => !isAscii(line));
    const fitting = lines.filter((line) => fromUtf8(line) !== undefined).length;
    if (fitting * 2 > lines.length) return 'utf-8';
    if (looksLikeIbm850(bytes)) return 'ibm850';
    const isChinese = looksLikeGb18030(bytes);
    this.isEncodingCertain = !isChinese && looksLikeWindows1252(bytes);
    if (isChinese) return 'gb18030';
    const isArabic = !this.isEncodingCertain && looksLikeWindows1256(bytes);
    return isArabic ? 'windows-1256' : 'windows-1252';
  }
}

function linesOf(given: string, lineEnd = '\n', isEnded = false): TextLines {
  const text = withoutNul(given);
  const lines = text === '' && !isEnded ? [] : text.split(lineEnd);
  return { kind: 'lines', lines, misread: none };
}

/** No text has U+0000, and no database takes it. */
function withoutNul(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '\ufffd') : text;
}

function linesOneByOne(bytes: Uint8Array, lineEnd: number): TextLines {
  const misread = new Set<number>();
  const lines = cutLines(bytes, lineEnd).map((line, at) => {
    const text = fromUtf8(line);
    if (text === undefined) misread.add(at);
    return withoutNul(text ?? new TextDecoder('windows-1252').decode(line));
  });
  return { kind: 'lines', lines, misread };
}

function cutLines(bytes: Uint8Array, lineEnd: number): Uint8Array[] {
  const lines: Uint8Array[] = [];
  let from = 0;
  for (let at = bytes.indexOf(lineEnd); at >= 0; at = bytes.indexOf(lineEnd, from)) {
    lines.push(bytes.subarray(from, at));
    from = at + 1;
  }
  lines.push(bytes.subarray(from));
  return lines;
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function fromUtf8(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}

function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

const bytesLooked = 4_096;

/** By its mark, or by where the zeros are: line ends, separators and digits have one in every language. */
function utf16Of(bytes: Uint8Array): Encoding | undefined {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  const zeros = [0, 0];
  const looked = bytes.subarray(0, bytesLooked);
  for (const [at, byte] of looked.entries()) if (byte === 0) zeros[at % 2]! += 1;
  const [even = 0, odd = 0] = zeros;
  const few = Math.max(1, looked.length / 20);
  if (odd >= few && odd > even * 8) return 'utf-16le';
  return even >= few && even > odd * 8 ? 'utf-16be' : undefined;
}

const notAssigned: ReadonlySet<number> = new Set([0x81, 0x8d, 0x8f, 0x90, 0x9d]);
/** ª « ´ · º » stand in words or beside them. */
const besideWords: ReadonlySet<number> = new Set([0xaa, 0xab, 0xb4, 0xb7, 0xba, 0xbb]);

/**
 * Whether bytes beyond ASCII could be the accented letters of western Europe: alone or in pairs within
 * words. In Arabic, Cyrillic or Greek whole words consist of them, in Polish or Czech some are signs here.
 */
function looksLikeWindows1252(bytes: Uint8Array): boolean {
  let [all, odd, run] = [0, 0, 0];
  for (const [at, byte] of bytes.entries()) {
    run = byte >= 0xc0 ? run + 1 : 0;
    if (byte < 0x80) continue;
    all += 1;
    const isSign = byte > 0xa0 && byte < 0xc0 && !besideWords.has(byte);
    const isOdd = run >= 3 || notAssigned.has(byte) || (isSign && isLetter(bytes[at - 1]));
    if (isOdd) odd += 1;
  }
  return odd * 4 <= all;
}

/** Lam, meem, noon, heh, waw and yeh: two of five letters of Arabic, and above all its other ones. */
const upperArabic: ReadonlySet<number> = new Set([0xe1, 0xe3, 0xe4, 0xe5, 0xe6, 0xec, 0xed]);

/** Whether bytes beyond ASCII are letters of Arabic, in the mixture that its words have. */
function looksLikeWindows1256(bytes: Uint8Array): boolean {
  let [all, lower, upper] = [0, 0, 0];
  for (const byte of bytes) {
    if (byte < 0xc0) continue;
    all += 1;
    if (byte < 0xe0 && byte !== 0xd7) lower += 1;
    if (upperArabic.has(byte)) upper += 1;
  }
  return (lower + upper) * 20 >= all * 19 && upper * 8 >= all && lower * 4 >= all;
}

/**
 * Whether bytes beyond ASCII come in the pairs of the usual Chinese characters. Their second bytes are below 0xc0 as
 * often as not, where alphabets have signs.
 */
function looksLikeGb18030(bytes: Uint8Array): boolean {
  let [all, paired, low] = [0, 0, 0];
  for (let at = 0; at < bytes.length; at += 1) {
    const [first = 0, second = 0] = [bytes[at], bytes[at + 1]];
    if (first < 0x80) continue;
    all += 1;
    if (second >= 0x80) at += 1;
    if (!isWithin(first, 0xb0, 0xf7) || !isWithin(second, 0xa1, 0xfe)) continue;
    paired += 1;
    if (second < 0xc0) low += 1;
  }
  return paired >= 3 && paired * 10 >= all * 9 && low * 8 >= paired;
}

function isWithin(byte: number, from: number, to: number): boolean {
  return byte >= from && byte <= to;
}

/** ü é ä å ç ê ë ï É ô ö ò Ö of DOS. Windows-1252 and its like have quotes and signs there, which stand within no word. */
const lettersOfDos: ReadonlySet<number> = new Set([
  0x81, 0x82, 0x84, 0x86, 0x87, 0x88, 0x89, 0x8b, 0x90, 0x93, 0x94, 0x95, 0x99,
]);

/** Whether bytes beyond ASCII stand within words that are letters in DOS alone. */
function looksLikeIbm850(bytes: Uint8Array): boolean {
  let [all, within] = [0, 0];
  for (const [at, byte] of bytes.entries()) {
    if (byte < 0x80) continue;
    all += 1;
    const isWithin = isLetter(bytes[at - 1]) && isLetter(bytes[at + 1]);
    if (isWithin && lettersOfDos.has(byte)) within += 1;
  }
  return within > 0 && within * 4 >= all;
}

function isLetter(byte = 0): boolean {
  return (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a);
}
