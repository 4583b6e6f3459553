import { describe, expect, test } from 'vitest';
import { isNear, numberOf, numberOrZero } from './numbers.ts';

describe('a number', () => {
  test.each([
    ['as people write it', '1.250,50', false, 1250.5],
    ['as people write it elsewhere', '1,250.50', false, 1250.5],
    ['with points between thousands', '1.250', true, 1250],
    ['with points between thousands and millions', '1.250.000', false, 1_250_000],
    ['with three decimals', '12.500', false, 12.5],
    ['with three decimals below one', '0.500', true, 0.5],
    ['with a sign of percent', '7.5 %', false, 7.5],
    ['that is none', 'N/A', false, Number.NaN],
    ['that is a sign alone', '%', false, Number.NaN],
  ])('is read %s', (_how, text, isGrouped, number) => {
    expect(numberOf(text, isGrouped)).toBe(number);
  });

  test.each([
    ['as databases keep it', '1.250', 1.25],
    ['with a comma before its decimals', '1,250', 1.25],
    ['that is none, as zero', 'N/A', 0],
    ['that is missing, as zero', null, 0],
  ])('is read plainly %s', (_how, text, number) => {
    expect(numberOrZero(text)).toBe(number);
  });

  test('is near another one by a cent for each line', () => {
    expect(isNear(10.03, 10, 3)).toBe(true);
    expect(isNear(10.05, 10, 3)).toBe(false);
  });
});
