import { type Decoder, decoderOf } from './decoder.ts';
import { type RecordLimits, type Unreadable, unreadable } from './limits.ts';

/** Encodings that a file may be in; without a name it is UTF-8, or UTF-16 with its byte order mark. */
export const encodings = [
  'utf-8',
  'utf-16le',
  'utf-16be',
  'windows-1252',
  'windows-1250',
  'windows-1251',
  'windows-1256',
  'iso-8859-15',
  'ibm850',
  'gb18030',
] as const;
/** One of the encodings. */
export type Encoding = (typeof encodings)[number];

/** The decoded text, or why it cannot be decoded. */
export type TextOutcome = { readonly kind: 'text'; readonly text: string } | Unreadable;

const lineFeed = 0x0a;

/**
 * Decodes strictly, without the byte order mark; a refusal of UTF-8 names the line and column (in
 * bytes) of the first bad byte. Default encoding: the one that the byte order mark tells, or UTF-8.
 */
export function decodeText(
  bytes: Uint8Array,
  limits: RecordLimits,
  encoding?: Encoding,
): TextOutcome {
  if (bytes.length > limits.bytesMax) {
    return unreadable(
      'too_large',
      `The file has ${bytes.length} bytes; at most ${limits.bytesMax} are read. ` +
        'Split it into smaller files.',
    );
  }
  const found = encoding ?? encodingOf(bytes);
  if (found === undefined) return withoutMark;
  return decodeWith(decoderOf(found, { isStrict: true }), bytes, false, 1);
}

/** Decodes a text that comes in pieces, each of them as soon as it is there. */
export interface TextReader {
  /** The text of these bytes; the end of a character that is cut waits for the next. */
  push(bytes: Uint8Array): TextOutcome;
  /** What is left; a character that is cut is a refusal. */
  end(): TextOutcome;
}

/** A reader of one text; it is not used after a refusal. */
export function createTextReader(encoding?: Encoding): TextReader {
  let decoder: Decoder | undefined;
  let line = 1;
  const decode = (bytes: Uint8Array, stream: boolean): TextOutcome => {
    if (decoder === undefined) {
      const found = encoding ?? encodingOf(bytes);
      if (found === undefined) return withoutMark;
      decoder = decoderOf(found, { isStrict: true });
    }
    const outcome = decodeWith(decoder, bytes, stream, line);
    if (outcome.kind === 'text') line += lineFeedsIn(outcome.text);
    return outcome;
  };
  return {
    push: (bytes) => decode(bytes, true),
    end: () => decode(new Uint8Array(), false),
  };
}

function decodeWith(
  decoder: Decoder,
  bytes: Uint8Array,
  stream: boolean,
  line: number,
): TextOutcome {
  try {
    return { kind: 'text', text: decoder.decode(bytes, { stream }) };
  } catch {
    // The decoder does not report the position, which people need.
    return decoder.encoding === 'utf-8' ? notUtf8(bytes, line) : notText(decoder.encoding);
  }
}

/** How many lines end in `text`. */
function lineFeedsIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

/** What the first bytes tell; undefined for UTF-16 without its mark, which only a setting can tell. */
function encodingOf([first, second, third]: Uint8Array): Encoding | undefined {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  const isUtf16 = (first === 0) !== (second === 0) && second !== undefined && third !== undefined;
  return isUtf16 ? undefined : 'utf-8';
}

const withoutMark = unreadable(
  'not_utf8',
  'The file seems to be UTF-16 without a byte order mark. Name its encoding in the settings, or ' +
    'save it as UTF-8.',
  1,
);

function notText(encoding: string): Unreadable {
  return unreadable(
    'not_text',
    `The file is not ${encoding}, which the settings name as its encoding.`,
  );
}

function notUtf8(bytes: Uint8Array, firstLine: number): Unreadable {
  const { line, column, byte } = firstBadByte(bytes, firstLine);
  const hexadecimal = byte.toString(16).padStart(2, '0');
  return unreadable(
    'not_utf8',
    `Line ${line}, column ${column}: byte 0x${hexadecimal} is not UTF-8. The file is probably in ` +
      'an older encoding such as Windows-1252: save it as UTF-8, or name its encoding in the ' +
      'settings.',
    line,
  );
}

function firstBadByte(
  bytes: Uint8Array,
  firstLine: number,
): { line: number; column: number; byte: number } {
  let line = firstLine;
  let lineStart = 0;
  let at = 0;
  while (at < bytes.length) {
    const length = sequenceLength(bytes, at);
    if (length === 0) break;
    if (bytes[at] === lineFeed) {
      line += 1;
      lineStart = at + 1;
    }
    at += length;
  }
  return { line, column: at - lineStart + 1, byte: bytes[at] ?? 0 };
}

/**
 * Length of the well-formed UTF-8 sequence at `at`, or 0; the ranges are those of Unicode's table
 * 3-7.
 */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0;
  if (first < 0x80) return 1;
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4) return 0;
  for (let offset = 1; offset < length; offset += 1) {
    const byte = bytes[at + offset] ?? 0;
    const [low, high] = offset === 1 ? secondByteRange(first) : [0x80, 0xbf];
    if (byte < low || byte > high) return 0;
  }
  return length;
}

function secondByteRange(first: number): readonly [number, number] {
  switch (first) {
    case 0xe0:
      return [0xa0, 0xbf];
    case 0xed:
      return [0x80, 0x9f];
    case 0xf0:
      return [0x90, 0xbf];
    case 0xf4:
      return [0x80, 0x8f];
    default:
      return [0x80, 0xbf];
  }
}
