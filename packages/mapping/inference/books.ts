import type { ReadColumn } from './columns.ts';

/** What an amount in the money of the books begins or ends with, beside the same amount in that of the document. */
const beforeBooks = /^(base|local|home|company|functional|accounting|store)_?(?=[A-Za-z])/i;
const behindBooks = /(_?(lcy|mst)|_(base|local|company)|(?<=[a-z])(Base|Local))$/i;
/** What an amount in the money of the document begins with, beside the same amount in that of the books. */
const beforeDocument = /^(doc|cury|txn|trx|foreign)_?(?=[A-Z])/i;

/**
 * Columns that say in the money of the books what another column says in that of the document: `base_total` beside
 * `total`, `UnitPrice` beside `DocUnitPrice`. The buyer is asked for the other one.
 */
export function amountsOfBooks(columns: readonly ReadColumn[]): ReadonlySet<ReadColumn> {
  const found = new Set<ReadColumn>();
  for (const [, section] of Map.groupBy(columns, ({ column }) => column.section)) {
    const amounts = new Map(
      section.filter(isNumeric).map((one) => [one.column.column.toLowerCase(), one]),
    );
    for (const [, one] of amounts) {
      const name = one.column.column;
      const twinOf = (pattern: RegExp) =>
        pattern.test(name) ? amounts.get(name.replace(pattern, '').toLowerCase()) : undefined;
      if (twinOf(beforeBooks) !== undefined || twinOf(behindBooks) !== undefined) found.add(one);
      const plain = twinOf(beforeDocument);
      // Some systems fill it only where the currency is a foreign one.
      if (plain !== undefined && isAsFull(one, plain)) found.add(plain);
    }
  }
  return found;
}

const noAmounts = ['id', 'number', 'vatnumber', 'registration', 'reference', 'code', 'phone'];

function isNumeric({ words, values, isKey, isJoined }: ReadColumn): boolean {
  return (
    !isKey &&
    !isJoined &&
    !noAmounts.some((word) => words.has(word)) &&
    values.length > 0 &&
    values.every((one) => !Number.isNaN(Number(one)))
  );
}

function isAsFull(one: ReadColumn, other: ReadColumn): boolean {
  const held = ({ values }: ReadColumn) => values.filter((value) => Number(value) !== 0).length;
  return held(one) >= held(other);
}
