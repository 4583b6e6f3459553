import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decimal, decimalPlaces, format, parseDecimal, round, sum } from './decimal.ts';

test.each([
  ['1234.50', '1234.5'],
  ['-0.05', '-0.05'],
  ['+7', '7'],
  [' 12 ', '12'],
  ['.5', '0.5'],
  ['5.', '5'],
])('%j is the decimal %s', (text, value) => {
  expect(parseDecimal(text)?.toFixed()).toBe(value);
});

test.each(['', ' ', '1e3', 'NaN', 'INF', '1,234.50', '0x10', '1.2.3', '--1', '٣', '1'.repeat(65)])(
  '%j is no decimal',
  (text) => {
    expect(parseDecimal(text)).toBeUndefined();
  },
);

test('`decimal` throws a RangeError for text that is not a decimal', () => {
  expect(() => decimal('twelve')).toThrow(RangeError);
});

test.each([
  ['2.345', 2, '2.35'],
  ['-2.345', 2, '-2.35'],
  ['2.344999', 2, '2.34'],
  ['1e21', 0, undefined],
])('rounds %s to %i places, half away from zero', (text, places, rounded) => {
  const value = parseDecimal(text);
  expect(value && format(round(value, places))).toBe(rounded);
});

test.each([
  ['1.5', 2, '1.50'],
  ['1.555', 2, '1.555'],
  ['100000000000000000000000', undefined, '100000000000000000000000'],
])('writes %s with at least %s places', (text, places, written) => {
  expect(format(decimal(text), places)).toBe(written);
});

test.each([
  ['1.50', 2],
  ['1', 0],
  ['1.', 0],
  [' 1.5 ', 1],
])('%j is written with %i decimals', (text, places) => {
  expect(decimalPlaces(text)).toBe(places);
});

test('sums are exact in any order', () => {
  const cents = fc.array(fc.integer({ min: -1_000_000_000, max: 1_000_000_000 }), {
    maxLength: 50,
  });
  fc.assert(
    fc.property(cents, (amounts) => {
      const decimals = amounts.map((amount) => decimal(amount).div(100));
      const total = amounts.reduce((all, amount) => all + amount, 0);
      expect(sum(decimals).times(100).toFixed()).toBe(String(total));
      expect(sum(decimals.toReversed()).eq(sum(decimals))).toBe(true);
    }),
  );
});
