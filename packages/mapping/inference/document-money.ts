import type { SourceDocument } from '@drawbridge/records/document.ts';
import { isCurrency } from '../code-names.ts';
import { hasTotal, sumsOf } from './arithmetic/document-sums.ts';
import { type Arithmetic, findArithmetic } from './arithmetic.ts';
import type { ReadColumn } from './columns.ts';
import { countNotZero, numberOrZeroAt, shareOf } from './numbers.ts';

/** What a column in the money of the books begins with. */
export const booksName = /^(base|local|home|company|functional|accounting|store)_?/i;

/** What an amount in the money of the books begins or ends with, beside the same amount in that of the document. */
const beforeBooks = new RegExp(`${booksName.source}(?=[A-Za-z])`, booksName.flags);
const behindBooks =
  /(_?(lcy|mst)|_(base|local|company|lc|hc|sys)|_?(us)?(dollars?|euros?)|_(usd|eur|gbp|aed|myr|sar|chf|inr|sgd)|(?<=[a-z])(Base|Local|LC|SC|HC|Sys?))$/i;
/** What an amount in the money of the document begins or ends with, beside the same amount in that of the books. */
const beforeDocument = /^(doc|cury|txn|trx|foreign|fc|fx|multi_?currency)_?(?=[A-Z])/i;
const behindDocument =
  /(_(fc|fcy|cur|curr|currency|foreign|fx)|(?<=[a-z])(FC|FCY|Cur|Foreign|Frgn|Frg))$/;

/** The amounts of a source that are in the money of its documents, as far as names and values say. */
export interface DocumentMoney {
  /** Without those in the money of the books; what is marked as the document's has the words of its twin. */
  readonly columns: readonly ReadColumn[];
  /** Amounts of which it cannot be seen in which money they are. */
  readonly doubtful: ReadonlySet<ReadColumn>;
  /** Amounts that are the document's only where its currency is that of the books. */
  readonly ofBooks: ReadonlySet<ReadColumn>;
  /** The documents whose amounts can be compared: where there are such amounts, those in that currency. */
  readonly documents: readonly SourceDocument[];
}

/**
 * Tells amounts that a document has twice: `base_total` beside `total`, `UnitPrice` beside `DocUnitPrice`. The buyer
 * is asked for those in the document's money. Where no name says which of two these are, but one is the other times
 * the rate of exchange, a person has to look.
 */
export function documentMoney(
  columns: readonly ReadColumn[],
  documents: readonly SourceDocument[],
): DocumentMoney {
  const ofBooks = new Set<ReadColumn>();
  const doubtful = new Set<ReadColumn>();
  const inBooks = new Set<ReadColumn>();
  const currency = currencyColumn(columns);
  const currenciesOf = (one: ReadColumn) => foreignCurrencies(one, currency, documents);
  const plainOf = new Map<ReadColumn, ReadColumn>();
  for (const [, section] of Map.groupBy(columns, ({ column }) => column.section)) {
    const amounts = new Map(
      section.filter(isAmount).map((one) => [one.column.column.toLowerCase(), one]),
    );
    const twinOf = ({ column: { column } }: ReadColumn, pattern: RegExp) =>
      pattern.test(column) ? amounts.get(column.replace(pattern, '').toLowerCase()) : undefined;
    for (const one of amounts.values()) {
      if (twinOf(one, beforeBooks) !== undefined || twinOf(one, behindBooks) !== undefined) {
        ofBooks.add(one);
      }
      const plain = twinOf(one, beforeDocument) ?? twinOf(one, behindDocument);
      if (plain === undefined) continue;
      if (countNotZero(one) >= countNotZero(plain)) {
        ofBooks.add(plain);
        plainOf.set(one, plain);
      } else if (countNotZero(one) > 0) {
        // Filled where the currency is a foreign one: neither column has the amounts of all documents.
        ofBooks.add(one);
        (currenciesOf(one) === undefined ? doubtful : inBooks).add(plain);
      }
    }
  }
  const left = columns.filter((column) => !ofBooks.has(column));
  for (const [one, other] of exchanged(left, documents)) {
    if (isLocal(one, other)) ofBooks.add(one);
    else if (isLocal(other, one)) ofBooks.add(other);
    else if (currenciesOf(one) !== undefined) {
      ofBooks.add(one);
      inBooks.add(other);
    } else doubtful.add(one).add(other);
  }
  const own = left
    .filter((column) => !ofBooks.has(column))
    .map((column) => ({ ...column, words: plainOf.get(column)?.words ?? column.words }));
  const ownOf = (found: ReadonlySet<ReadColumn>) => {
    const described = new Set([...found].map(({ column }) => column));
    return new Set(own.filter(({ column }) => described.has(column)));
  };
  const foreign = new Set([...ofBooks].flatMap((one) => [...(currenciesOf(one) ?? [])]));
  const isOwn = ({ sections }: SourceDocument) => !foreign.has(textAt(sections, currency));
  return {
    columns: own,
    doubtful: ownOf(doubtful),
    ofBooks: ownOf(inBooks),
    documents: inBooks.size === 0 ? documents : documents.filter(isOwn),
  };
}

/** The column that says in which currency a document is, where there are several. */
export function currencyColumn(columns: readonly ReadColumn[]): ReadColumn | undefined {
  return columns.find(
    ({ column, values }) =>
      column.section === 'header' &&
      new Set(values).size > 1 &&
      values.every((value) => isCurrency(value.trim())),
  );
}

function textAt(sections: SourceDocument['sections'], column: ReadColumn | undefined): string {
  return (column && sections[column.column.section]?.[0]?.values[column.column.column]) ?? '';
}

/** The currencies of the documents that hold an amount, where those of other currencies hold none. */
function foreignCurrencies(
  amount: ReadColumn,
  currency: ReadColumn | undefined,
  documents: readonly SourceDocument[],
): ReadonlySet<string> | undefined {
  if (currency === undefined) return undefined;
  const isHeld = ({ sections }: SourceDocument) =>
    (sections[amount.column.section] ?? []).some((row) => numberOrZeroAt(row, amount) !== 0);
  const [holding, empty] = [true, false].map(
    (wanted) =>
      new Set(
        documents
          .filter((document) => isHeld(document) === wanted)
          .map(({ sections }) => textAt(sections, currency)),
      ),
  );
  const isBoth = [...holding!].some((one) => empty!.has(one));
  return holding!.size > 0 && empty!.size > 0 && !isBoth ? holding : undefined;
}

/** What the sums say, and the amounts that are the document's only where its currency is that of the books. */
export function sumsByCurrency(
  { columns, ofBooks, documents: compared }: DocumentMoney,
  documents: readonly SourceDocument[],
): { readonly sums: Arithmetic; readonly ofBooks: ReadonlySet<ReadColumn> } {
  const all = findArithmetic(columns, compared);
  const sums =
    all.totals.size > 0 ? all : findArithmetic(columns, inOneCurrency(columns, documents));
  return areTotalsOfBooks(sums, columns, documents)
    ? { sums, ofBooks: new Set([...ofBooks, ...sums.totals.keys()]) }
    : { sums: all, ofBooks };
}

/** The documents in the currency that most of them are in. */
function inOneCurrency(
  columns: readonly ReadColumn[],
  documents: readonly SourceDocument[],
): readonly SourceDocument[] {
  const currency = currencyColumn(columns);
  const groups = Map.groupBy(documents, ({ sections }) => textAt(sections, currency));
  return [...groups.values()].toSorted((one, other) => other.length - one.length)[0] ?? [];
}

/**
 * Whether the totals of the header are in the money of the books though the prices of the lines are in that of the
 * document: in some currencies they are what the lines come to, in others they never are.
 */
function areTotalsOfBooks(
  { quantity, price, discount, totals }: Arithmetic,
  columns: readonly ReadColumn[],
  documents: readonly SourceDocument[],
): boolean {
  const currency = currencyColumn(columns);
  if (currency === undefined || quantity === undefined || price === undefined) return false;
  const product = { quantity, price, discount };
  return [...totals].some(([total, kind]) => {
    if (kind !== 'net' && kind !== 'lines') return false;
    const shares = [
      ...Map.groupBy(documents, ({ sections }) => textAt(sections, currency)).values(),
    ].map((some) => {
      const share = shareOf(some, (document) => {
        const sums = sumsOf(document, product);
        return hasTotal(sums, total, sums.sum);
      });
      return { count: some.length, share };
    });
    const isForeign = shares.some(({ count, share }) => count >= foreignMin && share === 0);
    return isForeign && shares.some(({ share }) => share >= ownShareMin);
  });
}

/** The share of the documents in the currency of the books of which the lines come to a total, at least. */
const ownShareMin = 0.9;

/** What says in which money an amount is: too little, if the rate did not show it too. */
const foreignName = /foreign|frgn|(^|_)(fc|fcy|fx)(_|$)|^(cury|trx|txn)(?=_|[A-Z])/i;

/**
 * Whether one of two amounts is that of the books by their names: the other is called foreign, or it is called as the
 * other with an L for "local".
 */
function isLocal(
  { column: { column: one } }: ReadColumn,
  { column: { column: other } }: ReadColumn,
): boolean {
  const bare = (name: string) => name.replace(/_\d$/, '').toLowerCase();
  const isForeign = foreignName.test(other) && !foreignName.test(one);
  return isForeign || bare(one) === `${bare(other)}l`;
}

const noAmounts = ['id', 'number', 'vatnumber', 'registration', 'reference', 'code', 'phone'];

function isAmount({ words, values, isKey, isJoined }: ReadColumn): boolean {
  return (
    !isKey &&
    !isJoined &&
    !noAmounts.some((word) => words.has(word)) &&
    values.length > 0 &&
    values.every((one) => !Number.isNaN(Number(one)))
  );
}

/** Documents in another currency than that of the books that have to agree, at least. */
const foreignMin = 3;
/** Columns that are compared with each other, at most. */
const comparedMax = 200;

/** Pairs of columns of which one is the other times the rate of the document. */
function exchanged(
  columns: readonly ReadColumn[],
  documents: readonly SourceDocument[],
): readonly (readonly [ReadColumn, ReadColumn])[] {
  const rates = columns.filter(
    (one) =>
      one.role === 'document' &&
      isAmount(one) &&
      (one.words.has('rate') || one.words.has('exchange')) &&
      one.values.some((value) => Number(value) !== 1),
  );
  return rates.flatMap((rate) => {
    const foreign = documents.flatMap(({ sections }) => {
      const row = sections[rate.column.section]?.[0];
      const value = row === undefined ? 0 : numberOrZeroAt(row, rate);
      return value === 0 || value === 1 ? [] : [{ sections, rate: value }];
    });
    if (foreign.length < foreignMin) return [];
    return ['header', 'lines'].flatMap((section) => {
      const rows = foreign.flatMap(({ sections, rate: by }) =>
        (sections[section] ?? []).map((row) => ({ row, by })),
      );
      const amounts = columns
        .filter((one) => one.column.section === section && one !== rate && isAmount(one))
        .slice(0, comparedMax)
        .map((one) => ({ one, values: rows.map(({ row }) => numberOrZeroAt(row, one)) }));
      const areExchanged = (from: readonly number[], to: readonly number[]) => {
        const isTold = (_: unknown, at: number) => from[at] !== 0 || to[at] !== 0;
        return (
          rows.every(({ by }, at) => isExchanged(from[at]! * by, to[at]!)) &&
          rows.filter(isTold).length >= foreignMin
        );
      };
      return amounts.flatMap(({ one, values }) =>
        amounts
          .filter((other) => one !== other.one && areExchanged(values, other.values))
          .map((other) => [one, other.one] as const),
      );
    });
  });
}

/** Whether an amount is another one times the rate, which may have been rounded too. */
function isExchanged(expected: number, found: number): boolean {
  return Math.abs(expected - found) <= 0.011 + Math.abs(found) * 0.001;
}
