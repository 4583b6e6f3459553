import type { SourceDocument, SourceRow } from '@drawbridge/records/document.ts';
import type { ReadColumn } from './columns.ts';

/** What an amount in the money of the books begins or ends with, beside the same amount in that of the document. */
const beforeBooks = /^(base|local|home|company|functional|accounting|store)_?(?=[A-Za-z])/i;
const behindBooks =
  /(_?(lcy|mst)|_(base|local|company|lc|hc|sys)|_?(us)?(dollars?|euros?)|_(usd|eur|gbp|aed|myr|sar|chf|inr|sgd)|(?<=[a-z])(Base|Local|LC|HC|Sys?))$/i;
/** What an amount in the money of the document begins or ends with, beside the same amount in that of the books. */
const beforeDocument = /^(doc|cury|txn|trx|foreign|fc|multi_?currency)_?(?=[A-Z])/i;
const behindDocument = /(_(fc|fcy|cur|curr|currency|foreign|fx)|(?<=[a-z])(FC|FCY|Cur|Foreign))$/;

/** The amounts of a source that are in the money of its documents, as far as names and values say. */
export interface DocumentMoney {
  /** Without those in the money of the books; what is marked as the document's has the words of its twin. */
  readonly columns: readonly ReadColumn[];
  /** Amounts of which it cannot be seen in which money they are. */
  readonly doubtful: ReadonlySet<ReadColumn>;
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
      if (held(one) >= held(plain)) {
        ofBooks.add(plain);
        plainOf.set(one, plain);
      } else if (held(one) > 0) {
        // Filled where the currency is a foreign one: neither column has the amounts of all documents.
        ofBooks.add(one);
        doubtful.add(plain);
      }
    }
  }
  const left = columns.filter((column) => !ofBooks.has(column));
  for (const [one, other] of exchanged(left, documents)) {
    if (isLocal(one, other)) ofBooks.add(one);
    else if (isLocal(other, one)) ofBooks.add(other);
    else doubtful.add(one).add(other);
  }
  const own = left
    .filter((column) => !ofBooks.has(column))
    .map((column) => ({ ...column, words: plainOf.get(column)?.words ?? column.words }));
  const isDoubtful = new Set([...doubtful].map(({ column }) => column));
  return { columns: own, doubtful: new Set(own.filter(({ column }) => isDoubtful.has(column))) };
}

/** Whether a name is that of the other column with an L for "local": too little, if the rate did not show it too. */
function isLocal({ column: one }: ReadColumn, { column: other }: ReadColumn): boolean {
  const bare = (name: string) => name.replace(/_\d$/, '').toLowerCase();
  return bare(one.column) === `${bare(other.column)}l`;
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

function held({ values }: ReadColumn): number {
  return values.filter((value) => Number(value) !== 0).length;
}

/** Documents in another currency than that of the books that have to agree, at least. */
const foreignMin = 3;
/** Columns that are compared with each other, at most. */
const comparedMax = 40;

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
      const value = row === undefined ? 0 : numberAt(row, rate);
      return value === 0 || value === 1 ? [] : [{ sections, rate: value }];
    });
    if (foreign.length < foreignMin) return [];
    return ['header', 'lines'].flatMap((section) => {
      const amounts = columns
        .filter((one) => one.column.section === section && one !== rate && isAmount(one))
        .slice(0, comparedMax);
      const isExchanged = (one: ReadColumn, other: ReadColumn) => {
        const pairs = foreign.flatMap(({ sections, rate: by }) =>
          (sections[section] ?? []).flatMap((row) => {
            const [from, to] = [numberAt(row, one), numberAt(row, other)];
            return from === 0 && to === 0 ? [] : [{ expected: from * by, to }];
          }),
        );
        const isTold = pairs.length >= foreignMin;
        return isTold && pairs.every(({ expected, to }) => isNear(expected, to));
      };
      return amounts.flatMap((one) =>
        amounts
          .filter((other) => one !== other && isExchanged(one, other))
          .map((other) => [one, other] as const),
      );
    });
  });
}

function numberAt(row: SourceRow, { column }: ReadColumn): number {
  return Number(row.values[column.column] ?? 0) || 0;
}

function isNear(one: number, other: number): boolean {
  return Math.abs(one - other) <= 0.011 + Math.abs(other) * 0.001;
}
