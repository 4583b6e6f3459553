import fc from 'fast-check';
import { expect, test } from 'vitest';
import { segmentsOf } from './sms-segments.ts';

test.each([
  ['nothing', '', 'gsm7', 0, 1],
  ['160 septets', 'a'.repeat(160), 'gsm7', 160, 1],
  ['161 septets', 'a'.repeat(161), 'gsm7', 161, 2],
  ['two full parts', 'a'.repeat(306), 'gsm7', 306, 2],
  ['one more', 'a'.repeat(307), 'gsm7', 307, 3],
  ['the euro sign counts twice', '€'.repeat(80), 'gsm7', 160, 1],
  ['an escaped character is not cut', 'a'.repeat(152) + '€' + 'a'.repeat(152), 'gsm7', 306, 3],
  ['Greek capitals and accents', 'ΔΦΓΛΩΠΨΣΘΞ èéùìò @£$', 'gsm7', 20, 1],
  ['a small c with cedilla', 'ç', 'ucs2', 1, 1],
  ['70 units', 'न'.repeat(70), 'ucs2', 70, 1],
  ['71 units', 'न'.repeat(71), 'ucs2', 71, 2],
  ['an emoji is two units', '🙂'.repeat(35), 'ucs2', 70, 1],
  ['a pair is not cut', '🙂'.repeat(67), 'ucs2', 134, 3],
  ['a backtick', '`', 'ucs2', 1, 1],
])('%s', (_name, text, alphabet, units, segments) => {
  expect(segmentsOf(text)).toMatchObject({ alphabet, units, segments });
});

test('what forces UCS-2 is named once', () => {
  expect(segmentsOf('it’s “so” it’s').offenders).toEqual(['’', '“', '”']);
});

test('any text fits its segments, and would not fit one fewer', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 700 }), (text) => {
      const { alphabet, units, segments } = segmentsOf(text);
      const [alone, part] = alphabet === 'gsm7' ? [160, 153] : [70, 67];
      if (segments === 1) expect(units).toBeLessThanOrEqual(alone);
      else {
        expect(units).toBeLessThanOrEqual(segments * part);
        // Each full part may leave one unit unused when a character of two units did not fit.
        expect(units).toBeGreaterThan(Math.min(alone, (segments - 1) * (part - 1)));
      }
    }),
  );
});
