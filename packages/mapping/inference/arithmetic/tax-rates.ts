import type { SourceRow } from '@drawbridge/records/document.ts';
import { isTaxAmount, type ReadColumn } from '../columns.ts';
import { areFractions, numberAt, numbersOf, shareOf, sumOf, taxRateMax } from '../numbers.ts';
import { type DocumentSums, hasTotal, headerNumber, provedMin } from './document-sums.ts';
import type { TotalKind } from './totals.ts';

/** A rate of the lines, and the total of the header that it makes of their amounts. */
export interface RatedTotal {
  readonly rate: ReadColumn;
  readonly total: ReadColumn;
  readonly kind: 'tax' | 'gross';
}

/** Of a rate that makes a total: documents that tell, and the share of them, at least; different rates, at most. */
const rated = { documentsMin: 3, shareMin: 0.95, ratesMax: 8 } as const;

/** A rate and a total that it makes: the amounts of the lines times the rate are that total, or are in it. */
export function ratedTotal(
  documents: readonly DocumentSums[],
  lines: readonly ReadColumn[],
  headers: readonly ReadColumn[],
  totals: ReadonlyMap<ReadColumn, TotalKind>,
): RatedTotal | undefined {
  if (documents.length < rated.documentsMin) return undefined;
  const rates = lines.filter(
    (one) => !one.isKey && areRates(one) && new Set(one.values).size <= rated.ratesMax,
  );
  for (const rate of rates) {
    const taxOf = ({ rows, amounts }: DocumentSums) =>
      sumOf(amounts, (amount, at) => amount * (rateFactor(rows[at]!, rate) - 1));
    for (const total of headers) {
      const known = totals.get(total);
      if (known !== undefined && known !== 'tax' && known !== 'gross') continue;
      for (const kind of ['tax', 'gross'] as const) {
        const share = shareOf(documents, (sums) =>
          hasTotal(sums, total, taxOf(sums) + (kind === 'gross' ? sums.sum : 0)),
        );
        if (share >= rated.shareMin) return { rate, total, kind };
      }
    }
  }
  return undefined;
}

/** Documents of which a rate gives the tax, for it to be one at all. */
const partialMin = 0.15;

/** Rates that give the tax of some documents, and not of others. */
export function partialRates(
  documents: readonly DocumentSums[],
  headers: readonly ReadColumn[],
  columns: readonly ReadColumn[],
): readonly ReadColumn[] {
  const isOne = ({ values }: ReadColumn) => new Set(values).size === 1;
  const rates = columns.filter(
    (one) =>
      (one.column.section === 'lines' || isOne(one)) &&
      one.column.section !== 'header' &&
      areRates(one),
  );
  const totals = headers.filter(isTaxAmount);
  return rates.filter((rate) => {
    const factorOf = (row: SourceRow) =>
      rate.column.section === 'lines'
        ? rateFactor(row, rate)
        : factorOfRate(numbersOf(rate)[0]!, rate);
    const taxOf = ({ rows, amounts }: DocumentSums) =>
      sumOf(amounts, (amount, at) => amount * (factorOf(rows[at]!) - 1));
    return totals.some((total) => {
      const share = shareOf(
        documents,
        (sums) => headerNumber(sums, total) !== 0 && hasTotal(sums, total, taxOf(sums)),
      );
      return share >= partialMin && share < provedMin;
    });
  });
}

function areRates(column: ReadColumn): boolean {
  const rates = numbersOf(column);
  const mayBeRate = (rate: number) => rate >= 0 && rate <= taxRateMax;
  return rates.every(mayBeRate) && rates.some((rate) => rate > 0);
}

/** What an amount without tax is multiplied by: 1.2 for a rate of 20 % that is written 20 or 0.2. */
export function rateFactor(row: SourceRow, rate: ReadColumn): number {
  return factorOfRate(numberAt(row, rate) ?? 0, rate);
}

function factorOfRate(rate: number, { values }: ReadColumn): number {
  return 1 + (areFractions(values) ? rate : rate / 100);
}
