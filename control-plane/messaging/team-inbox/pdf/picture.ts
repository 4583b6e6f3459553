/** Pictures of strangers: what a file says it is and how large, before anything decodes it. */
import { mediaTypeOf } from '@drawbridge/messaging/inbox/media-type.ts';
import { gifHead } from './gif.ts';
import { isTurned, type JpegHead, jpegHead, plainJpeg } from './jpeg.ts';
import { plainPng, pngHead } from './png.ts';
import { webpHead } from './webp.ts';

export type PrintedFormat = 'png' | 'jpg';
export type PictureFormat = PrintedFormat | 'gif' | 'webp';

/** Whether it may stand on paper as it is. */
export function isPrinted(format: PictureFormat): format is PrintedFormat {
  return format === 'png' || format === 'jpg';
}

export interface Picture {
  readonly format: PictureFormat;
  /** Pixels, as it is to be seen. */
  readonly width: number;
  readonly height: number;
  /**
   * The file; of what is printed as it is without what a camera wrote beside the picture: where, when
   * and with what it was taken.
   */
  readonly bytes: Uint8Array;
}

/** As much as a file of the inbox may have. */
export const pictureBytesMax = 25 * 1024 * 1024;
/** Cameras have 50 million; a few kilobytes can unfold to many more. Measured at most: 0.7 GB, 4 s. */
export const picturePixelsMax = 51_000_000;
/** Each goes over the whole picture, and need not be longer than its head; cameras write ten. */
export const pictureScansMax = 64;

/** The picture in these bytes, or why there is none to show. */
export function pictureIn(bytes: Uint8Array): Picture | { readonly problem: string } {
  if (bytes.length > pictureBytesMax) return { problem: 'the picture is too large' };
  const head = headOf(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  if (head === undefined) return { problem: 'its format is not known' };
  const { width, height, format, scans = 1, plain } = head;
  if (width * height > picturePixelsMax) return { problem: 'the picture is too large' };
  if (width * height === 0) return { problem: 'the picture is empty' };
  if (scans > pictureScansMax) return { problem: 'the picture takes too long to read' };
  return { width, height, format, bytes: plain() };
}

interface Head extends Omit<Picture, 'bytes'> {
  readonly scans?: number;
  plain(): Uint8Array;
}

function headOf(file: Buffer): Head | undefined {
  switch (mediaTypeOf(file)) {
    case 'image/png': {
      const png = pngHead(file);
      return png && { ...png, format: 'png', plain: () => plainPng(file) };
    }
    case 'image/jpeg': {
      const jpeg = jpegHead(file);
      return jpeg && { ...asSeen(jpeg), plain: () => plainJpeg(file, jpeg.orientation) };
    }
    case 'image/gif': {
      const gif = gifHead(file);
      return gif && { ...gif, format: 'gif', plain: () => file };
    }
    case 'image/webp': {
      const webp = webpHead(file);
      return webp && { ...webp, format: 'webp', plain: () => file };
    }
    default:
      return undefined;
  }
}

function asSeen({ width, height, orientation, scans }: JpegHead): Omit<Head, 'plain'> {
  const size = isTurned(orientation) ? { width: height, height: width } : { width, height };
  return { ...size, format: 'jpg', scans };
}
