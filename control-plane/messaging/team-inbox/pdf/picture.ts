/** Pictures of strangers: what a file says it is and how large, before anything decodes it. */
import { isTurned, jpegHead, plainJpeg } from './jpeg.ts';
import { plainPng, pngHead } from './png.ts';

export type PictureFormat = 'png' | 'jpg';

export interface Picture {
  readonly format: PictureFormat;
  /** Pixels, as it is to be seen. */
  readonly width: number;
  readonly height: number;
  /** The file without what a camera wrote beside the picture: where, when and with what it was taken. */
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
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const png = pngHead(view);
  const jpeg = png === undefined ? jpegHead(view) : undefined;
  const head = png ?? jpeg;
  if (head === undefined) return { problem: 'not a PNG or JPEG file' };
  const pixels = head.width * head.height;
  if (pixels > picturePixelsMax) return { problem: 'the picture is too large' };
  if (pixels === 0) return { problem: 'the picture is empty' };
  if (jpeg !== undefined && jpeg.scans > pictureScansMax) {
    return { problem: 'the picture takes too long to read' };
  }
  if (jpeg === undefined) return { ...head, format: 'png', bytes: plainPng(view) };
  const { orientation } = jpeg;
  const [width, height] = isTurned(orientation)
    ? [jpeg.height, jpeg.width]
    : [jpeg.width, jpeg.height];
  return { format: 'jpg', width, height, bytes: plainJpeg(view, orientation) };
}
