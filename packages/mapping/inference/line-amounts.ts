import type { SourceDocument } from '@drawbridge/records/document.ts';
import type { ReadColumn } from './columns.ts';

/** Pairs of lines with the same item and other quantities that tell, at least. */
const pairsMin = 5;
const shareMin = 0.8;
/** Different items, at least. */
const itemsMin = 3;
/** Lines with each item on average, at least: a column with fewer is no item. */
const repeatsMin = 1.5;

/**
 * Whether an amount of the lines is the price of one rather than of all: it is more alike, from line to line with the
 * same item, than that amount divided by the quantity. Undefined where too few lines tell.
 */
export function isAmountOfOne(
  amount: ReadColumn,
  known: readonly ReadColumn[],
  documents: readonly SourceDocument[],
): boolean | undefined {
  const lines = known.filter(({ column }) => column.section === 'lines');
  const quantity = lines.find(({ words }) => words.has('quantity'))?.column.column;
  const item = lines.find(
    ({ words, values }) =>
      words.has('item') &&
      !words.has('line') &&
      new Set(values).size >= itemsMin &&
      new Set(values).size <= values.length / repeatsMin,
  )?.column.column;
  if (quantity === undefined || item === undefined) return undefined;
  const byItem = Map.groupBy(
    documents
      .flatMap(({ sections }) => sections.lines ?? [])
      .flatMap(({ values }) => {
        const line = {
          item: values[item] ?? '',
          quantity: Number(values[quantity] ?? 0),
          amount: Number(values[amount.column.column] ?? 0),
        };
        return line.item !== '' && line.quantity !== 0 && line.amount !== 0 ? [line] : [];
      }),
    (line) => line.item,
  );
  let ofOne = 0;
  let ofAll = 0;
  for (const same of byItem.values()) {
    for (const [at, line] of same.entries()) {
      const next = same[at + 1];
      if (next === undefined || next.quantity === line.quantity) continue;
      const asOne = distance(line.amount, next.amount);
      const asAll = distance(line.amount / line.quantity, next.amount / next.quantity);
      if (asOne < asAll) ofOne += 1;
      else if (asAll < asOne) ofAll += 1;
    }
  }
  const pairs = ofOne + ofAll;
  if (pairs < pairsMin) return undefined;
  if (ofOne / pairs >= shareMin) return true;
  return ofAll / pairs >= shareMin ? false : undefined;
}

function distance(one: number, other: number): number {
  return Math.abs(Math.log(Math.abs(one / other)));
}
