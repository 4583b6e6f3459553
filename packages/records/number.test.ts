import fc from 'fast-check';
import { expect, test } from 'vitest';
import { plainNumber } from './number.ts';

test.each([
  ['1e3', '1000'],
  ['1.50E+1', '15.0'],
  ['1.5e-7', '0.00000015'],
  ['-2.5e1', '-25'],
  ['1e21', '1000000000000000000000'],
  ['0e5', '0'],
  ['1.25', '1.25'],
  ['NaN', 'NaN'],
  ['1e999999', '1e999999'],
])('%s is written %s', (text, plain) => {
  expect(plainNumber(text)).toBe(plain);
});

test('every double keeps its value and loses its exponent', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
      const plain = plainNumber(String(value));
      expect(plain).not.toMatch(/e/i);
      expect(Number(plain)).toBe(value === 0 ? 0 : value);
    }),
  );
});
