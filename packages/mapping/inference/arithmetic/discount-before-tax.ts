import type { SourceRow } from '@drawbridge/records/document.ts';
import { isTaxAmount, type ReadColumn } from '../columns.ts';
import { isNear, numberAt, numbersOf, shareOf, sumOf } from '../numbers.ts';
import { type DocumentSums, headerNumber, provedMin } from './document-sums.ts';
import type { LineDiscount } from './line-product.ts';
import type { TriedColumns } from './tried-columns.ts';

/** Lines, or documents, with a discount that prove that it is taken off, at least. */
const discountedMin = { lines: 5, documents: 3 } as const;

/**
 * An amount of discount that is still to be taken off quantity × price, though a column has that product: only what is
 * left makes, with the tax beside it, the total of the line or of the document. `documents` are summed up without it.
 */
export function discountBeforeTax(
  documents: readonly DocumentSums[],
  { discounts, amounts, lineTaxes, headers }: TriedColumns,
): LineDiscount | undefined {
  const column = discounts.find(
    (one) =>
      isTakenOffLines(one, documents, amounts, lineTaxes) ||
      isTakenOffDocuments(one, documents, headers),
  );
  if (column === undefined) return undefined;
  const isNegative = numbersOf(column).every((value) => value <= 0);
  return { column, form: isNegative ? 'negative' : 'amount' };
}

/** What a line comes to, what is to be taken off it, and what shows it. */
interface Discounted<T> {
  readonly of: T;
  readonly amount: number;
  readonly discount: number;
}

function isTakenOffLines(
  column: ReadColumn,
  documents: readonly DocumentSums[],
  amounts: readonly ReadColumn[],
  taxes: readonly ReadColumn[],
): boolean {
  const lines = documents.flatMap(({ rows, amounts: all }) =>
    rows.map((of, at) => ({ of, amount: all[at]!, discount: numberAt(of, column) ?? 0 })),
  );
  return taxes.some((tax) =>
    amounts.some(
      (gross) =>
        gross !== column &&
        isTakenOff(lines, discountedMin.lines, (row: SourceRow) => ({
          tax: numberAt(row, tax) ?? 0,
          gross: numberAt(row, gross) ?? 0,
        })),
    ),
  );
}

function isTakenOffDocuments(
  column: ReadColumn,
  documents: readonly DocumentSums[],
  headers: readonly ReadColumn[],
): boolean {
  const all = documents.map((of) => ({
    of,
    amount: of.sum,
    discount: sumOf(of.rows, (row) => numberAt(row, column) ?? 0),
  }));
  return headers.filter(isTaxAmount).some((tax) =>
    headers.some(
      (gross) =>
        gross !== tax &&
        isTakenOff(all, discountedMin.documents, (sums: DocumentSums) => ({
          tax: headerNumber(sums, tax) ?? 0,
          gross: headerNumber(sums, gross) ?? 0,
        })),
    ),
  );
}

/** Whether amounts make, with tax, the totals once the discount is off, and as good as never before. */
function isTakenOff<T>(
  all: readonly Discounted<T>[],
  countMin: number,
  totalsIn: (of: T) => { readonly tax: number; readonly gross: number },
): boolean {
  const discounted = all.filter(({ amount, discount }) => amount !== 0 && discount !== 0);
  if (discounted.length < countMin) return false;
  const isSum = ({ of, amount }: Discounted<T>, off: number) => {
    const { tax, gross } = totalsIn(of);
    return isNear(Math.abs(amount) - off + Math.abs(tax), Math.abs(gross));
  };
  const share = shareOf(discounted, (one) => isSum(one, Math.abs(one.discount)));
  const shareBefore = shareOf(discounted, (one) => isSum(one, 0));
  const isTaxed = discounted.some(({ of }) => totalsIn(of).tax !== 0);
  return isTaxed && share >= provedMin && shareBefore <= 1 - provedMin;
}
