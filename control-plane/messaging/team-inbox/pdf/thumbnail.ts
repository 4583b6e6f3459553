/** Pictures as small as they are printed, by libvips in WebAssembly: native work, see press.ts. */
import Vips from 'wasm-vips';
import { isPrinted, pictureIn } from './picture.ts';

/** Millimetres on paper at most. */
export const thumbnailMm = { width: 56, height: 42 };

/** The file to print, or why there is none. */
export type Thumbnail = { readonly file: Uint8Array } | { readonly problem: string };

export interface Thumbnailer {
  /**
   * A JPEG file, or the very picture where that is small; of one that moves how it begins. The same
   * bytes give the same bytes. What it throws is a breakdown, and it is of no use after that.
   */
  thumbnail(bytes: Uint8Array): Thumbnail;
}

const dotsPerInch = 200;
const dots = (mm: number) => Math.round((mm / 25.4) * dotsPerInch);
export const thumbnailPixels = { width: dots(thumbnailMm.width), height: dots(thumbnailMm.height) };
/** A smaller one stays as it is, if it has no more pixels than are printed. */
export const untouchedBytesMax = 128 * 1024;

const loaders = ['Jpeg', 'Png', 'Nsgif', 'Webp'].map((name) => `VipsForeignLoad${name}`);
const loading = {
  ...{ height: thumbnailPixels.height, size: 'down', output_profile: 'srgb' },
  option_string: '[fail_on=error]', // its own option of this name does not reach the loaders
};
/** `keep`: nothing that a camera wrote. Paper is white. */
const saving = { Q: 80, keep: 'none', background: [255, 255, 255] };

/** Takes a tenth of a second. */
export async function openThumbnailer(start: typeof Vips = Vips): Promise<Thumbnailer> {
  const vips = await start({ dynamicLibraries: [], preRun: silence });
  vips.concurrency(1);
  vips.Cache.max(0);
  vips.operationBlock('VipsForeignLoad', true);
  for (const loader of loaders) vips.operationBlock(loader, false);

  function scaled(bytes: Uint8Array): Uint8Array {
    const image = vips.Image.thumbnailBuffer(bytes, thumbnailPixels.width, loading);
    try {
      return image.jpegsaveBuffer(saving);
    } finally {
      image.delete();
    }
  }

  return {
    thumbnail: (bytes) => {
      const picture = pictureIn(bytes);
      if ('problem' in picture) return picture;
      const { width, height, format } = picture;
      const fits = width <= thumbnailPixels.width && height <= thumbnailPixels.height;
      if (fits && isPrinted(format) && picture.bytes.length <= untouchedBytesMax) {
        return { file: picture.bytes };
      }
      try {
        return { file: scaled(bytes) };
      } catch (error) {
        if (isBreakdown(error)) throw error;
        return { problem: 'the picture is damaged' }; // libvips' own words tell a reader nothing
      }
    },
  };
}

/** Of WebAssembly itself, as when there is no memory left; what libvips throws is no `Error`. */
export function isBreakdown(error: unknown): boolean {
  return error instanceof Error && error.name === 'RuntimeError';
}

/** A damaged picture would be told of line by line. */
function silence(module?: { ENV: Record<string, string> }): void {
  module!.ENV.VIPS_WARNING = '1';
}
