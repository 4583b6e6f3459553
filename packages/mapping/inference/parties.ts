import type { Join } from '../mapping.ts';
import type { DescribedColumn } from './columns.ts';

/** How columns of whom is invoiced are marked, at the beginning or the end. */
const billing = /^(bill|billto|billing|invoice|payer|pay|payto|payment|b|bt|bl)$/;
/** How those of whom goods or offers go to are marked. */
const others =
  /^(ship|shipto|shipping|delivery|deliv|del|sell|sellto|sold|soldto|order|ordered|s|st|sh|d|dl|dt)$/;

/** Columns that two parties have, at least. */
const sharedMin = 3;

/**
 * Columns of whom goods or offers go to, where the same section has those of whom is invoiced too: `StreetS` beside
 * `StreetB`, `Sell-to City` beside `Bill-to City`; and those of sections that such a column leads to. Not where the
 * customer is found by one of them.
 */
export function columnsOfOthers(
  columns: readonly DescribedColumn[],
  joins: Readonly<Record<string, Join>>,
): ReadonlySet<DescribedColumn> {
  const found = markedColumns(columns, joins);
  const isFoundByOthers = ({ section }: DescribedColumn) => {
    const join = joins[section];
    return [...found].some(
      (one) => one.section === join?.parent && one.column === join.parent_column,
    );
  };
  return new Set([...found, ...columns.filter(isFoundByOthers)]);
}

function markedColumns(
  columns: readonly DescribedColumn[],
  { customer }: Readonly<Record<string, Join>>,
): ReadonlySet<DescribedColumn> {
  const isOfCustomer = ({ section, column }: DescribedColumn) =>
    section === customer?.parent && column === customer.parent_column;
  const found = new Set<DescribedColumn>();
  for (const section of Map.groupBy(columns, ({ section }) => section).values()) {
    for (const place of ['beginning', 'end'] as const) {
      const byMark = Map.groupBy(
        section.map((column) => ({ column, ...partsOf(column.column, place) })),
        ({ mark }) => mark,
      );
      const billed = [...byMark].filter(([mark]) => billing.test(mark));
      for (const [mark, own] of byMark) {
        if (!others.test(mark) || own.some(({ column }) => isOfCustomer(column))) continue;
        const isBeside = billed.some(([, them]) => {
          const rests = new Set(them.map(({ rest }) => rest));
          return own.filter(({ rest }) => rests.has(rest)).length >= sharedMin;
        });
        if (isBeside) for (const { column } of own) found.add(column);
      }
    }
  }
  return found;
}

/** `Bill-to City` is "bill" and "city"; `ZipCodeB` is "b" and "zip code". */
function partsOf(name: string, place: 'beginning' | 'end'): { mark: string; rest: string } {
  const words = name
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word, at) => word !== '' && !(word === 'to' && at === 1));
  const mark = (place === 'beginning' ? words.shift() : words.pop()) ?? '';
  return { mark, rest: words.join(' ') };
}
