import type { Transform } from '../../transform.ts';
import { isTaxAmount, type ReadColumn } from '../columns.ts';
import { areFractions, isNear, isNumber, numberAt, numbersOf, shareOf, sumOf } from '../numbers.ts';
import { type DocumentSums, hasTotal, headerNumber, provedMin } from './document-sums.ts';
import { rateFactor } from './tax-rates.ts';

/** Whether prices have tax in them, as the sums say. */
export type PriceTax =
  | { readonly kind: 'without' }
  /** With the steps that take it out, and the column of the header that has what is left. */
  | {
      readonly kind: 'included';
      readonly steps: readonly Transform[];
      readonly net: ReadColumn | undefined;
    }
  | { readonly kind: 'mixed' }
  /** No tax was seen beside the prices. */
  | { readonly kind: 'unknown'; readonly isTaxSeen: boolean };

/** Columns that say how much tax there is. */
export interface TaxColumns {
  /** Of the lines. */
  readonly rates: readonly ReadColumn[];
  readonly amounts: readonly ReadColumn[];
  /** Amounts of the section `taxes`. */
  readonly breakdown: readonly ReadColumn[];
  /** Amounts of the header. */
  readonly header: readonly ReadColumn[];
}

/** The columns of tax among those of the lines, of the section `taxes`, and of the header's totals. */
export function taxColumns(
  columns: readonly ReadColumn[],
  headers: readonly ReadColumn[],
): TaxColumns {
  const ofLines = columns.filter(
    ({ column, words, isKey, values }) =>
      column.section === 'lines' &&
      words.has('tax') &&
      !isKey &&
      values.length > 0 &&
      values.every(isNumber),
  );
  const isRate = ({ words }: ReadColumn) => words.has('rate') || words.has('percent');
  return {
    rates: ofLines.filter((one) => !one.words.has('amount') && arePercents(one)),
    amounts: ofLines.filter((one) => isTaxAmount(one) && !isRate(one)),
    breakdown: columns.filter(
      ({ column, words, values }) =>
        column.section === 'taxes' && words.has('amount') && values.every(isNumber),
    ),
    header: headers.filter(
      (one) =>
        isTaxAmount(one) && !isRate(one) && !one.values.every((value) => /^[01]$/.test(value)),
    ),
  };
}

function arePercents(column: ReadColumn): boolean {
  return numbersOf(column).every((value) => value >= 0 && value <= 100);
}

/** Compares what lines come to with the totals of their documents, with and without tax. */
export function priceTax(
  documents: readonly DocumentSums[],
  headers: readonly ReadColumn[],
  taxes: TaxColumns,
  columns: readonly ReadColumn[],
): PriceTax {
  const telling = documents.flatMap((sums) => {
    const tax = taxInSum(sums, headers, taxes);
    return tax === undefined ? [] : [{ sums, tax }];
  });
  const included = telling.flatMap(({ sums, tax }) =>
    tax.kind === 'included' ? [{ sums, net: tax.net }] : [],
  );
  const withoutShare = shareOf(telling, ({ tax }) => tax.kind === 'without');
  if (withoutShare >= provedMin) return { kind: 'without' };
  if (included.length === 0 && areLinesBeforeTax(documents, taxes, columns)) {
    return { kind: 'without' };
  }
  const flag = includedFlag(
    columns,
    documents,
    included.map(({ sums }) => sums),
  );
  const includedShare = shareOf(telling, ({ tax }) => tax.kind === 'included');
  const toldShare = shareOf(telling, ({ tax }) => tax.kind !== 'neither');
  const isFlagged = included.length > 0 && flag !== undefined && toldShare >= provedMin;
  if (includedShare >= provedMin || isFlagged) {
    const steps = stepsWithoutTax(included, taxes, flag);
    if (steps !== undefined) return { kind: 'included', steps, net: netOf(included, headers) };
  }
  return included.length > 0 ? { kind: 'mixed' } : { kind: 'unknown', isTaxSeen: isTaxSeen(taxes) };
}

function isTaxSeen({ header, breakdown, rates }: TaxColumns): boolean {
  return (
    header.length > 0 ||
    breakdown.length > 0 ||
    rates.some(({ values }) => values.some((value) => Number(value) !== 0))
  );
}

/** What a document says of the tax in what its lines come to; `neither`: it has tax, and no total fits. */
type TaxInSum =
  | { readonly kind: 'without' | 'neither' }
  | { readonly kind: 'included'; readonly net: number };

/** Amounts of tax of a document, as shares of what its lines come to: others are something else. */
const taxShare = { min: 0.005, max: 0.6 } as const;

/** Whether the lines of a document sum up to its net or to its gross total; undefined without tax. */
function taxInSum(
  sums: DocumentSums,
  headers: readonly ReadColumn[],
  columns: TaxColumns,
): TaxInSum | undefined {
  if (sums.header === undefined || sums.sum === 0) return undefined;
  const lines = Math.abs(sums.sum);
  const totals = headers.flatMap((one) => {
    const value = headerNumber(sums, one);
    return value === undefined || columns.header.includes(one) ? [] : [Math.abs(value)];
  });
  const breakdown = breakdownSums(sums, columns);
  const taxes = [
    ...columns.header.map((one) => headerNumber(sums, one) ?? 0),
    ...breakdown,
    ...columns.amounts.map((one) => sumOf(sums.rows, (row) => numberAt(row, one) ?? 0)),
  ]
    .map(Math.abs)
    .filter((tax) => tax > lines * taxShare.min);
  const told =
    taxByAmounts(sums, taxes, totals, [...totals, ...breakdown]) ??
    taxByRates(sums, taxes, totals, columns.rates);
  if (told !== undefined) return told;
  if (!taxes.some((tax) => tax <= lines * taxShare.max)) return undefined;
  // Where only a net total and its tax are kept.
  const isNet = totals.some((total) => isNear(total, lines, sums.rows.length));
  return isNet && breakdown.length === 0 && columns.header.length > 0
    ? { kind: 'without' }
    : { kind: 'neither' };
}

/** What each amount of the section `taxes` comes to; none where a document has no such rows. */
function breakdownSums({ document }: DocumentSums, { breakdown }: TaxColumns): readonly number[] {
  const rows = document.sections.taxes ?? [];
  return rows.length === 0
    ? []
    : breakdown.map((one) => sumOf(rows, (row) => Math.abs(numberAt(row, one) ?? 0)));
}

/** By amounts of tax: with one of them the lines come to a total, or without it. */
function taxByAmounts(
  { sum, rows }: DocumentSums,
  taxes: readonly number[],
  totals: readonly number[],
  known: readonly number[],
): TaxInSum | undefined {
  const lines = Math.abs(sum);
  const isOneOf = (all: readonly number[], amount: number) =>
    all.some((one) => isNear(one, amount, rows.length));
  for (const tax of taxes) {
    if (tax > lines * taxShare.max) continue;
    if (isOneOf(known, lines + tax)) return { kind: 'without' };
    if (isOneOf(totals, lines) && isOneOf(known, lines - tax)) {
      return { kind: 'included', net: lines - tax };
    }
  }
  return undefined;
}

/** By rates of the lines: with the tax of one of them they come to a total, or without it. */
function taxByRates(
  { sum, rows, amounts }: DocumentSums,
  taxes: readonly number[],
  totals: readonly number[],
  rates: readonly ReadColumn[],
): TaxInSum | undefined {
  const lines = Math.abs(sum);
  const near = (one: number, other: number) => isNear(one, other, rows.length);
  for (const rate of rates) {
    const factors = rows.map((row) => rateFactor(row, rate));
    if (factors.every((factor) => factor === 1)) continue;
    const more = Math.abs(sumOf(amounts, (amount, at) => amount * factors[at]!));
    const less = Math.abs(sumOf(amounts, (amount, at) => amount / factors[at]!));
    if (totals.some((total) => near(total, more))) return { kind: 'without' };
    if (totals.some((total) => near(total, lines)) && totals.some((total) => near(total, less))) {
      return { kind: 'included', net: less };
    }
    for (const tax of taxes) {
      if (near(tax, more - lines)) return { kind: 'without' };
      if (near(tax, lines - less)) return { kind: 'included', net: less };
    }
  }
  return undefined;
}

/** Lines with tax that tell, at least. */
const taxedLinesMin = 8;

/** Whether lines have a column that is their amount, or price, and its tax: then no tax is in that. */
function areLinesBeforeTax(
  documents: readonly DocumentSums[],
  { rates, amounts }: TaxColumns,
  columns: readonly ReadColumn[],
): boolean {
  const lines = documents.flatMap(({ rows, amounts: nets, quantities }) =>
    rows.map((row, at) => ({ row, net: nets[at]!, price: nets[at]! / quantities[at]! })),
  );
  type Line = (typeof lines)[number];
  const grossColumns = columns.filter(
    ({ column, words }) => column.section === 'lines' && words.has('gross'),
  );
  const isGross = (taxed: readonly Line[], expected: (line: Line) => number) =>
    taxed.length >= taxedLinesMin &&
    grossColumns.some((column) => {
      const isRight = (line: Line) => isNear(expected(line), numberAt(line.row, column) ?? 0);
      return shareOf(taxed, isRight) >= provedMin;
    });
  const byRate = rates.some((rate) => {
    const taxed = lines.filter(({ row, net }) => rateFactor(row, rate) > 1 && net !== 0);
    return isGross(taxed, ({ row, net }) => net * rateFactor(row, rate));
  });
  const byAmount = amounts.some((tax) => {
    const taxOf = ({ row }: Line) => numberAt(row, tax) ?? 0;
    const taxed = lines.filter((line) => taxOf(line) > 0 && line.net !== 0);
    return (
      isGross(taxed, (line) => line.net + taxOf(line)) ||
      isGross(taxed, (line) => line.price + taxOf(line))
    );
  });
  return byRate || byAmount;
}

/** A mark of the header, and its value in the documents whose prices have tax in them. */
interface IncludedFlag {
  readonly column: string;
  readonly value: string;
}

function includedFlag(
  columns: readonly ReadColumn[],
  documents: readonly DocumentSums[],
  included: readonly DocumentSums[],
): IncludedFlag | undefined {
  for (const { column, words } of columns) {
    const isNamed =
      words.has('tax') && (words.has('gross') || words.has('included') || words.has('price'));
    if (column.section !== 'header' || !isNamed) continue;
    const flagOf = ({ header }: DocumentSums) => header?.values[column.column] ?? '';
    const values = new Set(included.map(flagOf));
    const [value] = values;
    const isFlag = documents.every((sums) =>
      /^(0|1|t|f|true|false|y|n|yes|no)$/i.test(flagOf(sums)),
    );
    if (isFlag && values.size === 1 && value !== undefined && /^(1|t|true|y|yes)$/i.test(value)) {
      return { column: column.column, value };
    }
  }
  return undefined;
}

/** A document whose prices have tax in them, and what its lines come to without. */
interface Included {
  readonly sums: DocumentSums;
  readonly net: number;
}

/** The column that has what the lines come to without tax. */
function netOf(
  included: readonly Included[],
  headers: readonly ReadColumn[],
): ReadColumn | undefined {
  return headers.find(
    (column) => shareOf(included, ({ sums, net }) => hasTotal(sums, column, net)) >= provedMin,
  );
}

/** Steps that take the tax out of a price, proved by the net sums. */
function stepsWithoutTax(
  included: readonly Included[],
  { amounts, rates }: TaxColumns,
  flag: IncludedFlag | undefined,
): readonly Transform[] | undefined {
  const when =
    flag === undefined
      ? {}
      : { when: { section: 'header', column: flag.column, value: flag.value } };
  const pieceTax = amounts.find((one) => isTaxOfPiece(one, included));
  if (pieceTax !== undefined) {
    return [{ kind: 'subtract', by: { column: pieceTax.column.column }, ...when }];
  }
  const rate = rates.find((one) => isRateInPrice(one, included));
  if (rate !== undefined) {
    const { column, section } = rate.column;
    const onTop = areFractions(rate.values) ? 'fraction' : 'percent';
    return [{ kind: 'divide', by: { column, section }, on_top: onTop, ...when }, rounded];
  }
  const ratio = ratioOf(included);
  if (ratio === undefined) return undefined;
  return [{ kind: 'divide', by: { value: String(ratio) }, ...when }, rounded];
}

const rounded: Transform = { kind: 'round', places: 6 };

/** Whether a column is the tax of one piece: the prices less it come to the net sums. */
function isTaxOfPiece(column: ReadColumn, included: readonly Included[]): boolean {
  return included.every(({ sums: { rows, quantities, sum }, net }) => {
    const tax = sumOf(rows, (row, at) => (numberAt(row, column) ?? 0) * Math.abs(quantities[at]!));
    return isNear(Math.abs(sum) - Math.abs(tax), net, rows.length);
  });
}

/** Whether the amounts, divided by the rate, come to the net sums. */
function isRateInPrice(rate: ReadColumn, included: readonly Included[]): boolean {
  const share = shareOf(included, ({ sums: { rows, amounts }, net }) => {
    const found = sumOf(amounts, (amount, at) => amount / rateFactor(rows[at]!, rate));
    return isNear(Math.abs(found), net, rows.length);
  });
  return share >= provedMin;
}

/** What the sums are of the net sums, where that is the same in all documents. */
function ratioOf(included: readonly Included[]): number | undefined {
  const ratios = included.map(({ sums, net }) => Math.abs(sums.sum) / net);
  const ratio = Math.round((ratios[0] ?? 0) * 1_000) / 1_000;
  const isOne = ratios.every((each) => Math.abs(each - ratio) < 0.002);
  return isOne && ratio > 1 ? ratio : undefined;
}
