import type { Join } from '../mapping.ts';
import { writtenWords } from '../words.ts';
import type { DescribedColumn } from './columns.ts';

/** How columns of whom is invoiced are marked, at the beginning or the end. */
const invoicedMark =
  /^(bill|billto|billing|invoice|inv|fact|fak|rech|payer|pay|payto|payment|b|bt|bl)$/;
/** How those of whom goods or offers go to are marked. */
const otherMark =
  /^(ship|shipto|shipping|delivery|deliv|del|sell|sellto|sold|soldto|order|ordered|s|st|sh|d|dl|dt)$/;

/** Columns that two parties have, at least. */
const sharedMin = 3;

/**
 * Columns of whom goods or offers go to, where the same section has those of whom is invoiced too: `StreetS` beside
 * `StreetB`, `Sell-to City` beside `Bill-to City`; and those of sections that such a column leads to. Not where the
 * customer is found by one of them.
 */
export function columnsOfOtherParties(
  columns: readonly DescribedColumn[],
  joins: Readonly<Record<string, Join>>,
): ReadonlySet<DescribedColumn> {
  const found = markedColumns(columns, joins);
  const isFoundByOtherParty = ({ section }: DescribedColumn) => {
    const join = joins[section];
    return [...found].some(
      (one) => one.section === join?.parent && one.column === join.parent_column,
    );
  };
  return new Set([...found, ...columns.filter(isFoundByOtherParty)]);
}

function markedColumns(
  columns: readonly DescribedColumn[],
  { customer }: Readonly<Record<string, Join>>,
): readonly DescribedColumn[] {
  const isOfCustomer = ({ column: { section, column } }: MarkedColumn) =>
    section === customer?.parent && column === customer.parent_column;
  const sections = [...Map.groupBy(columns, ({ section }) => section).values()];
  return sections.flatMap((section) =>
    (['beginning', 'end'] as const).flatMap((place) => {
      const parties = partiesOf(section, place);
      const invoiced = parties.filter(({ mark }) => invoicedMark.test(mark));
      return parties
        .filter(
          (party) =>
            otherMark.test(party.mark) &&
            !party.columns.some(isOfCustomer) &&
            invoiced.some((one) => areAlike(one, party)),
        )
        .flatMap((party) => party.columns.map(({ column }) => column));
    }),
  );
}

interface MarkedColumn {
  readonly column: DescribedColumn;
  readonly mark: string;
  /** Its name without the mark. */
  readonly rest: string;
}

interface Party {
  readonly mark: string;
  readonly columns: readonly MarkedColumn[];
}

/** The columns of a section by how they are marked at that place. */
function partiesOf(
  section: readonly DescribedColumn[],
  place: 'beginning' | 'end',
): readonly Party[] {
  const marked = section.map((column) => markedAt(place, column));
  return [...Map.groupBy(marked, ({ mark }) => mark)].map(([mark, own]) => ({
    mark,
    columns: own,
  }));
}

/** `Bill-to City` is "bill" and "city"; `ZipCodeB` is "b" and "zip code". */
function markedAt(place: 'beginning' | 'end', column: DescribedColumn): MarkedColumn {
  const words = writtenWords(column.column).filter((word, at) => !(word === 'to' && at === 1));
  const mark = (place === 'beginning' ? words.shift() : words.pop()) ?? '';
  return { column, mark, rest: words.join(' ') };
}

/** Whether columns of one party are called as those of the other are, but for the mark. */
function areAlike(one: Party, other: Party): boolean {
  const rests = new Set(one.columns.map(({ rest }) => rest));
  return other.columns.filter(({ rest }) => rests.has(rest)).length >= sharedMin;
}
