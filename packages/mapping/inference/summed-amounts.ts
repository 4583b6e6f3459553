import type { SourceDocument, SourceRow } from '@drawbridge/records/document.ts';
import type { MappingField } from '../mapping.ts';
import { provedMin } from './arithmetic/document-sums.ts';
import type { Arithmetic } from './arithmetic.ts';
import { byValues, type Candidate, reviewedMax } from './candidate.ts';
import type { ReadColumn } from './columns.ts';
import { isNear, isNotZero, numberOrZeroAt, shareOf, sumOf } from './numbers.ts';

/** Documents whose lines have to come to their total, at least, and their share. */
const documentsMin = 4;
const shareMin = 0.9;
/** Columns of numbers that are tried, at most. */
const columnsMax = 60;

/**
 * The amount of a line where no price is kept, or none that makes it: over the lines of a document it comes to the total
 * without tax. Undefined where none or several do, or where the sums prove a price.
 */
export function summedAmount(
  known: readonly ReadColumn[],
  documents: readonly SourceDocument[],
  sums: Arithmetic | undefined,
): ReadColumn | undefined {
  const lines = known.filter(({ column }) => column.section === 'lines');
  if (arePriced(lines) && (sums === undefined || sums.share >= provedMin)) return undefined;
  const mayBeAmount = (one: ReadColumn) =>
    !one.isKey && areNumbers(one) && one.values.some(isNotZero);
  const numbers = known
    .filter((one) => one.column.section === 'header' && mayBeAmount(one))
    .slice(0, columnsMax);
  const taxes = numbers.filter(({ words }) => words.has('tax'));
  const totals = numbers.filter((one) => !taxes.includes(one));
  const telling = documents.filter(({ sections }) => (sections.lines ?? []).length > 1);
  if (telling.length < documentsMin) return undefined;
  const holds = (amount: ReadColumn, totalOf: (row: SourceRow) => number) =>
    shareOf(telling, ({ sections }) => {
      const rows = sections.lines ?? [];
      const sum = sumOf(rows, (row) => numberOrZeroAt(row, amount));
      const total = sections.header?.[0] === undefined ? 0 : totalOf(sections.header[0]);
      return sum !== 0 && isNear(Math.abs(sum), Math.abs(total), rows.length);
    }) >= shareMin;
  const isNet = (amount: ReadColumn) =>
    totals.some((total) => {
      if (taxes.length === 0) return holds(amount, (row) => numberOrZeroAt(row, total));
      return taxes.some(
        (tax) =>
          holds(amount, (row) => numberOrZeroAt(row, total) - numberOrZeroAt(row, tax)) ||
          (holds(amount, (row) => numberOrZeroAt(row, total)) &&
            totals.some((gross) =>
              holds(amount, (row) => numberOrZeroAt(row, gross) - numberOrZeroAt(row, tax)),
            )),
      );
    });
  const found = lines
    .filter((one) => !one.words.has('tax') && mayBeAmount(one))
    .slice(0, columnsMax)
    .filter(isNet);
  return found.length === 1 ? found[0] : undefined;
}

/** Whether a column of the lines is named for a price. */
function arePriced(lines: readonly ReadColumn[]): boolean {
  return lines.some(({ words }) => words.has('price') || words.has('rate') || words.has('cost'));
}

/** Less than a price that is named so and may be the right one, and more than one that the sums do not prove. */
const besidePrice = 0.76;

/** The price of one: that amount, divided by the quantity where there is one. */
export function priceOfAmount(
  amount: ReadColumn,
  known: readonly ReadColumn[],
): readonly Candidate[] {
  const quantities = quantitiesOf(known);
  if (quantities.length > 1) return [];
  const [quantity] = quantities;
  const why = 'Over its lines it comes to the total without tax of each document.';
  const isPriced = arePriced(known.filter(({ column }) => column.section === 'lines'));
  return quantity === undefined
    ? [byValues('lines[].unit_price', amount, reviewedMax, `${why} No quantity is kept.`)]
    : [
        byValues(
          'lines[].unit_price',
          amount,
          isPriced ? besidePrice : reviewedMax,
          `${why} It is divided by the quantity.`,
          [
            { kind: 'divide', by: { column: quantity.column.column } },
            { kind: 'round', places: 6 },
          ],
        ),
      ];
}

/** A quantity of one, where lines keep an amount and no quantity. */
export function loneQuantity(
  amount: ReadColumn,
  known: readonly ReadColumn[],
  chosen: readonly MappingField[],
): MappingField | undefined {
  const price = chosen.find(({ target }) => target === 'lines[].unit_price');
  const isOfAmount = price?.from?.section === 'lines' && price.from.column === amount.column.column;
  const isTold = chosen.some(({ target }) => target === 'lines[].qty');
  if (!isOfAmount || isTold || quantitiesOf(known).length > 0) return undefined;
  return {
    target: 'lines[].qty',
    value: '1',
    status: 'proposed',
    confidence: 0.75,
    reason: 'Lines keep no quantity, and their amounts come to the totals.',
  };
}

function quantitiesOf(known: readonly ReadColumn[]): readonly ReadColumn[] {
  return known.filter(
    (one) => one.column.section === 'lines' && one.words.has('quantity') && areNumbers(one),
  );
}

function areNumbers({ values }: ReadColumn): boolean {
  return values.length > 0 && values.every((value) => !Number.isNaN(Number(value)));
}
