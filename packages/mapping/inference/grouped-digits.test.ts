import { expect, test } from 'vitest';
import { areGrouped } from './grouped-digits.ts';

test.each([
  ['three decimals in each value', ['12.500', '3.000', '450.250'], undefined, false],
  ['whole numbers beside them, of a number', ['12', '3.250'], 'numeric(12,3)', false],
  ['numbers without their last zeros', ['12', '3.125', '0.5'], undefined, false],
  ['whole numbers beside full thousands', ['950', '1.250'], 'varchar', true],
  ['groups of millions', ['1.250.000', '12.500'], 'varchar', true],
  ['a comma before the decimals', ['1.250,50', '12.500'], 'varchar', true],
  ['a value with two decimals', ['950', '1.250', '12.50'], 'varchar', false],
  ['no point at all', ['950', '12'], undefined, false],
])('points stand between thousands or not, by all of a column: %s', (_how, values, type, is) => {
  expect(areGrouped(values, type)).toBe(is);
});
