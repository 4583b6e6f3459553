/** A photo like one of a phone: twelve million pixels, about 3 MB. */
import Vips from 'wasm-vips';

const size = [4_032, 3_024] as const;

/** Cloudy colours with sensor noise. */
export async function samplePhoto(): Promise<Buffer> {
  const { Image } = await Vips({ dynamicLibraries: [] });
  const clouds = (seed: number) =>
    Image.perlin(...size, { cell_size: 256, seed }).linear([100], [120]);
  const grain = Image.gaussnoise(...size, { sigma: 8, mean: 0, seed: 1 });
  const colours = clouds(1)
    .bandjoin([clouds(2), clouds(3)])
    .add(grain)
    .cast('uchar');
  return Buffer.from(colours.copy({ interpretation: 'srgb' }).jpegsaveBuffer({ Q: 82 }));
}

/**
 * Another photo of the same size: lighter or darker, and with other colours; up to about a hundred.
 */
export function otherPhoto(photo: Buffer, index: number): Buffer {
  const other = Buffer.from(photo);
  const tables = Buffer.from('ffdb', 'hex');
  // Factors for the mean of each block (ITU T.81, B.2.4.1): of brightness, of colours.
  const brightness = other.indexOf(tables) + 5;
  other[brightness] = 4 + (index % 20);
  other[other.indexOf(tables, brightness) + 5] = 4 + Math.floor(index / 20);
  return other;
}
