import type { SourceDocument } from '@drawbridge/records/document.ts';
import { readingSteps } from '../samples.ts';
import { isAmountOff } from './arithmetic/line-product.ts';
import type { Arithmetic } from './arithmetic.ts';
import { byValues, type Candidate } from './candidate.ts';
import type { ReadColumn } from './columns.ts';

const shareMin = 0.9;
/** Documents that prove something, at least. */
const documentsMin = 3;

/** Columns that the sums prove to be what they are, whatever they are called. */
export function provedBySums(
  sums: Arithmetic,
  documents: readonly SourceDocument[],
): readonly Candidate[] {
  if (sums.share < shareMin || documents.length < documentsMin) return [];
  const found: Candidate[] = [];
  const add = (target: string, column: ReadColumn | undefined, why: string) => {
    if (column !== undefined)
      found.push(byValues(target, column, 0.8, why, readingSteps(column.values)));
  };
  const product = 'Quantity × price gives the amounts.';
  add('lines[].qty', sums.quantity, product);
  add('lines[].unit_price', sums.price, product);
  for (const column of sums.lineAmounts) add('lines[].net', column, product);
  if (sums.discount !== undefined) {
    const kind = isAmountOff(sums.discount) ? 'amount' : 'percent';
    add(`lines[].allowances[].${kind}`, sums.discount.column, product);
  }
  add('lines[].tax.rate', sums.taxRate, 'Times the amounts of the lines it gives the tax.');
  for (const [column, kind] of sums.totals) {
    // What an order comes to is that of the document only where tax shows it.
    if (kind === 'lines' && column.column.section !== 'header') continue;
    const target = {
      net: 'totals.net',
      lines: 'totals.net',
      tax: 'totals.tax',
      gross: 'totals.gross',
    }[kind];
    add(target, column, 'The sums of the sample documents show it.');
  }
  return found;
}
