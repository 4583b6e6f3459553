import type { SourceRow } from '@drawbridge/records/document.ts';
import type { ReadColumn } from '../columns.ts';
import { numberAt } from '../numbers.ts';

/** Columns of a line whose product is its amount. */
export interface LineProduct {
  readonly quantity: ReadColumn;
  readonly price: ReadColumn;
  readonly discount: LineDiscount | undefined;
}

/**
 * A column with a discount, and how it is written; `negative`: an amount that is kept negative, `piece`: one for each of
 * the quantity.
 */
export interface LineDiscount {
  readonly column: ReadColumn;
  readonly form: 'percent' | 'fraction' | 'amount' | 'negative' | 'piece';
}

/** Whether it is an amount of money, and no share of one. */
export function isAmountOff({ form }: LineDiscount): boolean {
  return form === 'amount' || form === 'negative' || form === 'piece';
}

/** The amount of a line: quantity × price, less the discount. */
export function amountOf(
  row: SourceRow,
  { quantity, price, discount }: LineProduct,
): number | undefined {
  const q = numberAt(row, quantity);
  const p = numberAt(row, price);
  if (q === undefined || p === undefined) return undefined;
  if (discount === undefined) return q * p;
  const d = numberAt(row, discount.column) ?? 0;
  switch (discount.form) {
    case 'amount':
      return q * p - d;
    case 'negative':
      return q * p + d;
    case 'piece':
      return q * (p - d);
    case 'percent':
      return q * p * (1 - d / 100);
    case 'fraction':
      return q * p * (1 - d);
  }
}
