import type { SourceRow } from '@drawbridge/records/document.ts';
import type { ReadColumn } from './columns.ts';
import { groupedNumber, oneGroup } from './grouped-digits.ts';

/** The number in a column of a row, as its column writes it; undefined where there is none. */
export function numberAt(row: SourceRow, { column, isGrouped }: ReadColumn): number | undefined {
  const text = row.values[column.column];
  if (text == null || text.trim() === '') return undefined;
  const value = numberOf(text, isGrouped);
  return Number.isNaN(value) ? undefined : value;
}

/** The numbers that a column holds, as it writes them; NaN for what is none. */
export function numbersOf({ values, isGrouped }: ReadColumn): readonly number[] {
  return values.map((value) => numberOf(value, isGrouped));
}

/** The number in a column of a row, as `numberOrZero` reads it: for columns that have plain numbers. */
export function numberOrZeroAt(row: SourceRow, { column }: ReadColumn): number {
  return numberOrZero(row.values[column.column]);
}

/**
 * A number as people write it, a percentage too; NaN where it is none. Whether a lone point stands between
 * thousands is told by its column: see `areGrouped`.
 *
 *   numberOf('1.250,50', true) // 1250.5
 *   numberOf('1,250.50', false) // 1250.5
 *   numberOf('1.250', true) // 1250
 *   numberOf('1.250', false) // 1.25
 */
export function numberOf(text: string, isGrouped: boolean): number {
  const plain = text.trim().replace(/\s*%$/, '');
  if (/^-?\d+,\d+$/.test(plain)) return Number(plain.replace(',', '.'));
  if (groupedNumber.test(plain) || (isGrouped && oneGroup.test(plain))) {
    return Number(plain.replaceAll('.', '').replace(',', '.'));
  }
  return plain === '' ? Number.NaN : Number(plain.replaceAll(',', ''));
}

/** Whether `numberOf` reads it. */
export function isNumber(text: string): boolean {
  return !Number.isNaN(numberOf(text, false));
}

/**
 * A number as databases keep it, with a point or a comma before its decimals; 0 where it is none.
 *
 *   numberOrZero('1.250') // 1.25
 */
export function numberOrZero(text: string | null | undefined): number {
  return Number((text ?? '').replace(',', '.')) || 0;
}

/** Whether two amounts are equal but for rounding, of which each line has its own. */
export function isNear(one: number, other: number, lines = 1): boolean {
  return Math.abs(one - other) <= 0.006 + 0.01 * lines + 0.0001 * Math.abs(other);
}

/** Whether a value is a number other than 0. */
export function isNotZero(value: string): boolean {
  return Number(value) !== 0;
}

/** How many values are other than 0. */
export function countNotZero({ values }: ReadColumn): number {
  return values.filter(isNotZero).length;
}

/** The share of those for which something holds, 0 to 1; 0 where there are none. */
export function shareOf<T>(all: readonly T[], holds: (one: T) => boolean): number {
  return all.length === 0 ? 0 : all.filter(holds).length / all.length;
}

/** The sum of the numbers that are made of each. */
export function sumOf<T>(all: readonly T[], numberFrom: (one: T, at: number) => number): number {
  return all.reduce((sum, one, at) => sum + numberFrom(one, at), 0);
}

/** Percents: no rate of tax is larger. */
export const taxRateMax = 40;

/** Whether rates are written as fractions: all below one, and some not zero. */
export function areFractions(values: readonly string[]): boolean {
  const numbers = values.map(Number);
  return numbers.some((value) => value !== 0) && numbers.every((value) => value >= 0 && value < 1);
}
