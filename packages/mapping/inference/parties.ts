import type { DescribedColumn } from './columns.ts';

/** How columns of whoever is invoiced are marked, at the beginning or the end, where others have those of the other. */
const billing = /^(bill|billto|billing|invoice|payer|pay|payto|payment|b|bt|bl)$/;
const others =
  /^(ship|shipto|shipping|delivery|deliv|del|sell|sellto|sold|soldto|order|ordered|s|st|sh|d|dl|dt)$/;

/** Columns that two parties have, at least. */
const sharedMin = 3;

/**
 * Columns of whom goods or offers go to, where the same section has those of whom is invoiced too: `StreetS` beside
 * `StreetB`, `Sell-to City` beside `Bill-to City`.
 */
export function columnsOfOthers(columns: readonly DescribedColumn[]): ReadonlySet<DescribedColumn> {
  const found = new Set<DescribedColumn>();
  for (const section of Map.groupBy(columns, ({ section }) => section).values()) {
    for (const place of ['beginning', 'end'] as const) {
      const byMark = Map.groupBy(
        section.map((column) => ({ column, ...partsOf(column.column, place) })),
        ({ mark }) => mark,
      );
      const billed = [...byMark].filter(([mark]) => billing.test(mark));
      for (const [mark, own] of byMark) {
        if (!others.test(mark)) continue;
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
