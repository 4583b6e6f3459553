import type { SourceDocument, SourceRow } from '@drawbridge/records/document.ts';
import { areCents } from './arithmetic/cents.ts';
import { type DocumentSums, hasTotal, provedMin, sumsOf } from './arithmetic/document-sums.ts';
import type { LineDiscount, LineProduct } from './arithmetic/line-product.ts';
import { type PriceTax, priceTax, taxColumns } from './arithmetic/price-tax.ts';
import { findProduct, shareOfAmounts } from './arithmetic/product-search.ts';
import { partialRates, ratedTotal } from './arithmetic/tax-rates.ts';
import { type TotalKind, totalsOf, totalsOfLineTaxes } from './arithmetic/totals.ts';
import { triedColumns } from './arithmetic/tried-columns.ts';
import type { ReadColumn } from './columns.ts';
import { numberAt, shareOf, sumOf } from './numbers.ts';
import { isRemainder } from './remainders.ts';

/** What the sums of the sample documents say. Columns are those of the lines unless a section is named. */
export interface Arithmetic {
  /** Quantity × price, less the discount, is a column of the line or sums up to one of the header. */
  readonly quantity: ReadColumn | undefined;
  readonly price: ReadColumn | undefined;
  readonly discount: LineDiscount | undefined;
  /** The share of lines or documents for which that holds. */
  readonly share: number;
  /** Columns with the amount of a line: as quantity × price gives it. */
  readonly lineAmounts: readonly ReadColumn[];
  /** Discounts that are in the price already. */
  readonly idleDiscounts: readonly ReadColumn[];
  /** Lines have discounts, and no sum says whether they are still to be taken off. */
  readonly isDiscountOpen: boolean;
  readonly tax: PriceTax;
  /** A column of the lines that, times their amounts, gives the tax of the header. */
  readonly taxRate: ReadColumn | undefined;
  /** Rates that give the tax of some documents, and not of others. */
  readonly partialRates: readonly ReadColumn[];
  /** Amounts are kept in the smallest coin: 1250 is 12.50. */
  readonly isInCents: boolean;
  /** Header columns by what they are the sum of; a column in none of them is something else. */
  readonly totals: ReadonlyMap<ReadColumn, TotalKind>;
}

/** Documents that sums are compared of, at most. */
const documentsMax = 60;

/** Checks prices, discounts and totals against each other. */
export function findArithmetic(
  all: readonly ReadColumn[],
  documents: readonly SourceDocument[],
): Arithmetic {
  const columns = all.filter((one) => !isRemainder(one, all));
  const lines = columns.filter(({ column }) => column.section === 'lines');
  const read = documents
    .slice(0, documentsMax)
    .filter(({ sections }) => (sections.lines ?? []).length > 0);
  const tried = triedColumns(columns);
  const found = findProduct(read, lines, tried);
  if (found === undefined) return nothing;
  const { product, share } = found;
  const isProved = share >= provedMin;
  const sums = read.map((document) => sumsOf(document, product));
  const telling = sums.filter(({ sum }) => sum !== 0);
  const { amounts, discounts, headers, charges } = tried;
  const taxes = taxColumns(columns, headers);
  const named = totalsOf(telling, headers, charges);
  const rated = ratedTotal(telling, lines, headers, named);
  const totals = new Map(named);
  for (const [column, kind] of totalsOfLineTaxes(telling, headers, taxes.amounts)) {
    if (!totals.has(column)) totals.set(column, kind);
  }
  if (rated !== undefined && !totals.has(rated.total)) totals.set(rated.total, rated.kind);
  const tax = priceTax(sums, headers, taxes, columns);
  if (tax.kind === 'included' && tax.net !== undefined && !totals.has(tax.net)) {
    totals.set(tax.net, 'net');
  }
  const rows = sums.flatMap((one) => one.rows);
  const isTaxedTotalSeen = [...totals.values()].some((kind) => kind !== 'lines');
  const isDiscountOpen =
    product.discount === undefined && !isTaxedTotalSeen && areDiscountsOpen(discounts, rows);
  const isIdle = isProved && !isDiscountOpen;
  const lineAmounts = amounts.filter(
    (one) =>
      one !== product.price &&
      shareOfAmounts(rows, product, one) >= provedMin &&
      !isBeforeDiscount(one, rows, product),
  );
  const summed = lineAmounts.filter((one) => isSummed(one, telling, totals));
  return {
    ...product,
    isDiscountOpen,
    share,
    lineAmounts: summed.length > 0 ? summed : lineAmounts,
    idleDiscounts: isIdle ? discounts.filter((one) => one !== product.discount?.column) : [],
    tax,
    taxRate: rated?.rate,
    partialRates: rated === undefined ? partialRates(telling, headers, columns) : [],
    isInCents: isProved && areCents(product.price, totals, columns, tried.lineTaxes),
    totals,
  };
}

/** Whether the amounts of the lines come to a total of the header that tax is added to. */
function isSummed(
  amount: ReadColumn,
  documents: readonly DocumentSums[],
  totals: ReadonlyMap<ReadColumn, TotalKind>,
): boolean {
  return [...totals].some(([total, kind]) => {
    if (kind !== 'net' && kind !== 'lines') return false;
    const isSum = (sums: DocumentSums) =>
      hasTotal(
        sums,
        total,
        sumOf(sums.rows, (row) => numberAt(row, amount) ?? 0),
      );
    return shareOf(documents, isSum) >= summedMin;
  });
}

/** Documents to whose total the amounts of the lines come, of all, at least. */
const summedMin = 0.95;

/**
 * Whether nothing tells where discounts are taken off: one that a line says twice, as a percentage and an amount, would
 * be a share of what the line comes to if it were still to be.
 */
function areDiscountsOpen(discounts: readonly ReadColumn[], rows: readonly SourceRow[]): boolean {
  const named = discounts.filter(({ words }) => words.has('discount'));
  const isSaidTwice = (row: SourceRow) => {
    const said = named.filter((one) => (numberAt(row, one) ?? 0) !== 0);
    return new Set(said.map(({ words }) => words.has('percent'))).size > 1;
  };
  return named.length > 0 && !rows.some(isSaidTwice);
}

/** Whether it is the amount of lines without a discount only: of others it is what they were before. */
function isBeforeDiscount(
  amount: ReadColumn,
  rows: readonly SourceRow[],
  product: LineProduct,
): boolean {
  const { discount } = product;
  if (discount === undefined) return false;
  const discounted = rows.filter((row) => (numberAt(row, discount.column) ?? 0) !== 0);
  return discounted.length > 0 && shareOfAmounts(discounted, product, amount) < provedMin;
}

const nothing: Arithmetic = {
  quantity: undefined,
  price: undefined,
  discount: undefined,
  share: 0,
  lineAmounts: [],
  idleDiscounts: [],
  isDiscountOpen: false,
  tax: { kind: 'unknown', isTaxSeen: true },
  taxRate: undefined,
  partialRates: [],
  isInCents: false,
  totals: new Map(),
};
