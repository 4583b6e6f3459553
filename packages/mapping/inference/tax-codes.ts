import type { SourceDocument, SourceRow } from '@drawbridge/records/document.ts';
import type { Join } from '../mapping.ts';
import { type Arithmetic, amountOf, type Product } from './arithmetic.ts';
import type { ReadColumn } from './columns.ts';

/** A column of tax codes, and the rate that the lines with each of them have. */
export interface RatedCodes {
  readonly column: ReadColumn;
  /** Code → rate in percent. */
  readonly rates: ReadonlyMap<string, number>;
}

/** Distinct codes, at most. */
const codesMax = 8;
/** Of the lines that the product of quantity and price explains, at least. */
const shareMin = 0.8;
/** Lines that prove something, at least. */
const linesMin = 8;

/**
 * The column of the lines, or of their items, whose codes say what tax a line has: lines with the same code have
 * the same rate, and there is more than one rate. `2` of a column of categories is then known to be 20 %.
 */
export function findRatedCodes(
  known: readonly ReadColumn[],
  documents: readonly SourceDocument[],
  joins: Readonly<Record<string, Join>>,
  sums: Arithmetic,
): RatedCodes | undefined {
  const lines = known.filter(({ column }) => column.section === 'lines');
  const { quantity, price, discount } = sums;
  const amountOf = (isWanted: (words: ReadonlySet<string>) => boolean) =>
    lines.find(
      ({ words, values }) =>
        isWanted(words) &&
        !words.has('unit') &&
        !words.has('discount') &&
        values.some((value) => Number(value) !== 0) &&
        values.every((value) => !Number.isNaN(Number(value))),
    );
  const tax = amountOf(
    (words) =>
      words.has('tax') &&
      (words.has('amount') || words.size === 1) &&
      !words.has('gross') &&
      !words.has('net'),
  );
  const gross = amountOf((words) => words.has('gross'));
  if (sums.share < shareMin || quantity === undefined || price === undefined) return undefined;
  if (tax === undefined && gross === undefined) return undefined;
  const product = { quantity, price, discount };
  const codes = known.filter(
    ({ column, words, role, values }) =>
      (role === 'line' || role === 'item') &&
      words.has('tax') &&
      !words.has('amount') &&
      column !== tax?.column &&
      column !== gross?.column &&
      new Set(values).size > 1 &&
      new Set(values).size <= codesMax,
  );
  for (const column of codes) {
    for (const base of ['line', 'piece'] as const) {
      const rates = ratesOf(
        column,
        (row) => taxOf(row, product, tax, gross, base),
        documents,
        joins,
      );
      if (rates !== undefined) return { column, rates };
    }
  }
  return undefined;
}

interface Taxed {
  readonly net: number;
  readonly tax: number;
}

function taxOf(
  row: SourceRow,
  product: Product,
  tax: ReadColumn | undefined,
  gross: ReadColumn | undefined,
  base: 'line' | 'piece',
): Taxed {
  const read = (one: ReadColumn) => Number(row.values[one.column.column] ?? Number.NaN);
  const amount = amountOf(row, product) ?? Number.NaN;
  const net = base === 'line' ? amount : amount / read(product.quantity);
  return { net, tax: tax === undefined ? read(gross!) - net : read(tax) };
}

function ratesOf(
  { column }: ReadColumn,
  taxedOf: (row: SourceRow) => Taxed,
  documents: readonly SourceDocument[],
  joins: Readonly<Record<string, Join>>,
): ReadonlyMap<string, number> | undefined {
  const join = joins[column.section];
  if (column.section !== 'lines' && join?.parent !== 'lines') return undefined;
  const byCode = new Map<string, Taxed[]>();
  let lines = 0;
  for (const { sections } of documents) {
    for (const line of sections.lines ?? []) {
      const row =
        join === undefined || column.section === 'lines'
          ? line
          : (sections[column.section] ?? []).find(
              ({ values }) => values[join.column] === line.values[join.parent_column],
            );
      const code = row?.values[column.column];
      const taxed = taxedOf(line);
      if (code == null || Number.isNaN(taxed.net + taxed.tax) || taxed.net === 0) continue;
      byCode.set(code, [...(byCode.get(code) ?? []), taxed]);
      lines += 1;
    }
  }
  const rates = new Map([...byCode].map(([code, all]) => [code, rateOf(all)]));
  const isOne = [...byCode].every(([code, all]) =>
    all.every((one) => isTaxedBy(one, rates.get(code)!)),
  );
  return lines >= linesMin && isOne && new Set(rates.values()).size > 1 ? rates : undefined;
}

/** The rate of all together, to a tenth of a percent. */
function rateOf(all: readonly Taxed[]): number {
  const net = all.reduce((sum, one) => sum + Math.abs(one.net), 0);
  const tax = all.reduce((sum, one) => sum + Math.abs(one.tax), 0);
  return Math.round((tax / net) * 1_000) / 10;
}

function isTaxedBy({ net, tax }: Taxed, rate: number): boolean {
  return Math.abs(Math.abs(tax) - Math.abs(net * rate) / 100) <= 0.02 + Math.abs(net) * 0.0006;
}
