import type { SourceDocument } from '@drawbridge/records/document.ts';
import { isTaxAmount, type ReadColumn } from '../columns.ts';
import { isNear } from '../numbers.ts';
import { totalAt } from './document-sums.ts';

/** What lines come to where a discount or a charge, and then tax, make the total of it. */
export interface TotalBeforeDiscount {
  /** Neither the net total nor, in the documents with such a discount, that with tax. */
  readonly lines: ReadColumn;
  readonly tax: ReadColumn;
  readonly gross: ReadColumn;
}

/**
 * Documents with a discount that tell, at least, what share it is at most, how many may be otherwise, of all, and how
 * many different totals there are, at least.
 */
const told = { discountedMin: 3, shareMax: 0.5, othersMax: 0.05, totalsMin: 4 } as const;

/** What is added to or taken from a total after tax, so that tax was not counted of it. */
const afterTax = ['tax', 'rounding', 'payment', 'paid', 'prepaid', 'balance', 'due'];

/**
 * A total of the lines to which tax is not added as it stands: it makes the total with tax only with a further column,
 * which is a discount where it is taken off, or a charge. `totals` are those that may be without tax.
 */
export function totalBeforeDiscount(
  documents: readonly SourceDocument[],
  headers: readonly ReadColumn[],
  totals: readonly ReadColumn[],
): TotalBeforeDiscount | undefined {
  const numbers = new Map(
    headers.map((one) => [one, documents.map((document) => totalAt(document, one))]),
  );
  // A year beside a number of the year is what it is with nothing added.
  const isTelling = ({ values }: ReadColumn) => new Set(values).size >= told.totalsMin;
  const likely = headers.filter(isTelling);
  const taxes = headers.filter(isTaxAmount);
  const changes = headers.filter(({ words }) => !afterTax.some((word) => words.has(word)));
  for (const lines of totals.filter(isTelling)) {
    for (const tax of taxes) {
      for (const gross of likely) {
        if (lines === gross || tax === gross || lines === tax) continue;
        const isChanged = changes
          .filter((one) => one !== lines && one !== tax && one !== gross)
          .some((change) => {
            const [before, more, all, by] = [lines, tax, gross, change].map(
              (one) => numbers.get(one) ?? [],
            );
            return isMadeByChange(before!, more!, all!, by!);
          });
        if (isChanged) return { lines, tax, gross };
      }
    }
  }
  return undefined;
}

type Numbers = readonly (number | undefined)[];

/** Whether amounts, changed and with tax, are the totals, in some documents with a change and in nearly all others. */
function isMadeByChange(before: Numbers, tax: Numbers, total: Numbers, by: Numbers): boolean {
  const othersMax = before.length * told.othersMax;
  let others = 0;
  let changed = 0;
  let taxed = 0;
  for (const [at, amount] of before.entries()) {
    const [more, all, change = 0] = [tax[at], total[at], by[at]];
    if (amount === undefined || more === undefined || all === undefined) others += 1;
    else if (Math.abs(change) > Math.abs(amount) * told.shareMax) others += 1;
    else if (change === 0) others += isNear(amount + more, all) ? 0 : 1;
    else if (isNear(amount - Math.abs(change) + more, all) || isNear(amount + change + more, all)) {
      changed += 1;
    } else others += 1;
    if (more !== undefined && more !== 0) taxed += 1;
    if (others > othersMax) return false;
  }
  return changed >= told.discountedMin && taxed > 0;
}
