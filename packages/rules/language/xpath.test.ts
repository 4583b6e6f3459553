import { decimal } from '@drawbridge/decimal/decimal.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DynamicError } from '../rule.ts';
import {
  compareUntyped,
  isBefore,
  isDate,
  isTime,
  lengthOf,
  normalizeSpace,
  roundHalfUp,
  single,
  startOf,
  textNodeOf,
  toBoolean,
  toCents,
  toDate,
  toDecimal,
  toDouble,
  toNumber,
  withinSlack,
} from './xpath.ts';

test.each([
  ['2.5', '3'],
  ['-2.5', '-2'],
  ['-2.51', '-3'],
  ['2.4999999999999999999', '2'],
  ['-0.5', '0'],
])('a half of %s is rounded up, towards positive infinity, to %s', (text, rounded) => {
  expect(roundHalfUp(decimal(text)).eq(decimal(rounded))).toBe(true);
});

test('cents are rounded half up', () => {
  expect(toCents(decimal('1.005')).toFixed(2)).toBe('1.01');
  expect(toCents(decimal('-1.005')).toFixed(2)).toBe('-1.00');
});

test('a rounded value differs by a half at most', () => {
  const texts = fc.tuple(fc.integer(), fc.nat(99_999)).map(([whole, part]) => `${whole}.${part}`);
  fc.assert(
    fc.property(texts, (text) => {
      const value = decimal(text);
      expect(roundHalfUp(value).minus(value).abs().lte(decimal('0.5'))).toBe(true);
    }),
  );
});

describe('an untyped value against a number', () => {
  test.each([
    ['1.5', 1, 1],
    ['-1', 0, -1],
    ['0.00', 0, 0],
    ['-0', 0, 0],
    // As in the authorities' processor: the sign of a zero with a point counts.
    ['-0.00', 0, -1],
    ['NaN', 5, 1],
    ['1e2', 100, 0],
  ])('%s compared with %d is %d', (text, number, result) => {
    expect(compareUntyped(text, number)).toBe(result);
  });

  test('is an error when it is not a number', () => {
    expect(() => compareUntyped('ten', 0)).toThrow(DynamicError);
  });
});

describe('casts', () => {
  test.each(['1', '-1.50', '+.5', ' 7 ', '5.'])('%j is a decimal', (text) => {
    expect(toDecimal(text).toFixed()).toBe(Number(text).toString());
  });

  test.each(['', '1e2', '1,5', 'NaN', '\u00A05', '0x10'])('%j is not a decimal', (text) => {
    expect(() => toDecimal(text)).toThrow(DynamicError);
  });

  test('a double has exponents, names and NaN; fn:number gives NaN for other text', () => {
    expect(toDouble('1e2')).toBe(100);
    expect(toDouble('-INF')).toBe(Number.NEGATIVE_INFINITY);
    expect(toDouble('NaN')).toBeNaN();
    expect(() => toDouble('Infinity')).toThrow(DynamicError);
    expect(toNumber('+INF')).toBe(Number.POSITIVE_INFINITY);
    expect(toNumber('Infinity')).toBeNaN();
    expect(toNumber(undefined)).toBeNaN();
  });

  test('a boolean is one of four words', () => {
    expect([' true ', '1', 'false', '0'].map(toBoolean)).toEqual([true, true, false, false]);
    expect(() => toBoolean('TRUE')).toThrow(DynamicError);
    expect(() => toBoolean('')).toThrow(DynamicError);
  });

  test('comments divide a text into several nodes, and an empty text has none', () => {
    expect(textNodeOf([])).toBe('');
    expect(textNodeOf([{ text: '' }, { text: 'a' }])).toBe('a');
    expect(textNodeOf([{ text: 'ab', texts: ['ab'] }])).toBe('ab');
    expect(textNodeOf([{ text: 'ab', texts: [] }])).toBe('');
    expect(() => textNodeOf([{ text: 'ab', texts: ['a', 'b'] }])).toThrow(DynamicError);
    expect(() => textNodeOf([{ text: 'a' }, { text: 'b' }])).toThrow(DynamicError);
  });

  test('several items where one is expected are an error', () => {
    expect(single([])).toBeUndefined();
    expect(single(['a'])).toBe('a');
    expect(() => single(['a', 'b'])).toThrow(DynamicError);
  });
});

describe('dates and times', () => {
  test.each([
    '2026-02-28',
    '2024-02-29',
    '2026-02-28Z',
    '2026-02-28+14:00',
    // As in XSD 1.1 and the authorities' processor.
    '0000-01-01',
    // Beyond the range of dates in JavaScript.
    '300000-02-29',
  ])('%s is', (text) => {
    expect(isDate(text)).toBe(true);
  });

  test.each([
    '2026-02-29',
    '2026-2-1',
    '26-02-01',
    '2026-13-01',
    '2026-01-00',
    '2026-01-01+15:00',
    '2147483648-01-01',
    '20260101',
  ])('%s is no date', (text) => expect(isDate(text)).toBe(false));

  test('dates are ordered as instants', () => {
    expect(toDate('2026-03-01+02:00')).toBeLessThan(toDate('2026-03-01'));
    expect(toDate('-0001-12-31')).toBeLessThan(toDate('0000-01-01'));
    expect(toDate('1970-01-02')).toBe(86_400_000);
    expect(toDate('275761-01-01')).toBe(toDate('275760-01-01') + 366 * 86_400_000);
    expect(() => toDate('tomorrow')).toThrow(DynamicError);
  });

  test.each(['10:15:00', '24:00:00', '10:15:00.123Z', '10:15:00-03:30'])('%s is a time', (text) => {
    expect(isTime(text)).toBe(true);
  });

  test.each(['10:15', '24:00:01', '10:15:60', '1:15:00', '10:15:00 PM'])(
    '%s is not a time',
    (text) => expect(isTime(text)).toBe(false),
  );
});

test('untyped values are ordered as strings, by code point', () => {
  expect(isBefore('2026-01-31', '2026-02-01')).toBe(true);
  expect(isBefore('10', '9')).toBe(true);
  expect(isBefore('a', 'a')).toBe(false);
  expect(isBefore('\uFFFD', '\u{1F600}')).toBe(true);
});

test('only XML white space is white space', () => {
  expect(normalizeSpace('\t a \r\n b ')).toBe('a b');
  expect(normalizeSpace('\u00A0a')).toBe('\u00A0a');
});

test('a tolerance needs both amounts', () => {
  const slack = decimal('0.02');
  expect(withinSlack(decimal('1.00'), decimal('1.02'), slack)).toBe(true);
  expect(withinSlack(decimal('1.00'), decimal('1.03'), slack)).toBe(false);
  expect(() => withinSlack(undefined, decimal('1'), slack)).toThrow(DynamicError);
});

test('characters are counted, not UTF-16 units', () => {
  const text = fc.string({
    unit: fc.constantFrom('a', 'é', '😀', '\ud83d', '\ude00', '.'),
    maxLength: 12,
  });
  fc.assert(
    fc.property(text, fc.nat(13), (written, count) => {
      expect(lengthOf(written)).toBe([...written].length);
      expect(startOf(written, count)).toBe([...written].slice(0, count).join(''));
      const point = written.indexOf('.');
      expect(lengthOf(written, point + 1)).toBe([...written.slice(point + 1)].length);
    }),
    { seed: 20_261_121 },
  );
});
