/** Pictures from strangers: the format and the size that a file claims, before it is decoded. */
import { mediaTypeOf } from '@drawbridge/messaging/inbox/media-type.ts';
import { gifHead } from './gif.ts';
import { isTurned, type JpegHead, jpegHead, plainJpeg } from './jpeg.ts';
import { plainPng, pngHead } from './png.ts';
import { webpHead } from './webp.ts';

export type PrintedFormat = 'png' | 'jpg';
export type PictureFormat = PrintedFormat | 'gif' | 'webp';

/** Whether a PDF can contain this format. */
export function isPrinted(format: PictureFormat): format is PrintedFormat {
  return format === 'png' || format === 'jpg';
}

export interface Picture {
  readonly format: PictureFormat;
  /** Pixels, as displayed. */
  readonly width: number;
  readonly height: number;
  /**
   * The file. For formats that are printed as they are, without the camera's metadata: where, when
   * and with what the picture was taken.
   */
  readonly bytes: Uint8Array;
}

/** The largest file of the inbox. */
export const pictureBytesMax = 25 * 1024 * 1024;
/**
 * Cameras have 50 million; a few kilobytes can unpack to many more. Measured at most: 0.7 GB, 4 s.
 */
export const picturePixelsMax = 51_000_000;
/** Each scan covers the whole picture, and can be as short as its header; cameras write ten. */
export const pictureScansMax = 64;

/** The picture in these bytes, or why there is none. */
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
