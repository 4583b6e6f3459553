import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import Vips from 'wasm-vips';
import { chunk, phoneJpeg, sampleJpeg, samplePng } from '../sample.fixture.ts';
import { type Picture, pictureIn } from './picture.ts';
import {
  openThumbnailer,
  type Thumbnailer,
  thumbnailPixels,
  untouchedBytesMax,
} from './thumbnail.ts';

let thumbnailer: Thumbnailer;
let vips: typeof Vips;
beforeAll(async () => {
  vips = await Vips({ dynamicLibraries: [] });
  thumbnailer = await openThumbnailer();
});

const place = '25.2048N 55.2708E';
const made = (bytes: Uint8Array) => {
  const answer = thumbnailer.thumbnail(bytes);
  if ('problem' in answer) throw new Error(answer.problem);
  return answer.file;
};
const seen = (bytes: Uint8Array) => pictureIn(bytes) as Picture;
const { width, height } = thumbnailPixels;
const noise = (x: number, y: number) => {
  const value = Math.imul(x * 7919 + y * 104_729, 2_654_435_761) >>> 8;
  return [value & 255, (value >> 8) & 255, (value >> 16) & 255] as const;
};

const colourAt = (file: Uint8Array, x: number, y: number) => {
  const [red = 0, , blue = 0] = vips.Image.newFromBuffer(file).getpoint(x, y);
  return red > 200 && blue < 50 ? 'red' : blue > 200 && red < 50 ? 'blue' : 'neither';
};

test('a printed picture has 200 dots per inch', () => {
  expect([width, height]).toEqual([441, 331]);
});

test.each([
  ['wide', 1_200, 300, 441, 110],
  ['tall', 300, 1_200, 83, 331],
  ['of one line', 3_000, 1, 441, 1],
])('a picture fits and keeps its proportions: %s', (_, from, to, ...expected) => {
  const file = made(samplePng(from, to));
  expect([seen(file).width, seen(file).height]).toEqual(expected);
  expect(seen(file).format).toBe('jpg');
  expect(file.length).toBeLessThan(30_000);
});

test('a picture that fits stays unchanged, unless its file is large', () => {
  const plain = samplePng(width, height);
  expect(Buffer.from(made(plain)).equals(plain)).toBe(true);
  expect(Buffer.from(made(sampleJpeg)).equals(sampleJpeg)).toBe(true);
  const full = samplePng(width, height, noise);
  expect(full.length).toBeGreaterThan(untouchedBytesMax);
  expect(made(full).length).toBeLessThan(untouchedBytesMax);
});

test('the same picture gives the same bytes, also from another process after other work', async () => {
  const photo = samplePng(900, 700, noise);
  const file = made(photo);
  made(samplePng(800, 800));
  expect(made(photo)).toEqual(file);
  expect((await openThumbnailer()).thumbnail(photo)).toEqual({ file });
});

describe('a photo, red on its left and blue on its right', () => {
  const halves = samplePng(1_000, 800, (x) => (x < 500 ? [255, 0, 0] : [0, 0, 255]));
  const jpeg = () => Buffer.from(vips.Image.newFromBuffer(halves).jpegsaveBuffer());
  test.each([
    [1, 414, 331, 'red', 'blue'],
    [3, 414, 331, 'blue', 'red'],
    [6, 265, 331, 'red', 'red'],
    [8, 265, 331, 'blue', 'blue'],
  ])('with orientation %i is upright, and has no other metadata', (orientation, ...expected) => {
    const file = made(heldAs(orientation, jpeg()));
    const { width: wide, height: tall, bytes } = seen(file);
    expect([wide, tall, colourAt(file, 9, 9), colourAt(file, wide - 9, 9)]).toEqual(expected);
    expect(Buffer.from(bytes).includes('Exif')).toBe(false);
    expect(Buffer.from(file).includes(place)).toBe(false);
  });

  test('in CMYK keeps its colours', () => {
    const printed = vips.Image.newFromBuffer(jpeg()).iccTransform('cmyk').jpegsaveBuffer();
    const file = made(printed);
    expect(colourAt(file, 400, 9)).not.toBe(colourAt(file, 9, 9));
    expect(vips.Image.newFromBuffer(file).bands).toBe(3);
  });
});

test('transparent parts become white, like paper', () => {
  const clear = vips.Image.black(900, 900, { bands: 4 }).copy({ interpretation: 'srgb' });
  const file = made(clear.pngsaveBuffer());
  expect(vips.Image.newFromBuffer(file).getpoint(100, 100)).toEqual([255, 255, 255]);
});

test.each([
  ['is cut short', samplePng(600, 600).subarray(0, 3_000)],
  ['claims more pixels than it has', lying(7_000, 7_000)],
  ['was changed inside', changed(samplePng(600, 600))],
])('a PNG that %s is damaged', (_, bytes) => {
  expect(thumbnailer.thumbnail(bytes)).toEqual({ problem: 'the picture is damaged' });
});

test('a JPEG that is cut short is damaged', () => {
  const jpeg = vips.Image.newFromBuffer(samplePng(600, 600)).jpegsaveBuffer();
  const problem = 'the picture is damaged';
  expect(thumbnailer.thumbnail(jpeg.subarray(0, jpeg.length / 2))).toEqual({ problem });
});

describe.each([
  ['GIF', () => pair().gifsaveBuffer()],
  ['GIF that moves', () => moving().gifsaveBuffer()],
  ['WebP', () => pair().webpsaveBuffer()],
  ['WebP without loss', () => pair().webpsaveBuffer({ lossless: true })],
  ['WebP with transparency', () => pair().addalpha().webpsaveBuffer()],
  ['WebP that moves', () => moving().webpsaveBuffer({ mixed: true })],
])('a %s', (_, file) => {
  test('says how large it is', () => {
    expect(seen(file())).toMatchObject({ width: 600, height: 500 });
  });

  test('is printed as a JPEG of its first frame', () => {
    const printed = made(file());
    const { format, width: wide, height: tall } = seen(printed);
    expect([format, wide, tall]).toEqual(['jpg', 397, 331]);
    expect([colourAt(printed, 9, 9), colourAt(printed, 388, 9)]).toEqual(['red', 'blue']);
  });

  test('that is cut short is damaged, or shows its first frame', () => {
    const whole = file();
    const answer = thumbnailer.thumbnail(whole.subarray(0, whole.length / 2));
    if ('problem' in answer) expect(answer.problem).toBe('the picture is damaged');
    else expect(seen(answer.file).format).toBe('jpg');
  });
});

test('a small GIF or WebP becomes a JPEG, because a PDF can contain neither', () => {
  const small = vips.Image.newFromBuffer(samplePng(40, 30));
  for (const file of [small.gifsaveBuffer(), small.webpsaveBuffer()]) {
    expect(seen(made(file))).toMatchObject({ format: 'jpg', width: 40, height: 30 });
  }
});

test.each([
  ['has more pixels than it claims', 8, 'the picture is damaged'],
  ['claims an enormous size', 16_777_216, 'the picture is too large'],
])('a WebP that %s is not shown', (_, side, problem) => {
  const file = Buffer.from(
    vips.Image.newFromBuffer(samplePng(600, 600)).addalpha().webpsaveBuffer(),
  );
  file.writeUIntLE(side - 1, 24, 3);
  file.writeUIntLE(side - 1, 27, 3);
  expect(thumbnailer.thumbnail(file)).toEqual({ problem });
});

test('other formats are not decoded at all', () => {
  const tiff = vips.Image.newFromBuffer(samplePng(600, 600)).tiffsaveBuffer();
  const problem = 'its format is not known';
  expect(thumbnailer.thumbnail(tiff)).toEqual({ problem });
});

test('any damaged file gives an answer, and the next picture is right', () => {
  const png = samplePng(600, 600);
  const right = made(png);
  const image = vips.Image.newFromBuffer(png);
  const saved = [image.jpegsaveBuffer(), image.gifsaveBuffer(), image.webpsaveBuffer()];
  const files = [png, ...saved.map((file) => Buffer.from(file))];
  const bits = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 20 });
  const change = fc.record({ given: fc.constantFrom(...files), bits, kept: fc.nat() });
  fc.assert(
    fc.property(change, ({ given, bits: places, kept }) => {
      const broken = Buffer.from(
        given.subarray(0, kept % 4 === 0 ? kept % given.length : undefined),
      );
      for (const [at, value] of places) broken[at % (broken.length || 1)] = value;
      expect(thumbnailer.thumbnail(broken)).toBeDefined();
    }),
    { numRuns: 200 },
  );
  expect(made(png)).toEqual(right);
});

test('after a breakdown of libvips no picture is called damaged', async () => {
  const brokenDown = async () => ({
    ...vips,
    Image: {
      thumbnailBuffer: () => {
        throw Object.assign(new Error('unreachable'), { name: 'RuntimeError' });
      },
    },
  });
  const broken = await openThumbnailer(brokenDown as unknown as typeof Vips);
  expect(() => broken.thumbnail(samplePng(600, 600))).toThrow('unreachable');
});

/** Red on the left and blue on the right. */
function pair() {
  return vips.Image.newFromBuffer(
    samplePng(600, 500, (x) => (x < 300 ? [255, 0, 0] : [0, 0, 255])),
  );
}

/** The same picture, followed by its mirror image. */
function moving() {
  const frames = pair().join(pair().flip('horizontal'), 'vertical').copy();
  frames.setInt('page-height', 500);
  return frames;
}

/** The file as a phone stores it. */
function heldAs(orientation: number, jpeg: Buffer): Buffer {
  const phone = phoneJpeg(orientation, place);
  const beside = phone.subarray(2, phone.indexOf(sampleJpeg.subarray(2, 12)));
  return Buffer.concat([jpeg.subarray(0, 2), beside, jpeg.subarray(2)]);
}

function lying(wide: number, tall: number): Buffer {
  const png = samplePng(8, 8);
  const head = Buffer.from(png.subarray(16, 29));
  head.writeUInt32BE(wide, 0);
  head.writeUInt32BE(tall, 4);
  return Buffer.concat([png.subarray(0, 8), chunk('IHDR', head), png.subarray(33)]);
}

function changed(png: Buffer): Buffer {
  const copy = Buffer.from(png);
  copy[Math.floor(copy.length / 2)]! ^= 0xff;
  return copy;
}
