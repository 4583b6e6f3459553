import { expect, test } from 'vitest';
import { codeOf, currencyOfSign } from './code-names.ts';

test.each([
  ['U.A.E.', 'AE'],
  ['u.s.a', 'US'],
  ['U.K.', 'GB'],
  ['Deutschland', 'DE'],
  ['U.X.', undefined],
])('the country %s is %s', (name, code) => {
  expect(codeOf('countries', name)).toBe(code);
});

test.each([
  ['€', 'EUR'],
  ['RM', 'MYR'],
  ['EUR', undefined],
  ['x', undefined],
])('the sign %s stands for %s', (sign, code) => {
  expect(currencyOfSign(sign)).toBe(code);
});
