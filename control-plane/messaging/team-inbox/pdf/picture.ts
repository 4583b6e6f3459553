/** Pictures of strangers: what a file says it is and how large, before anything decodes it. */

export type PictureFormat = 'png' | 'jpg';

export interface Picture {
  readonly format: PictureFormat;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
}

export const pictureBytesMax = 8 * 1024 * 1024;
/** A few kilobytes of PNG can unfold to gigabytes; this many pixels take 100 MB. */
export const picturePixelsMax = 25_000_000;

/** The picture in these bytes, or why there is none to show. */
export function pictureIn(bytes: Uint8Array): Picture | { readonly problem: string } {
  if (bytes.length > pictureBytesMax) return { problem: 'the picture is too large' };
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const picture = pngIn(view) ?? jpegIn(view);
  if (picture === undefined) return { problem: 'not a PNG or JPEG file' };
  const pixels = picture.width * picture.height;
  if (pixels > picturePixelsMax) return { problem: 'the picture is too large' };
  return pixels === 0 ? { problem: 'the picture is empty' } : picture;
}

const pngHead = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');

function pngIn(bytes: Buffer): Picture | undefined {
  if (bytes.length < 24 || !bytes.subarray(0, 16).equals(pngHead)) return undefined;
  return { format: 'png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

/** Walks the segments to the frame header (ITU T.81, B.2.2), which is before any picture data. */
function jpegIn(bytes: Buffer): Picture | undefined {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return undefined;
  let at = 2;
  while (at + 9 <= bytes.length) {
    if (bytes[at] !== 0xff) return undefined;
    const marker = bytes[at + 1]!;
    if (marker === 0xff) {
      at += 1; // fill bytes
      continue;
    }
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) {
      const [height, width] = [bytes.readUInt16BE(at + 5), bytes.readUInt16BE(at + 7)];
      return { format: 'jpg', width, height };
    }
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}
