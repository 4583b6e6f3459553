import type { SourceDocument, SourceRow } from '@drawbridge/records/document.ts';
import type { ReadColumn } from '../columns.ts';
import { isNear, isNumber, numberAt, numbersOf, shareOf, sumOf } from '../numbers.ts';
import { discountBeforeTax } from './discount-before-tax.ts';
import { type DocumentSums, hasTotal, headerNumber, provedMin, sumsOf } from './document-sums.ts';
import { amountOf, type LineDiscount, type LineProduct } from './line-product.ts';
import { taxedTotals } from './totals.ts';
import { type TotalBeforeDiscount, totalBeforeDiscount } from './totals-before-discount.ts';
import type { TriedColumns } from './tried-columns.ts';

/** A product of columns, and the share of lines or documents that it explains. */
export interface FoundProduct {
  readonly product: LineProduct;
  readonly share: number;
}

/** The product of quantity and price that explains most lines: by names, or where these say nothing by values alone. */
export function findProduct(
  documents: readonly SourceDocument[],
  lines: readonly ReadColumn[],
  tried: TriedColumns,
): FoundProduct | undefined {
  const rows = documents.flatMap(({ sections }) => sections.lines ?? []);
  const named = namedProduct(documents, rows, tried);
  const isProved = named !== undefined && named.share >= provedMin;
  const found = isProved ? named : (unnamedProduct(documents, rows, lines, tried) ?? named);
  if (found === undefined) return undefined;
  const { product, share } = found;
  const sums = tellingSums(documents, product);
  const discount =
    product.discount ??
    discountBeside(rows, product, tried.discounts) ??
    discountBeforeTax(sums, tried);
  return { product: { ...product, discount }, share };
}

/** The share of the lines whose amount a column has. */
export function shareOfAmounts(
  rows: readonly SourceRow[],
  product: LineProduct,
  amount: ReadColumn,
): number {
  const pairs = rows.flatMap((row) => {
    const expected = amountOf(row, product);
    const found = numberAt(row, amount);
    if (expected === undefined || found === undefined || (expected === 0 && found === 0)) return [];
    return [{ expected, found }];
  });
  return shareOf(pairs, ({ expected, found }) => isNear(Math.abs(expected), Math.abs(found)));
}

/**
 * What counts besides the share: a line may keep its amount before and after the discount, and with and without tax,
 * and so may the header: what tax is added to is what the lines come to.
 */
const bonuses = { ofTotals: 0.1, ofTaxed: 0.05, beforeTax: 0.05 } as const;

/** The product that fits best; the first of equal ones, in the order of the columns' names. */
function namedProduct(
  documents: readonly SourceDocument[],
  rows: readonly SourceRow[],
  { quantities, prices, discounts, amounts, headers, lineTaxes }: TriedColumns,
): FoundProduct | undefined {
  let best: (FoundProduct & { readonly score: number }) | undefined;
  const beforeTax = new Set(amountsBeforeTax(rows, amounts, lineTaxes));
  const taxed = taxedTotals(documents, headers);
  const before = totalBeforeDiscount(documents, headers, headers);
  const totals = headers.filter((one) => one !== before?.lines);
  for (const quantity of quantities) {
    for (const price of prices) {
      if (price === quantity) continue;
      for (const discount of [undefined, ...discountForms(discounts)]) {
        const product = { quantity, price, discount };
        const shares = amounts
          .filter((one) => one !== price && one !== discount?.column)
          .map((one) => ({ one, share: shareOfAmounts(rows, product, one) }));
        const byLine = Math.max(0, ...shares.map(({ share }) => share));
        const telling = tellingSums(documents, product);
        const byRest =
          before === undefined ? 0 : shareOf(telling, (sums) => makesTotal(sums, before));
        const byTotals = Math.max(shareOfTotals(telling, totals), byRest);
        const byTaxed = Math.max(shareOfTotals(telling, taxed), byRest);
        const share = Math.max(byLine, byTotals);
        const isBeforeTax = shares.some(
          (each) => each.share >= provedMin && beforeTax.has(each.one),
        );
        const score =
          share +
          bonuses.ofTotals * byTotals +
          bonuses.ofTaxed * byTaxed +
          nameBonus(product) +
          (isBeforeTax ? bonuses.beforeTax : 0);
        if (best === undefined || score > best.score + 1e-9) best = { product, share, score };
      }
    }
  }
  return best;
}

function discountForms(discounts: readonly ReadColumn[]): readonly LineDiscount[] {
  return discounts.flatMap((column): readonly LineDiscount[] => {
    if (numbersOf(column).every((value) => value <= 0)) return [{ column, form: 'negative' }];
    return (['percent', 'fraction', 'amount', 'piece'] as const).map((form) => ({ column, form }));
  });
}

function nameBonus({ price, quantity, discount }: LineProduct): number {
  const isPlain = price.words.has('price') && price.words.size <= 2 ? 0.03 : 0;
  const isQuantity = quantity.words.size === 1 ? 0.02 : 0;
  // A discount is believed only when it explains more than its absence does.
  return isPlain + isQuantity - (discount === undefined ? 0 : 0.01);
}

/** What the lines of documents come to by a product, where that is something. */
function tellingSums(
  documents: readonly SourceDocument[],
  product: LineProduct,
): readonly DocumentSums[] {
  return documents.map((document) => sumsOf(document, product)).filter(({ sum }) => sum !== 0);
}

/** The share of the documents of which one of the columns of the header has what the lines come to. */
function shareOfTotals(telling: readonly DocumentSums[], headers: readonly ReadColumn[]): number {
  const shares = headers.map((one) => shareOf(telling, (sums) => hasTotal(sums, one, sums.sum)));
  return Math.max(0, ...shares);
}

/** Whether lines make, with the tax beside it, the total that a discount was taken off before. */
function makesTotal(sums: DocumentSums, { tax, gross }: TotalBeforeDiscount): boolean {
  const [more, all] = [tax, gross].map((one) => Math.abs(headerNumber(sums, one) ?? 0));
  return isNear(Math.abs(sums.sum) + more!, all!, sums.rows.length);
}

/** Lines with tax that tell, at least. */
const taxedMin = 8;

/** Amounts of lines that, with the tax beside them, are another amount. */
function amountsBeforeTax(
  rows: readonly SourceRow[],
  amounts: readonly ReadColumn[],
  taxes: readonly ReadColumn[],
): readonly ReadColumn[] {
  return amounts.filter((net) =>
    taxes.some((tax) => {
      const taxed = rows.filter((row) => (numberAt(row, tax) ?? 0) !== 0);
      const isSum = (row: SourceRow, gross: ReadColumn) => {
        const [before, more, all] = [net, tax, gross].map((one) => numberAt(row, one) ?? 0);
        return before !== 0 && isNear(before! + more!, all!);
      };
      return (
        taxed.length >= taxedMin && amounts.some((gross) => taxed.every((row) => isSum(row, gross)))
      );
    }),
  );
}

/** Limits of a product that names do not tell: by chance a few lines always fit. */
const unnamed = { columnsMax: 20, shareMin: 0.95, linesMin: 8 } as const;

/**
 * The product that values alone prove, where names say nothing: of two columns whose product is a third. Of the
 * two the price is the one that items have in common, and that has digits after the point.
 */
function unnamedProduct(
  documents: readonly SourceDocument[],
  rows: readonly SourceRow[],
  lines: readonly ReadColumn[],
  { likelyDiscounts, headers }: TriedColumns,
): FoundProduct | undefined {
  const numbers = lines
    .filter(
      (one) =>
        !one.isKey &&
        !one.isJoined &&
        one.values.length > 0 &&
        one.values.every(isNumber) &&
        new Set(one.values).size > 2 &&
        !areRowNumbers(one),
    )
    .slice(0, unnamed.columnsMax);
  let best: (FoundProduct & { readonly score: number }) | undefined;
  for (const [at, one] of numbers.entries()) {
    for (const other of numbers.slice(at + 1)) {
      const [quantity, price] = wholeness(one) >= wholeness(other) ? [one, other] : [other, one];
      for (const discount of [undefined, ...discountForms(likelyDiscounts)]) {
        const product = { quantity, price, discount };
        for (const amount of numbers) {
          if (amount === one || amount === other || amount === discount?.column) continue;
          const share = tellingShare(rows, product, amount);
          if (share < unnamed.shareMin) continue;
          const score =
            share +
            bonuses.ofTotals * shareOfTotals(tellingSums(documents, product), headers) -
            (discount === undefined ? 0 : 0.01);
          if (score > (best?.score ?? 0)) best = { product, share, score };
        }
      }
    }
  }
  return best;
}

/** Lines that show that each has a number of its own, at least. */
const numberedMin = 20;

/** Whole numbers of which no two are alike, as those of the rows are. */
function areRowNumbers({ values }: ReadColumn): boolean {
  const areWhole = values.every((value) => Number.isInteger(Number(value)));
  return areWhole && values.length >= numberedMin && new Set(values).size === values.length;
}

/** The share of values that are small whole numbers, as quantities are. */
function wholeness(column: ReadColumn): number {
  const numbers = numbersOf(column);
  const whole = shareOf(numbers, (value) => Number.isInteger(value));
  const size = sumOf(numbers, Math.abs) / numbers.length;
  return whole - Math.log10(1 + size) / 20;
}

/** The share of lines that a product explains, of those in which neither factor is 0 or 1. */
function tellingShare(
  rows: readonly SourceRow[],
  product: LineProduct,
  amount: ReadColumn,
): number {
  let all = 0;
  let right = 0;
  for (const row of rows) {
    const factors = [product.quantity, product.price].map((one) =>
      Math.abs(numberAt(row, one) ?? 0),
    );
    const expected = amountOf(row, product);
    const found = numberAt(row, amount);
    if (expected === undefined || found === undefined || factors.some((one) => one <= 1)) continue;
    all += 1;
    if (isNear(Math.abs(expected), Math.abs(found))) right += 1;
    else if (all - right > rows.length * (1 - unnamed.shareMin)) return 0;
  }
  return all < unnamed.linesMin ? 0 : right / all;
}

/** Lines with a discount that prove where it is taken off, at least. */
const discountedMin = 5;

/**
 * A percentage that, of quantity × price, is an amount of discount beside it: the amount of the line is before that
 * discount. Of a price that it is off already it would be another amount.
 */
function discountBeside(
  rows: readonly SourceRow[],
  product: LineProduct,
  discounts: readonly ReadColumn[],
): LineDiscount | undefined {
  const percent = discounts.find((column) => {
    const discounted = rows.filter((row) => (numberAt(row, column) ?? 0) !== 0);
    const isShareOf = (row: SourceRow, amount: ReadColumn) => {
      const expected = ((amountOf(row, product) ?? 0) * (numberAt(row, column) ?? 0)) / 100;
      return isNear(Math.abs(expected), Math.abs(numberAt(row, amount) ?? 0));
    };
    return (
      discounted.length >= discountedMin &&
      discounts.some(
        (amount) =>
          amount !== column && shareOf(discounted, (row) => isShareOf(row, amount)) >= provedMin,
      )
    );
  });
  return percent === undefined ? undefined : { column: percent, form: 'percent' };
}
