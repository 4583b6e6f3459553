import { describe, expect, test } from 'vitest';
import { isNear, numberOf, numberOrZero } from './numbers.ts';

describe('a number', () => {
  test.each([
    ['as people write it', numberOf, '1.250,50', 1250.5],
    ['as people write it elsewhere', numberOf, '1,250.50', 1250.5],
    ['with points between thousands', numberOf, '1.250', 1250],
    ['that is none', numberOf, 'N/A', Number.NaN],
    ['as databases keep it', numberOrZero, '1.250', 1.25],
    ['with a comma before its decimals', numberOrZero, '1,250', 1.25],
    ['that is none, as zero', numberOrZero, 'N/A', 0],
    ['that is missing, as zero', numberOrZero, null, 0],
  ] as const)('is read %s', (_how, read, text, number) => {
    expect((read as (text: string | null) => number)(text)).toBe(number);
  });

  test('is near another one by a cent for each line', () => {
    expect(isNear(10.03, 10, 3)).toBe(true);
    expect(isNear(10.05, 10, 3)).toBe(false);
  });
});
