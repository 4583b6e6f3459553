import type { SourceDocument } from '@drawbridge/records/document.ts';
import { currencyDecimals, isCurrency } from '../code-names.ts';
import { type ProductForm, productForm } from '../discovery/multiplied-columns.ts';
import type { MappingField } from '../mapping.ts';
import { reviewedMax } from './candidate.ts';
import type { ReadColumn } from './columns.ts';
import { numberOrZeroAt, shareOf, sumOf, taxRateMax } from './numbers.ts';

/** Columns and documents with the points of their numbers, where a database keeps none. */
export interface Pointed {
  readonly known: readonly ReadColumn[];
  readonly documents: readonly SourceDocument[];
  /** Digits behind the point, by section and column; empty where numbers are as they are written. */
  readonly places: Places;
}

/** Digits behind the point, by section and column. */
export type Places = ReadonlyMap<string, number>;

/** Columns of lines that are tried with each other, at most. */
const columnsMax = 14;
/**
 * Quantities, prices and amounts that are whole numbers of parts of different size: 3000 × 1250000 is 37500. Where the
 * points are is told by what the product is divided by, the digits of the currency, and the zeros that all quantities
 * end with.
 */
export function withPoints(
  known: readonly ReadColumn[],
  documents: readonly SourceDocument[],
): Pointed {
  const { places, meanings } = foundIn(known, documents);
  if (places.size === 0) return { known, documents, places };
  const pointed = (section: string, column: string, value: string) => {
    const digits = places.get(keyOf(section, column));
    return digits === undefined || !isWhole(value) ? value : withPoint(value, digits);
  };
  return {
    places,
    known: known.map((one) => ({
      ...one,
      words: new Set([...one.words, ...(meanings.get(one) ?? [])]),
      values: one.values.map((value) => pointed(one.column.section, one.column.column, value)),
    })),
    documents: documents.map((document) => ({
      ...document,
      sections: Object.fromEntries(
        Object.entries(document.sections).map(([section, rows]) => [
          section,
          rows.map((row) => ({
            ...row,
            values: Object.fromEntries(
              Object.entries(row.values).map(([column, value]) => [
                column,
                value == null ? value : pointed(section, column, value),
              ]),
            ),
          })),
        ]),
      ),
    })),
  };
}

/** The field with the step that sets the point; none where another step reads such a column. */
export function withPointStep(field: MappingField, places: Places): readonly MappingField[] {
  const { from, transforms = [], confidence = 0, reason = '' } = field;
  if (from === undefined || places.size === 0) return [field];
  const isRead = transforms.some((step) => {
    const by = 'by' in step && 'column' in step.by ? step.by : undefined;
    return by !== undefined && places.has(keyOf(by.section ?? from.section, by.column));
  });
  if (isRead) return [];
  const digits = places.get(keyOf(from.section, from.column));
  if (digits === undefined) return [field];
  return [
    {
      ...field,
      transforms: [{ kind: 'divide', by: { value: String(10 ** digits) } }, ...transforms],
      // That the point is where it seems is likely, and no more.
      confidence: Math.min(confidence, reviewedMax),
      reason: `${reason} Its last ${digits} digits stand behind the point.`,
    },
  ];
}

const keyOf = (section: string, column: string) => `${section}\n${column}`;

function withPoint(value: string, digits: number): string {
  return String(Number(value) / 10 ** digits);
}

function isWhole(value: string): boolean {
  return /^-?\d{1,15}$/.test(value.trim());
}

function areWhole({ values }: ReadColumn): boolean {
  return values.length > 0 && values.every(isWhole);
}

interface Product {
  readonly one: ReadColumn;
  readonly other: ReadColumn;
  readonly amount: ReadColumn;
  readonly discount: ReadColumn | undefined;
  readonly form: ProductForm;
}

/** Where points are, and what the product says of columns whose names say nothing. */
function foundIn(
  known: readonly ReadColumn[],
  documents: readonly SourceDocument[],
): { readonly places: Places; readonly meanings: ReadonlyMap<ReadColumn, readonly string[]> } {
  const numbers = known.filter((one) => areWhole(one) && !one.isKey && !one.isJoined);
  const lines = numbers.filter(({ column }) => column.section === 'lines').slice(0, columnsMax);
  const found = known.some(hasWrittenPoint) ? undefined : productOf(lines, documents);
  const ofCurrency = currencyPlaces(known);
  if (found === undefined || ofCurrency === undefined) {
    return { places: new Map(), meanings: new Map() };
  }
  const { form, amount, discount } = found;
  const [quantity, price] = factorsOf(found);
  const all = Math.round(Math.log10(form.power)) + ofCurrency;
  const ofPrice = pricePlaces(all, zerosOf(quantity));
  const places = new Map<string, number>();
  const set = ({ column }: ReadColumn, digits: number) => {
    if (digits > 0) places.set(keyOf(column.section, column.column), digits);
  };
  for (const one of numbers.filter(isMoney)) set(one, ofCurrency);
  for (const one of lines.filter(({ words }) => words.has('cost'))) set(one, ofPrice);
  for (const one of numbers.filter(isRate)) set(one, ratePlaces(one));
  for (const one of summed(amount, numbers, documents)) set(one, ofCurrency);
  set(amount, ofCurrency);
  set(quantity, all - ofPrice);
  set(price, ofPrice);
  const meanings = new Map<ReadColumn, readonly string[]>([
    [quantity, ['quantity']],
    [price, ['price']],
  ]);
  if (discount !== undefined) {
    set(discount, discountPlaces(form.discount?.unit ?? 100));
    meanings.set(discount, ['discount', 'percent']);
  }
  return {
    places,
    meanings: new Map(
      [...meanings].filter(([{ words }, own]) => !own.some((word) => words.has(word))),
    ),
  };
}

/** Whether it is an amount of lines with points: where one has them, they are left out of none. */
function hasWrittenPoint({ column, words, values }: ReadColumn): boolean {
  const isNamed = words.has('price') || words.has('amount') || words.has('net');
  return column.section === 'lines' && isNamed && values.some((value) => /\.\d/.test(value));
}

/** The product that needs a power of ten, with the largest amounts. */
function productOf(
  lines: readonly ReadColumn[],
  documents: readonly SourceDocument[],
): Product | undefined {
  const rows = documents.flatMap(({ sections }) => sections.lines ?? []);
  const numbers = lines
    .map((read) => ({
      read,
      values: Float64Array.from(rows, (row) => numberOrZeroAt(row, read)),
    }))
    .filter(({ values }) => new Set(values).size > 1);
  let best: (Product & { readonly size: number }) | undefined;
  for (const [at, one] of numbers.entries()) {
    for (const other of numbers.slice(at + 1)) {
      for (const amount of numbers) {
        if (amount === one || amount === other) continue;
        const rest = numbers.filter((each) => each !== one && each !== other && each !== amount);
        const form = productForm(
          one.values,
          other.values,
          amount.values,
          rest.map(({ values }) => values),
        );
        if (form === undefined) continue;
        // Numbers that are right as they are written need no point.
        if (form.power < 10) return undefined;
        const size = sumOf([...amount.values], Math.abs);
        if (best !== undefined && best.size >= size) continue;
        const discount = form.discount === undefined ? undefined : rest[form.discount.at]?.read;
        best = { one: one.read, other: other.read, amount: amount.read, discount, form, size };
      }
    }
  }
  return best;
}

const summedMin = 0.8;

/** Columns of the header that lines come to, and those that are such a total and another column more. */
function summed(
  amount: ReadColumn,
  numbers: readonly ReadColumn[],
  documents: readonly SourceDocument[],
): readonly ReadColumn[] {
  const headers = numbers.filter(
    ({ column, values }) => column.section === 'header' && new Set(values).size > 2,
  );
  const at = ({ sections }: SourceDocument, column: ReadColumn) =>
    sections.header?.[0] === undefined ? 0 : numberOrZeroAt(sections.header[0], column);
  const told = documents.filter(({ sections }) => (sections.lines ?? []).length > 1);
  if (told.length < documentsMin) return [];
  const holds = (test: (document: SourceDocument) => boolean) => shareOf(told, test) >= summedMin;
  const linesOf = ({ sections }: SourceDocument) =>
    sumOf(sections.lines ?? [], (row) => numberOrZeroAt(row, amount));
  const nets = headers.filter((one) =>
    holds((document) => at(document, one) === linesOf(document)),
  );
  const [net] = nets;
  if (net === undefined) return [];
  const more = headers.flatMap((tax) =>
    headers
      .filter((gross) => gross !== tax && !nets.includes(gross) && !nets.includes(tax))
      .filter((gross) =>
        holds((document) => at(document, net) + at(document, tax) === at(document, gross)),
      )
      .flatMap((gross) => [tax, gross]),
  );
  return [...nets, ...more];
}

const documentsMin = 4;

/** Digits of the currencies of the documents; undefined where they have different ones. */
function currencyPlaces(known: readonly ReadColumn[]): number | undefined {
  const codes = known
    .filter(({ values }) => values.length > 0 && values.every((one) => isCurrency(one.trim())))
    .flatMap(({ values }) => values.map((one) => currencyDecimals(one.trim())));
  const different = new Set(codes);
  return different.size > 1 ? undefined : ([...different][0] ?? 2);
}

/** Quantity and price: by name, else the quantity is what ends with more zeros. */
function factorsOf({ one, other }: Product): readonly [ReadColumn, ReadColumn] {
  if (other.words.has('price') || one.words.has('quantity')) return [one, other];
  if (one.words.has('price') || other.words.has('quantity')) return [other, one];
  return zerosOf(one) >= zerosOf(other) ? [one, other] : [other, one];
}

/** Zeros that all values end with. */
function zerosOf({ values }: ReadColumn): number {
  const zeros = values
    .filter((value) => Number(value) !== 0)
    .map((value) => /0*$/.exec(value.trim())![0].length);
  return zeros.length === 0 ? 0 : Math.min(...zeros);
}

/** Digits that prices are kept with, the usual ones first. */
const pricePlacesTried = [2, 4, 3, 5, 6, 0];

/** Of the digits of both factors those of the price, so that the others are the zeros that quantities end with. */
function pricePlaces(all: number, zeros: number): number {
  const possible = pricePlacesTried.filter((digits) => digits <= all);
  const off = (digits: number) => Math.abs(all - digits - zeros);
  return [...possible].sort((one, other) => off(one) - off(other))[0] ?? all;
}

function discountPlaces(unit: number): number {
  return unit > 100 ? Math.round(Math.log10(unit / 100)) : 0;
}

const moneyWords = ['net', 'gross', 'total', 'amount', 'paid'];
const noMoney = ['price', 'cost', 'quantity', 'rate', 'percent', 'code', 'number', 'id', 'date'];

function isMoney({ words, column, values }: ReadColumn): boolean {
  const isHeld = column.section === 'header' || column.section === 'lines';
  const isNamed =
    moneyWords.some((word) => words.has(word)) || (words.has('tax') && words.size === 1);
  return isHeld && isNamed && !noMoney.some((word) => words.has(word)) && new Set(values).size > 2;
}

function isRate({ words, column, role, values }: ReadColumn): boolean {
  const isTableOfTax = /_tax(_|$)/.test(column.section);
  const isOfTax = role === 'tax' || isTableOfTax || words.has('tax');
  const isNamed = words.has('rate') || words.has('percent') || isTableOfTax;
  return isOfTax && isNamed && values.some((value) => Number(value) > taxRateMax);
}

/** The fewest digits behind the point with which the largest is a rate, where the others end with so many zeros. */
function ratePlaces(column: ReadColumn): number {
  const largest = Math.max(...column.values.map(Number));
  const digits = Math.ceil(Math.log10(largest / taxRateMax));
  return zerosOf(column) >= digits ? digits : 0;
}
