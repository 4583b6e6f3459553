import { type RecordLimits, type Unreadable, unreadable } from './limits.ts';

/** The decoded text, or why it cannot be decoded. */
export type TextOutcome = { readonly kind: 'text'; readonly text: string } | Unreadable;

const lineFeed = 0x0a;

/**
 * Decodes strict UTF-8 without its byte order mark; a refusal names the line and column (in bytes)
 * of the first bad byte.
 */
export function decodeText(bytes: Uint8Array, limits: RecordLimits): TextOutcome {
  if (bytes.length > limits.bytesMax) {
    return unreadable(
      'too_large',
      `The file has ${bytes.length} bytes; at most ${limits.bytesMax} are read. ` +
        'Split it into smaller files.',
    );
  }
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)) {
    return unreadable('not_utf8', 'The file is UTF-16. Save it as UTF-8 and try again.', 1);
  }
  try {
    return { kind: 'text', text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    // The decoder does not report the position, which people need.
    const { line, column, byte } = firstBadByte(bytes);
    const hexadecimal = byte.toString(16).padStart(2, '0');
    return unreadable(
      'not_utf8',
      `Line ${line}, column ${column}: byte 0x${hexadecimal} is not UTF-8. ` +
        'The file is probably in an older encoding such as Windows-1252: save it as UTF-8.',
      line,
    );
  }
}

function firstBadByte(bytes: Uint8Array): { line: number; column: number; byte: number } {
  let line = 1;
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
