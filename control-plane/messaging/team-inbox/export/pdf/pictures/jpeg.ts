/** Reads a JPEG file, segment by segment (ITU T.81, B.1.1). */

/** The orientations of Exif: 1 is upright, 5 to 8 lie on their side. */
export type Orientation = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;

export interface JpegHead {
  /** Pixels as they are stored. */
  readonly width: number;
  readonly height: number;
  readonly orientation: Orientation;
  readonly scans: number;
}

/** The size and the orientation; undefined when it is not a JPEG file with a picture. */
export function jpegHead(bytes: Buffer): JpegHead | undefined {
  const segments = segmentsOf(bytes);
  const frame = segments.find(({ marker }) => isFrame(marker));
  if (frame === undefined || frame.start + 9 > bytes.length) return undefined;
  const exif = segments.find((each) => holds(bytes, each, 0xe1, exifMark));
  return {
    height: bytes.readUInt16BE(frame.start + 5),
    width: bytes.readUInt16BE(frame.start + 7),
    scans: segments.filter(({ marker }) => marker === markers.scan).length,
    orientation: exif === undefined ? 1 : orientationIn(bytes.subarray(exif.start, exif.end)),
  };
}

/** Whether width and height are swapped on display. */
export function isTurned(orientation: Orientation): boolean {
  return orientation >= 5;
}

/** The file with only its picture, its colours and its orientation. */
export function plainJpeg(bytes: Buffer, orientation: Orientation): Buffer {
  const segments = segmentsOf(bytes);
  const kept = segments.filter((each) => isNeeded(bytes, each));
  const end = segments.at(-1)?.end ?? bytes.length;
  return Buffer.concat([
    bytes.subarray(0, 2),
    ...(orientation === 1 ? [] : [exifOf(orientation)]),
    ...kept.map(({ start, end }) => bytes.subarray(start, end)),
    bytes.subarray(end, end + 2), // the end marker, unless the file is cut short
  ]);
}

interface Segment {
  readonly marker: number;
  readonly start: number;
  readonly end: number;
}

const markers = { end: 0xd9, scan: 0xda, comment: 0xfe } as const;
const exifMark = 'Exif\0\0';

/**
 * The segments up to the picture's end, each scan with its data; fewer if the file is cut short.
 */
function segmentsOf(bytes: Buffer): Segment[] {
  const segments: Segment[] = [];
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return segments;
  let at = 2;
  while (at + 4 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1]!;
    if (marker === markers.end) break;
    if (marker === 0xff) {
      at += 1; // fill bytes
      continue;
    }
    const past = at + 2 + bytes.readUInt16BE(at + 2);
    const end = marker === markers.scan ? endOfScan(bytes, past) : past;
    segments.push({ marker, start: at, end });
    at = end;
  }
  return segments;
}

/** The next marker that is neither stuffing nor a restart. */
function endOfScan(bytes: Buffer, from: number): number {
  let at = bytes.indexOf(0xff, from);
  while (at !== -1 && at + 1 < bytes.length) {
    const next = bytes[at + 1]!;
    if (next !== 0 && next !== 0xff && !(next >= 0xd0 && next <= 0xd7)) return at;
    at = bytes.indexOf(0xff, next === 0xff ? at + 1 : at + 2);
  }
  return bytes.length;
}

function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}

/** Of the application segments only those needed for decoding. */
function isNeeded(bytes: Buffer, segment: Segment): boolean {
  const { marker } = segment;
  if (marker === markers.comment) return false;
  if (marker < 0xe0 || marker > 0xef) return true;
  return (
    holds(bytes, segment, 0xe0, 'JFIF\0') ||
    holds(bytes, segment, 0xe2, 'ICC_PROFILE\0') ||
    holds(bytes, segment, 0xee, 'Adobe')
  );
}

function holds(bytes: Buffer, { marker, start }: Segment, wanted: number, mark: string): boolean {
  return marker === wanted && bytes.toString('latin1', start + 4, start + 4 + mark.length) === mark;
}

const orientationTag = 0x0112;
const entryLength = 12;

/** Searched in the first directory of the segment (TIFF 6.0, section 2). */
function orientationIn(segment: Buffer): Orientation {
  const tiff = segment.subarray(4 + exifMark.length);
  if (tiff.length < 8) return 1;
  const isLittle = tiff.toString('latin1', 0, 2) === 'II';
  const short = (at: number) => {
    if (at + 2 > tiff.length) return 0;
    return isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at);
  };
  const directory = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
  for (let index = 0; index < short(directory); index += 1) {
    const entry = directory + 2 + entryLength * index;
    if (entry + entryLength > tiff.length) return 1;
    if (short(entry) !== orientationTag) continue;
    const value = short(entry + 8);
    return value >= 1 && value <= 8 ? (value as Orientation) : 1;
  }
  return 1;
}

/** An Exif segment with only the orientation. */
function exifOf(orientation: Orientation): Buffer {
  const tiff = Buffer.from('4d4d002a00000008000101120003000000010000000000000000', 'hex');
  tiff.writeUInt16BE(orientation, 18);
  const body = Buffer.concat([Buffer.from(exifMark, 'latin1'), tiff]);
  const head = Buffer.from([0xff, 0xe1, 0, 0]);
  head.writeUInt16BE(body.length + 2, 2);
  return Buffer.concat([head, body]);
}
