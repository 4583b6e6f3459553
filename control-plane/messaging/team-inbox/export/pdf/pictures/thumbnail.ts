/** Scales pictures to their printed size with libvips in WebAssembly; runs in pdf-worker.ts. */
import Vips from 'wasm-vips';
import { isPrinted, pictureIn } from './picture.ts';

/** The largest printed size, in millimetres. */
export const thumbnailMm = { width: 56, height: 42 };

/** The file to print, or why there is none. */
export type Thumbnail = { readonly file: Uint8Array } | { readonly problem: string };

export interface Thumbnailer {
  /**
   * A JPEG file, or the picture itself where it is small; the first frame of a moving one. The same
   * bytes give the same bytes. It throws only when it breaks down, and must not be used after that.
   */
  thumbnail(bytes: Uint8Array): Thumbnail;
}

const dotsPerInch = 200;
const dots = (mm: number) => Math.round((mm / 25.4) * dotsPerInch);
export const thumbnailPixels = { width: dots(thumbnailMm.width), height: dots(thumbnailMm.height) };
/** A smaller file stays unchanged if it has no more pixels than are printed. */
export const untouchedBytesMax = 128 * 1024;

const loaders = ['Jpeg', 'Png', 'Nsgif', 'Webp'].map((name) => `VipsForeignLoad${name}`);
const loading = {
  height: thumbnailPixels.height,
  size: 'down',
  output_profile: 'srgb',
  option_string: '[fail_on=error]', // the option `fail_on` does not reach the loaders
};
/** `keep`: no metadata. `background`: white, like paper. */
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
        return { problem: 'the picture is damaged' }; // libvips' own words do not help a reader
      }
    },
  };
}

/**
 * A fault of WebAssembly, such as no memory left; libvips throws something that is not an `Error`.
 */
export function isBreakdown(error: unknown): boolean {
  return error instanceof Error && error.name === 'RuntimeError';
}

/** Otherwise libvips logs each fault of a damaged picture. */
function silence(module?: { ENV: Record<string, string> }): void {
  module!.ENV.VIPS_WARNING = '1';
}
