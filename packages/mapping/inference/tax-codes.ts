import type { SourceDocument, SourceRow } from '@drawbridge/records/document.ts';
import type { Join } from '../mapping.ts';
import { amountOf, type LineProduct } from './arithmetic/line-product.ts';
import type { Arithmetic } from './arithmetic.ts';
import type { ReadColumn } from './columns.ts';
import { shareOf, sumOf, taxRateMax } from './numbers.ts';

/** A column of tax codes, and the rate that the lines with each of them have. */
export interface RatedCodes {
  readonly column: ReadColumn;
  /** Code → rate in percent. */
  readonly rates: ReadonlyMap<string, number>;
  /** What shows it: amounts of tax of the lines, or the totals of documents where lines have none. */
  readonly basis: 'lines' | 'totals';
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
  const amountColumn = (isWanted: (words: ReadonlySet<string>) => boolean) =>
    lines.find(
      ({ words, values }) =>
        isWanted(words) &&
        !words.has('unit') &&
        !words.has('discount') &&
        values.some((value) => Number(value) !== 0) &&
        values.every((value) => !Number.isNaN(Number(value))),
    );
  const tax = amountColumn(
    (words) =>
      words.has('tax') &&
      (words.has('amount') || words.size === 1) &&
      !words.has('gross') &&
      !words.has('net'),
  );
  const gross = amountColumn((words) => words.has('gross'));
  if (sums.share < shareMin || quantity === undefined || price === undefined) return undefined;
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
  const hasTax = tax !== undefined || gross !== undefined;
  for (const column of codes) {
    const rates = hasTax
      ? (['line', 'piece'] as const)
          .map((base) =>
            ratesOf(column, (row) => taxOf(row, product, tax, gross, base), documents, joins),
          )
          .find((one) => one !== undefined)
      : ratesByTotals(column, product, known, documents, joins);
    if (rates !== undefined) return { column, rates, basis: hasTax ? 'lines' : 'totals' };
  }
  return undefined;
}

/** Documents that a rate for each code has to explain, at least, and their share. */
const explained = { documentsMin: 8, shareMin: 0.95 } as const;

/**
 * The rates of codes where lines keep no tax: documents with one code tell its rate, by a column of the header that is
 * their total with tax or the tax of them, and all rates together explain the others.
 */
function ratesByTotals(
  column: ReadColumn,
  product: LineProduct,
  known: readonly ReadColumn[],
  documents: readonly SourceDocument[],
  joins: Readonly<Record<string, Join>>,
): ReadonlyMap<string, number> | undefined {
  const netsOf = (document: SourceDocument) => {
    const nets = new Map<string, number>();
    for (const line of document.sections.lines ?? []) {
      const code = codeOf(line, column, document, joins);
      const amount = amountOf(line, product);
      if (code === undefined || amount === undefined) return undefined;
      nets.set(code, (nets.get(code) ?? 0) + Math.abs(amount));
    }
    return nets;
  };
  const all = documents.flatMap((document) => {
    const nets = netsOf(document);
    return nets === undefined || nets.size === 0 ? [] : [{ document, nets }];
  });
  const totals = known.filter(
    ({ column: { section }, words, values }) =>
      section === 'header' &&
      !words.has('rate') &&
      !words.has('percent') &&
      values.some((value) => Number(value) !== 0) &&
      values.every((value) => !Number.isNaN(Number(value))),
  );
  for (const total of totals) {
    // What is named for tax is the tax alone.
    const base = total.words.has('tax') ? 0 : 1;
    const totalOf = ({ sections }: SourceDocument) =>
      Math.abs(Number(sections.header?.[0]?.values[total.column.column] ?? Number.NaN));
    const rates = new Map<string, number>();
    for (const { document, nets } of all) {
      const [[code, net] = ['', 0]] = nets;
      if (nets.size > 1 || net === 0 || rates.has(code)) continue;
      rates.set(code, Math.round((totalOf(document) / net - base) * 1_000) / 10);
    }
    const found = [...rates.values()];
    const areRates = found.every((rate) => rate >= 0 && rate <= taxRateMax);
    if (new Set(found).size < 2 || !areRates) continue;
    const telling = all.filter(({ nets }) => [...nets.keys()].every((code) => rates.has(code)));
    const share = shareOf(telling, ({ document, nets }) => {
      const expected = sumOf([...nets], ([code, net]) => net * (base + rates.get(code)! / 100));
      return Math.abs(totalOf(document) - expected) <= 0.03 + expected * 0.0006;
    });
    if (telling.length >= explained.documentsMin && share >= explained.shareMin) return rates;
  }
  return undefined;
}

/** The code of a line, which may stand in a row that the line points at. */
function codeOf(
  line: SourceRow,
  { column }: ReadColumn,
  { sections }: SourceDocument,
  joins: Readonly<Record<string, Join>>,
): string | undefined {
  const join = joins[column.section];
  if (column.section !== 'lines' && join?.parent !== 'lines') return undefined;
  const row =
    join === undefined || column.section === 'lines'
      ? line
      : (sections[column.section] ?? []).find(
          ({ values }) => values[join.column] === line.values[join.parent_column],
        );
  return row?.values[column.column] ?? undefined;
}

interface Taxed {
  readonly net: number;
  readonly tax: number;
}

function taxOf(
  row: SourceRow,
  product: LineProduct,
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
  column: ReadColumn,
  taxedOf: (row: SourceRow) => Taxed,
  documents: readonly SourceDocument[],
  joins: Readonly<Record<string, Join>>,
): ReadonlyMap<string, number> | undefined {
  const byCode = new Map<string, Taxed[]>();
  let lines = 0;
  for (const document of documents) {
    for (const line of document.sections.lines ?? []) {
      const code = codeOf(line, column, document, joins);
      const taxed = taxedOf(line);
      if (code === undefined || Number.isNaN(taxed.net + taxed.tax) || taxed.net === 0) continue;
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
  const net = sumOf(all, (one) => Math.abs(one.net));
  const tax = sumOf(all, (one) => Math.abs(one.tax));
  return Math.round((tax / net) * 1_000) / 10;
}

function isTaxedBy({ net, tax }: Taxed, rate: number): boolean {
  return Math.abs(Math.abs(tax) - Math.abs(net * rate) / 100) <= 0.02 + Math.abs(net) * 0.0006;
}
