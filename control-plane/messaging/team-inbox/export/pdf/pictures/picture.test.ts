import { describe, expect, test } from 'vitest';
import { chunk, phoneJpeg, sampleJpeg, samplePng } from '../sample.fixture.ts';
import { type Picture, pictureIn, pictureScansMax } from './picture.ts';

const picture = (bytes: Buffer) => pictureIn(bytes) as Picture;
const holds = (bytes: Uint8Array, words: string) => Buffer.from(bytes).includes(words);
const place = '25.2048N 55.2708E';

describe('a picture of a phone', () => {
  test.each([1, 2, 3, 4, 5, 6, 7, 8])(
    'with orientation %i has the width it shows',
    (orientation) => {
      const { width, height } = picture(phoneJpeg(orientation, place));
      expect([width, height]).toEqual(orientation < 5 ? [9, 12] : [12, 9]);
    },
  );

  test('keeps its orientation, and loses the place and data after its end', () => {
    const given = phoneJpeg(6, place);
    expect(holds(given, place)).toBe(true);
    const { bytes } = picture(given);
    expect(holds(bytes, place)).toBe(false);
    expect(picture(Buffer.from(bytes))).toMatchObject({ width: 12, height: 9 });
    expect(Buffer.from(bytes).subarray(-2).toString('hex')).toBe('ffd9');
  });

  test('without any metadata stays unchanged', () => {
    expect(Buffer.from(picture(sampleJpeg).bytes).equals(sampleJpeg)).toBe(true);
  });

  test.each(['ff', 'ffff', '00', 'ffe1ffff', 'ffe10000'])('broken by %s does not loop', (hex) => {
    const given = phoneJpeg(6, place);
    for (let at = 2; at < given.length; at += 1) {
      const broken = Buffer.concat([given.subarray(0, at), Buffer.from(hex, 'hex')]);
      expect(pictureIn(broken)).toBeDefined();
    }
  });
});

test.each([
  [pictureScansMax, true],
  [pictureScansMax + 1, false],
])('a JPEG of %i scans is read: %s', (scans, isRead) => {
  const scan = sampleJpeg.indexOf(Buffer.from('ffda', 'hex'));
  const more = Array(scans - 1).fill(sampleJpeg.subarray(scan, -2));
  const given = Buffer.concat([sampleJpeg.subarray(0, -2), ...more, sampleJpeg.subarray(-2)]);
  const expected = isRead ? { width: 9 } : { problem: 'the picture takes too long to read' };
  expect(pictureIn(given)).toMatchObject(expected);
});

test('a PNG keeps what is displayed, and loses its metadata', () => {
  const png = samplePng(8, 8);
  const words = chunk('tEXt', Buffer.from(`Comment\0${place}`));
  const colours = chunk('gAMA', Buffer.from('0000b18f', 'hex'));
  const beside = Buffer.from('<script>');
  const given = Buffer.concat([png.subarray(0, 33), words, colours, png.subarray(33), beside]);
  const plain = Buffer.concat([png.subarray(0, 33), colours, png.subarray(33)]);
  expect(Buffer.from(picture(given).bytes).equals(plain)).toBe(true);
});
