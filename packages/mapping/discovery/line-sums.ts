import { numberOrZero, shareOf } from '../inference/numbers.ts';
import { rememberedByObject } from '../remembered.ts';
import {
  columnFacts,
  type FoundTable,
  folded,
  isUnique,
  type Reference,
  type SampleRow,
  tellingKey,
  wordsOfColumn,
} from './database.ts';
import { productForm, tellingMin } from './multiplied-columns.ts';

/** What the rows of a table multiply: quantity × price is an amount, whatever they are called. */
export interface LineProduct {
  readonly quantity: string;
  readonly price: string;
  readonly amount: string;
}

/** Limits: columns of numbers and tables that are tried with each other. */
const tried = { numbers: 16, tablesOfLines: 12, headers: 60, totals: 24, keys: 4 } as const;
/** Documents whose lines sum up to a column, at least, and their share. */
const documentsMin = 6;
const documentsShare = 0.8;
/** Different documents that are looked at: a sum that is none is seen in the first. */
const documentsMax = 40;

/** The product that the sample of a table shows; undefined where there is none. */
export const lineProduct = rememberedByObject(productOf);

function productOf(table: FoundTable): LineProduct | undefined {
  if (table.sample.length < tellingMin) return undefined;
  const numbers = likelyAmounts(table)
    .filter(({ values }) => new Set(values).size > 2)
    .slice(0, tried.numbers);
  let best: { readonly product: LineProduct; readonly size: number } | undefined;
  for (const [at, one] of numbers.entries()) {
    for (const other of numbers.slice(at + 1)) {
      for (const amount of numbers) {
        if (amount === one || amount === other) continue;
        const rest = numbers.filter((each) => each !== one && each !== other && each !== amount);
        const discounts = rest.map(({ values }) => values);
        if (productForm(one.values, other.values, amount.values, discounts) === undefined) continue;
        const [quantity, price] =
          size(one.values) <= size(other.values) ? [one, other] : [other, one];
        const product = { quantity: quantity.name, price: price.name, amount: amount.name };
        if (best === undefined || size(amount.values) > best.size) {
          best = { product, size: size(amount.values) };
        }
      }
    }
  }
  return best?.product;
}

interface NumberColumn {
  readonly name: string;
  /** Empty ones as 0. */
  readonly values: Float64Array;
}

const amountWords: readonly string[] = ['quantity', 'price', 'amount', 'total', 'net', 'gross'];

/**
 * Columns that hold nothing but numbers, those first that may be amounts by their names, then those with decimals: a
 * wide table has more than can be tried. Of columns that hold the same, one.
 */
const likelyAmounts = rememberedByObject((table: FoundTable): readonly NumberColumn[] => {
  const held = new Set<string>();
  const numbers = table.columns.flatMap(({ name }) => {
    const { kind } = columnFacts(table, name);
    if (kind !== 'integer' && kind !== 'decimal') return [];
    const values = Float64Array.from(table.sample, (row) => numberOrZero(row[name]));
    const text = values.join();
    if (held.has(text)) return [];
    held.add(text);
    const isNamed = wordsOfColumn(table, name).some((word) => amountWords.includes(word));
    return [{ name, values, rank: isNamed ? 0 : kind === 'decimal' ? 1 : 2 }];
  });
  return numbers.sort((one, other) => one.rank - other.rank);
});

function size(values: Float64Array): number {
  return values.reduce((sum, value) => sum + Math.abs(value), 0) / values.length;
}

/** Lines whose amounts, taken together by a column, are totals of another table's rows. */
export interface LineSums {
  readonly reference: Reference;
  /** Columns of the header whose sum, or one of which, is what the lines come to. */
  readonly totals: readonly string[];
}

/**
 * References from lines to their documents that sums show, whatever the columns are called: the rows with the same
 * number come to what the document with that number has.
 */
export function referencesBySums(tables: readonly FoundTable[]): readonly LineSums[] {
  const lines = tables.filter((table) => lineProduct(table) !== undefined);
  return lines.slice(0, tried.tablesOfLines).flatMap((table) => {
    return tables
      .filter((header) => header !== table)
      .slice(0, tried.headers)
      .flatMap((header) => sumsOf(table, lineProduct(table)!, header) ?? []);
  });
}

/** A column by which rows of the header are told, alone or with one that tells kinds apart. */
interface HeaderKey {
  readonly column: string;
  readonly beside: string | undefined;
}

function sumsOf(lines: FoundTable, product: LineProduct, header: FoundTable): LineSums | undefined {
  if (header.sample.length < documentsMin) return undefined;
  const totals = totalColumns(header);
  if (totals.length === 0) return undefined;
  for (const key of keysOf(header)) {
    for (const column of columnsLike(key.column, lines)) {
      if (!mayPoint(lines, column, header, key.column)) continue;
      for (const kind of key.beside === undefined
        ? [undefined]
        : kindsOf(lines, column, header, key)) {
        const found = totalsOf(lines, product, { column, beside: kind }, header, key, totals);
        if (found === undefined) continue;
        const isPair = kind !== undefined && key.beside !== undefined;
        return {
          totals: found,
          reference: {
            table: lines.name,
            columns: isPair ? [column, kind] : [column],
            to: header.name,
            toColumns: isPair ? [key.column, key.beside] : [key.column],
            basis: 'found',
            confidence: 0.95,
          },
        };
      }
    }
  }
  return undefined;
}

/** The columns of a table, first those that are called as that one: documents of several kinds may have the same numbers. */
function columnsLike(name: string, { columns }: FoundTable): readonly string[] {
  const isAlike = (one: string) => Number(folded(one) === folded(name));
  return columns
    .map(({ name: column }) => column)
    .sort((one, other) => isAlike(other) - isAlike(one));
}

function totalColumns(header: FoundTable): readonly string[] {
  return likelyAmounts(header)
    .filter(({ name }) => columnFacts(header, name).values.size > 3)
    .map(({ name }) => name)
    .slice(0, tried.totals);
}

const kindValuesMax = 15;

function keysOf(header: FoundTable): readonly HeaderKey[] {
  const isKeyLike = (name: string) => {
    const { kind, filled, rows } = columnFacts(header, name);
    return (kind === 'integer' || kind === 'text') && filled === rows;
  };
  const { columns } = header;
  const primaryKey = tellingKey(header);
  const isPrimary = (name: string) => Number(primaryKey.includes(name));
  const isOfPair = (name: string) => primaryKey.length > 1 && primaryKey.includes(name);
  const alone = columns
    .map(({ name }) => name)
    .filter((name) => !isOfPair(name) && isKeyLike(name) && isUnique(header, [name]))
    .sort((one, other) => isPrimary(other) - isPrimary(one))
    .slice(0, tried.keys);
  const kinds = primaryKey
    .filter((name) => columnFacts(header, name).values.size <= kindValuesMax)
    .sort((one, other) => kindsIn(header, other) - kindsIn(header, one));
  const numbers = primaryKey.filter((name) => columnFacts(header, name).values.size > documentsMin);
  return [
    ...numbers.flatMap((column) =>
      kinds.filter((kind) => kind !== column).map((beside) => ({ column, beside })),
    ),
    ...alone.map((column) => ({ column, beside: undefined })),
  ];
}

function kindsIn(table: FoundTable, column: string): number {
  return columnFacts(table, column).values.size;
}

/** Whether the column repeats in the lines, and most of its values are in the sample of the header. */
function mayPoint(lines: FoundTable, column: string, header: FoundTable, key: string): boolean {
  const { kind, values, rows } = columnFacts(lines, column);
  if (kind !== 'integer' && kind !== 'text') return false;
  if (values.size >= rows || values.size < documentsMin) return false;
  const theirs = columnFacts(header, key).values;
  let held = 0;
  for (const value of values) if (theirs.has(value)) held += 1;
  return held >= documentsMin;
}

/** Columns of the lines with the kinds that the header has beside its number. */
function kindsOf(
  lines: FoundTable,
  column: string,
  header: FoundTable,
  { beside }: HeaderKey,
): readonly string[] {
  const theirs = columnFacts(header, beside!).values;
  return lines.columns
    .map(({ name }) => name)
    .filter((name) => {
      const { values } = columnFacts(lines, name);
      const held = [...values].filter((value) => theirs.has(value)).length;
      return name !== column && values.size <= kindValuesMax && held > 0;
    });
}

/** The columns, one or two of them, that hold what the lines of a document come to. */
function totalsOf(
  lines: FoundTable,
  { amount }: LineProduct,
  own: HeaderKey,
  header: FoundTable,
  key: HeaderKey,
  totals: readonly string[],
): readonly string[] | undefined {
  const idOf = (row: SampleRow, { column, beside }: HeaderKey) =>
    `${beside === undefined ? '' : (row[beside] ?? '')}\n${row[column] ?? ''}`;
  const sums = new Map<string, { sum: number; count: number }>();
  for (const row of lines.sample) {
    const id = idOf(row, own);
    const known = sums.get(id) ?? { sum: 0, count: 0 };
    sums.set(id, { sum: known.sum + numberOrZero(row[amount]), count: known.count + 1 });
  }
  const pairs = header.sample
    .flatMap((row) => {
      const lineSum = sums.get(idOf(row, key));
      return lineSum === undefined || lineSum.sum === 0 ? [] : [{ row, ...lineSum }];
    })
    .slice(0, documentsMax);
  if (pairs.length < documentsMin || !pairs.some(({ count }) => count > 1)) return undefined;
  const holds = (totalIn: (row: SampleRow) => number) =>
    shareOf(pairs, ({ row, sum, count }) => {
      const margin = 0.011 * count + 0.0005 * Math.abs(sum);
      return Math.abs(Math.abs(totalIn(row)) - Math.abs(sum)) <= margin;
    }) >= documentsShare;
  const single = totals.find((one) => holds((row) => numberOrZero(row[one])));
  if (single !== undefined) return [single];
  for (const one of totals) {
    for (const other of totals) {
      if (one === other) continue;
      const isSum =
        one < other && holds((row) => numberOrZero(row[one]) + numberOrZero(row[other]));
      const isDifference = () => holds((row) => numberOrZero(row[one]) - numberOrZero(row[other]));
      if (isSum || isDifference()) return [one, other];
    }
  }
  return undefined;
}
