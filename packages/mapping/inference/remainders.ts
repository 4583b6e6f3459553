import { writtenWords } from '../words.ts';
import type { ReadColumn } from './columns.ts';

/** What a quantity or an amount is called that is left of another one, or was done of it. */
const remainders: ReadonlySet<string> = new Set(
  `open remaining remain remainder outstanding outstd reserved delivered delivrd delivd dlvd shipped ordered
    backordered backorder picked received returned paid unpaid balance balence allocated alloc residual free foc
    bonus`.split(/\s+/),
);

const amounts = ['total', 'amount', 'net', 'gross', 'price'];

/** `OpenQty` beside `Quantity`, `PaidToDate` beside `DocTotal`. */
export function isRemainder(one: ReadColumn, known: readonly ReadColumn[]): boolean {
  if (!isNamedSo(one)) return false;
  const wanted = one.words.has('quantity') ? ['quantity'] : amounts;
  return known.some(
    (other) =>
      other.column.section === one.column.section &&
      wanted.some((word) => other.words.has(word)) &&
      !isNamedSo(other) &&
      other.values.some((value) => Number(value) !== 0),
  );
}

function isNamedSo({ column, words }: ReadColumn): boolean {
  // "Total paid without tax" is a total.
  if (words.has('net') || words.has('gross')) return false;
  return writtenWords(column.column).some((word) => remainders.has(word));
}
