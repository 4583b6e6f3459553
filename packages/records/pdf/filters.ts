import { inflateSync, constants as zlib } from 'node:zlib';
import {
  latin1,
  type PdfDictionary,
  PdfSyntaxError,
  PdfTooLarge,
  type PdfValue,
} from './values.ts';

/** The bytes of a stream without its filters, at most `bytesMax`; `resolve` follows references. */
export function unfiltered(
  packed: Uint8Array,
  { members }: PdfDictionary,
  bytesMax: number,
  resolve: (value: PdfValue | undefined) => PdfValue,
): Uint8Array {
  const filters = listOf(resolve(members.get('Filter')));
  const parameters = listOf(resolve(members.get('DecodeParms')));
  if (filters.length > filtersMax) throw new PdfSyntaxError('too many filters');
  let bytes = packed;
  for (const [index, filter] of filters.entries()) {
    const given = resolve(parameters[index]);
    bytes = withoutFilter(nameOf(resolve(filter)), bytes, bytesMax);
    if (isDictionary(given)) bytes = withoutPredictor(bytes, given, resolve);
  }
  if (bytes.length > bytesMax) throw new PdfTooLarge();
  return bytes;
}

const filtersMax = 4;

function listOf(value: PdfValue): readonly PdfValue[] {
  if (value === null) return [];
  return Array.isArray(value) ? (value as readonly PdfValue[]) : [value];
}

function nameOf(value: PdfValue): string {
  return typeof value === 'object' && value !== null && 'name' in value ? value.name : '';
}

export function isDictionary(value: PdfValue | undefined): value is PdfDictionary {
  return typeof value === 'object' && value !== null && 'members' in value;
}

function withoutFilter(name: string, bytes: Uint8Array, bytesMax: number): Uint8Array {
  switch (name) {
    case 'FlateDecode':
    case 'Fl':
      return inflate(bytes, bytesMax);
    case 'ASCIIHexDecode':
    case 'AHx':
      return Buffer.from(latin1(bytes).replace(/>.*$/s, '').replace(/\s/g, ''), 'hex');
    case 'ASCII85Decode':
    case 'A85':
      return fromAscii85(bytes, bytesMax);
    default:
      throw new PdfSyntaxError(`the filter "${name.slice(0, 40)}" is not read`);
  }
}

function inflate(bytes: Uint8Array, maxOutputLength: number): Uint8Array {
  try {
    // Programs leave line ends after a stream, or cut its checksum.
    return inflateSync(bytes, { maxOutputLength, finishFlush: zlib.Z_SYNC_FLUSH });
  } catch (error) {
    const isLarge = (error as { readonly code?: string }).code === 'ERR_BUFFER_TOO_LARGE';
    throw isLarge ? new PdfTooLarge() : new PdfSyntaxError('a stream is broken');
  }
}

function fromAscii85(bytes: Uint8Array, bytesMax: number): Uint8Array {
  const text = latin1(bytes)
    .replace(/\s/g, '')
    .replace(/^<~/, '')
    .replace(/~>?.*$/s, '');
  const zeros = text.length - text.replaceAll('z', '').length; // each stands for four bytes
  if (zeros * 4 + (text.length - zeros) * 0.8 > bytesMax) throw new PdfTooLarge();
  const made = new DataView(new ArrayBuffer(zeros * 4 + text.length + 4));
  let length = 0;
  for (let at = 0; at < text.length; ) {
    if (text[at] === 'z') {
      length += 4;
      at += 1;
      continue;
    }
    const group = text.slice(at, at + 5);
    at += 5;
    let value = 0;
    for (const character of group.padEnd(5, 'u')) {
      value = value * 85 + character.charCodeAt(0) - 33;
    }
    made.setUint32(length, value);
    length += group.length - 1;
  }
  return new Uint8Array(made.buffer, 0, length);
}

const rowBytesMax = 65_536;

/** Takes back how cross-reference tables and the like are made smaller before they are packed (PNG). */
function withoutPredictor(
  bytes: Uint8Array,
  { members }: PdfDictionary,
  resolve: (value: PdfValue | undefined) => PdfValue,
): Uint8Array {
  const numberAt = (name: string, usual: number) => {
    const value = resolve(members.get(name));
    return typeof value === 'number' ? value : usual;
  };
  const predictor = numberAt('Predictor', 1);
  if (predictor === 1) return bytes;
  const bits = numberAt('Colors', 1) * numberAt('BitsPerComponent', 8);
  const width = Math.ceil((bits * numberAt('Columns', 1)) / 8);
  const step = Math.max(1, bits >> 3);
  const isUsable = predictor >= 10 && Number.isInteger(width) && width > 0 && width <= rowBytesMax;
  if (!isUsable) throw new PdfSyntaxError('a predictor that is not read');
  const rows = Math.ceil(bytes.length / (width + 1));
  const made = new Uint8Array(rows * width);
  for (let row = 0; row < rows; row += 1) {
    const kind = bytes[row * (width + 1)] ?? 0;
    for (let index = 0; index < width; index += 1) {
      const at = row * width + index;
      const left = index >= step ? made[at - step]! : 0;
      const up = row > 0 ? made[at - width]! : 0;
      const corner = row > 0 && index >= step ? made[at - width - step]! : 0;
      const added = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][kind] ?? 0;
      made[at] = (bytes[row * (width + 1) + 1 + index] ?? 0) + added;
    }
  }
  return made;
}

function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner;
  const [toLeft, toUp, toCorner] = [left, up, corner].map((one) => Math.abs(guess - one));
  if (toLeft! <= toUp! && toLeft! <= toCorner!) return left;
  return toUp! <= toCorner! ? up : corner;
}
