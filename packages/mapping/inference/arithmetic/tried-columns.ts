import { isDayNumber } from '../../calendar.ts';
import { writtenWords } from '../../words.ts';
import { isTaxAmount, type ReadColumn } from '../columns.ts';
import { countNotZero, isNotZero, isNumber, numbersOf } from '../numbers.ts';

/** Columns of numbers by what they may be, as names and values say. */
export interface TriedColumns {
  readonly quantities: readonly ReadColumn[];
  readonly prices: readonly ReadColumn[];
  /** Of lines, named for a discount or a percentage. */
  readonly discounts: readonly ReadColumn[];
  /** Those, or where there are none columns whose values may be percentages of discount. */
  readonly likelyDiscounts: readonly ReadColumn[];
  /** Amounts of lines. */
  readonly amounts: readonly ReadColumn[];
  /** Amounts of tax of lines. */
  readonly lineTaxes: readonly ReadColumn[];
  /** Columns of the header that may be totals. */
  readonly headers: readonly ReadColumn[];
  /** Columns of the header with charges, which may be the same in all documents. */
  readonly charges: readonly ReadColumn[];
}

/** Columns that are tried with each other, at most: each combination is a pass over all lines. */
const triedMax = {
  quantities: 8,
  prices: 12,
  discounts: 6,
  amounts: 40,
  headers: 60,
  taxes: 3,
} as const;

/** The columns among which the sums look for quantities, prices, discounts, amounts and totals. */
export function triedColumns(columns: readonly ReadColumn[]): TriedColumns {
  const lines = columns.filter(({ column }) => column.section === 'lines').sort(byPlainName);
  const numbers = lines.filter(hasNumbers);
  const quantities = quantitiesOf(numbers);
  const discounts = numbers
    .filter(
      ({ words, values, column }) =>
        (words.has('discount') || (words.has('percent') && !words.has('tax'))) &&
        !noDiscount.test(column.column) &&
        values.some(isNotZero),
    )
    .sort((one, other) => countNotZero(other) - countNotZero(one))
    .slice(0, triedMax.discounts);
  const likelyDiscounts = discounts.length > 0 ? discounts : lines.filter(mayBeDiscount);
  const totals = totalsOf(columns);
  // 3 and 1 are 4 in any number of documents.
  const differing = totals.filter(({ values }) => new Set(values).size > 1);
  return {
    quantities,
    prices: pricesOf(numbers),
    discounts,
    likelyDiscounts: likelyDiscounts.slice(0, triedMax.discounts),
    amounts: numbers
      .filter(
        (one) =>
          !quantities.includes(one) &&
          !one.words.has('id') &&
          !one.words.has('tax') &&
          !isCost(one) &&
          one.values.some(isNotZero),
      )
      .slice(0, triedMax.amounts),
    lineTaxes: numbers.filter(isTaxAmount).slice(0, triedMax.taxes),
    headers: differing.length > 0 ? differing : totals,
    charges: totals.filter(({ words }) => words.has('charge') || words.has('delivery')),
  };
}

/** What is before a discount is none: `TotalNoDisc`. */
const noDiscount = /(no|non|without|before|pre|excl)_?(the_?|line_?)?disc/i;

/**
 * Of columns that the sums prove alike the one with the plainest name is tried first, which then is
 * taken: `qty`, not `stock_qty`.
 */
function byPlainName({ column: one }: ReadColumn, { column: other }: ReadColumn): number {
  return writtenWords(one.column).length - writtenWords(other.column).length;
}

function hasNumbers({ values }: ReadColumn): boolean {
  return values.length > 0 && values.every(isNumber);
}

function isCost({ words }: ReadColumn): boolean {
  return words.has('cost') || words.has('created');
}

function quantitiesOf(numbers: readonly ReadColumn[]): readonly ReadColumn[] {
  const counted = numbers.filter(
    (one) =>
      one.words.has('quantity') && !isCost(one) && numbersOf(one).some((value) => value !== 0),
  );
  // What was delivered is what is billed where the amounts say so; otherwise it may be of another document.
  const isDelivered = ({ words }: ReadColumn) => words.has('delivery');
  const ordered = counted.filter((one) => !isDelivered(one));
  return [...ordered, ...counted.filter(isDelivered)].slice(0, triedMax.quantities);
}

const priceWords = ['price', 'rate', 'cost', 'amount'];

function pricesOf(numbers: readonly ReadColumn[]): readonly ReadColumn[] {
  const hasPrice = numbers.some(({ words }) => words.has('price'));
  return numbers
    .filter(
      (one) =>
        priceWords.some((word) => one.words.has(word)) &&
        !one.words.has('tax') &&
        // Where nothing else is a price, what a piece costs is it.
        (!isCost(one) || (!hasPrice && one.words.size === 1)) &&
        !one.words.has('discount') &&
        !one.words.has('total') &&
        // Factors of 1 prove nothing.
        numbersOf(one).some((value) => Math.abs(value) !== 1 && value !== 0),
    )
    .slice(0, triedMax.prices);
}

/** Percents that some lines have and others have not, a few different ones. */
function mayBeDiscount(column: ReadColumn): boolean {
  const different = new Set(column.values);
  const numbers = numbersOf(column);
  return (
    !column.isKey &&
    !column.isJoined &&
    different.size > 1 &&
    different.size <= 8 &&
    numbers.every((value) => value >= 0 && value < 100) &&
    numbers.includes(0)
  );
}

/** Totals of the header, and those of its order where it keeps no tax of its own. */
function totalsOf(columns: readonly ReadColumn[]): readonly ReadColumn[] {
  const own = columns.filter((one) => one.column.section === 'header' && mayBeTotal(one));
  const ofOrder = own.some(isTaxAmount) ? [] : columns.filter(isOfOrder).filter(mayBeTotal);
  return [...own, ...ofOrder].slice(0, triedMax.headers);
}

function mayBeTotal(one: ReadColumn): boolean {
  return (
    hasNumbers(one) &&
    !one.isKey &&
    !areDays(one.values) &&
    !areRecordNumbers(one.values) &&
    one.values.some(isNotZero)
  );
}

/** Of the order that a document is made of: its totals are those of the document, where the lines are the order's. */
function isOfOrder({ column, context }: ReadColumn): boolean {
  return column.section.startsWith('header_') && context.has('order');
}

/** Moments and days: of two that are close, one is the other and a little more, as a total is with tax. */
function areDays(values: readonly string[]): boolean {
  return values.every((value) => isDayNumber(value.trim()));
}

/** Numbers of records, of which any two are alike but for their last digits. */
function areRecordNumbers(values: readonly string[]): boolean {
  return values.every((value) => /^\d{10,}$/.test(value.trim()));
}
