import fc from 'fast-check';
import { getCountries, getCountryCallingCode } from 'libphonenumber-js/min';
import { expect, test } from 'vitest';
import { digitsOf, fromDigits, readByLibrary, readPhone } from './phone.ts';
import { readPlain } from './plain-phone.ts';

test.each([
  ['+919800000001', undefined, '+919800000001', 'IN'],
  ['+60 12-345 6789', undefined, '+60123456789', 'MY'],
  ['012-345 6789', 'MY', '+60123456789', 'MY'],
  ['+971 50 123 4567', undefined, '+971501234567', 'AE'],
  ['0032 470 12 34 56', 'BE', '+32470123456', 'BE'],
  ['+٩٧١٥٠١٢٣٤٥٦٧', undefined, '+971501234567', 'AE'],
  ['(202) 555-0123', 'US', '+12025550123', 'US'],
  ['+5215512345678', undefined, '+525512345678', 'MX'],
  ['+52 1 55 1234 5678', undefined, '+525512345678', 'MX'],
  ['00 52 1 55 1234 5678', 'MY', '+525512345678', 'MX'],
  ['+521551234567', undefined, '+521551234567', 'MX'],
  ['+54 9 11 2345 6789', undefined, '+5491123456789', 'AR'],
  ['\u202a+60 12-345 6789\u202c', undefined, '+60123456789', 'MY'],
  ['+60\u200e123456789', undefined, '+60123456789', 'MY'],
  ['\u2066+60\u00a012\u200b3456789\u2069\ufeff', undefined, '+60123456789', 'MY'],
  ['\u200f012-345 6789\u202e', 'MY', '+60123456789', 'MY'],
])('%s (default %s) is %s', (text, defaultCountry, e164, country) => {
  expect(readPhone(text, defaultCountry)).toEqual({ kind: 'phone', e164, country });
});

test('a number that belongs to no country is accepted', () => {
  expect(readPhone('+80012345678')).toEqual({ kind: 'phone', e164: '+80012345678' });
});

test.each([
  ['', 'not a phone number'],
  ['HDRNAM', 'not a phone number'],
  ['+1 202 555 0123 ext. 7', 'not a phone number'],
  ['tel:+12025550123', 'not a phone number'],
  ['+12025550123;+12025550124', 'not a phone number'],
  ['+'.padEnd(400, '1'), 'not a phone number'],
  ['919800000001', 'the international form with a leading + is needed'],
  ['+999123456789', 'no country has such numbers'],
  ['\u202a\u202c', 'not a phone number'],
  ['+6012', 'wrong length for its country'],
  ['+6591234', 'wrong length for its country'],
  ['+4900752', 'wrong length for its country'],
])('%s is refused: %s', (text, reason) => {
  const reading = readPhone(text);
  expect(reading.kind).toBe('refused');
  if (reading.kind === 'refused') expect(reading.reason).toBe(reason);
});

test('no input throws, and an accepted number reads back as itself', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.stringMatching(/^\+?[0-9 ()-]{0,20}$/)), (text) => {
      const reading = readPhone(text, 'MY');
      if (reading.kind === 'refused') return;
      expect(reading.e164).toMatch(/^\+[1-9]\d{6,14}$/);
      expect(readPhone(reading.e164)).toEqual(reading);
      expect(fromDigits(digitsOf(reading.e164)) ?? reading.e164).toBe(reading.e164);
    }),
  );
});

test('a plain number is read as the library reads it, for every calling code', () => {
  const codes = [
    ...new Set(getCountries().map((each) => getCountryCallingCode(each))),
    '800',
    '999',
    '0',
  ];
  const rest = fc.oneof(
    fc.stringMatching(/^[0-9]{1,15}$/),
    fc.stringMatching(/^(0|00|1|8|06|15|044)[0-9]{4,12}$/),
  );
  for (const code of codes) {
    fc.assert(
      fc.property(rest, (digits) => {
        const text = `+${code}${digits}`;
        const quick = readPlain(text);
        if (quick === undefined) return;
        expect(quick).toEqual(readByLibrary(text));
        expect(quick).toEqual(readByLibrary(text, 'US'));
      }),
      { numRuns: 300 },
    );
  }
});

test.each(['+971501234567', '+919800000001', '+60123456789', '+6591234'])(
  '%s is read without the library',
  (text) => expect(readPlain(text)).toEqual(readByLibrary(text)),
);

test.each([
  ['919800000001', '+919800000001'],
  ['+919800000001', '+919800000001'],
  ['HDRNAM', undefined],
  ['0123456789', undefined],
  ['5215512345678', '+525512345678'],
  ['525512345678', '+525512345678'],
  ['5491123456789', '+5491123456789'],
  ['6012', undefined],
  ['60123456', '+60123456'],
  [undefined, undefined],
])('digits %s are %s', (digits, e164) => {
  expect(fromDigits(digits)).toBe(e164);
});
