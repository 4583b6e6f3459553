import type { SourceDocument } from '@drawbridge/records/document.ts';
import { conceptsOf } from '../concepts.ts';
import type { Join } from '../mapping.ts';
import type { Role } from '../vocabulary.ts';
import { roleOf, wordsOf } from '../words.ts';

/** A column of the source with a few sample values, as connectors describe it. */
export interface DescribedColumn {
  readonly section: string;
  readonly origin: string;
  readonly column: string;
  readonly samples: readonly string[];
}

/** A column, and what its name, its section and its values say. */
export interface ReadColumn {
  readonly column: DescribedColumn;
  /** Words of its own name, without those that name an owner. */
  readonly words: ReadonlySet<string>;
  /** What the section is about, where that is one thing: country, currency, unit. */
  readonly context: ReadonlySet<string>;
  readonly role: Role;
  /** The owner in the column's own name (`customer_name` in the header). */
  readonly owner: Role | undefined;
  /** Values that are not empty, of the sample documents or of the description. */
  readonly values: readonly string[];
  /** The share of rows that hold something; undefined where no documents were read. */
  readonly filled: number | undefined;
  /** Whether it only points at a row of another table. */
  readonly isKey: boolean;
  /** Whether another section is found by it. */
  readonly isJoined: boolean;
}

/** Words of a column that name whose value it is. */
export const owners: ReadonlySet<string> = new Set(['buyer', 'seller', 'supplier']);

const sectionRoles: Readonly<Record<string, Role>> = {
  header: 'document',
  lines: 'line',
  customer: 'buyer',
  item: 'item',
  seller: 'seller',
  taxes: 'tax',
};

/** Reads a column; `documents` give it more values than the description has. */
export function readColumn(
  column: DescribedColumn,
  documents: readonly SourceDocument[],
  joins: Readonly<Record<string, Join>>,
  prefixes: Prefixes = new Map(),
): ReadColumn {
  const all = wordsOf(withoutPrefix(column, prefixes));
  const { role, context } = placeOf(column);
  const isParty = role === 'buyer' || role === 'seller';
  // "Company" beside a customer is that customer's firm.
  const owner = isParty ? undefined : ownerOf(all);
  const own = all.filter((word) => !owners.has(word));
  const named = own.length > 0 ? own : isParty && all.includes('seller') ? ['name'] : all;
  const rows = documents.flatMap(({ sections }) => sections[column.section] ?? []);
  const values = rows
    .map((row) => row.values[column.column] ?? '')
    .filter((one) => one.trim() !== '');
  const isRead = documents.length > 0 && rows.length > 0;
  const isJoined = Object.values(joins).some(
    (join) => join.parent === column.section && join.parent_column === column.column,
  );
  const isNumber = column.samples.every((sample) => /^\d{1,12}$/.test(sample));
  return {
    column,
    words: new Set(withoutAddress(named)),
    context,
    role,
    owner,
    values: isRead ? values : column.samples,
    filled: isRead ? values.length / rows.length : undefined,
    isKey:
      isKey(all, isRead ? values : column.samples) ||
      (isJoined && isNumber) ||
      (values.length === 0 && /^fk_/i.test(column.column)),
    isJoined,
  };
}

/** Columns of a table of which so many begin alike as a rule, for that beginning to say nothing. */
const prefixedMin = 5;
const prefixedShare = 0.7;
/** So many columns for a short beginning that is no word. */
const unknownMin = 3;

/** By section, beginnings of columns that say nothing. */
type Prefixes = ReadonlyMap<string, readonly string[]>;

/** By section, what most of its columns begin with: `ct_` of CT_Name, CT_City, CT_Phone. */
export function prefixesOf(columns: readonly DescribedColumn[]): Prefixes {
  const found = new Map<string, readonly string[]>();
  for (const [section, own] of Map.groupBy(columns, (column) => column.section)) {
    const counts = new Map<string, number>();
    for (const { column } of own) {
      const first = /^[A-Za-z]+_(?=.)/.exec(column)?.[0];
      if (first !== undefined) counts.set(first, (counts.get(first) ?? 0) + 1);
    }
    const isIdle = ([prefix, count]: readonly [string, number]) =>
      (own.length >= prefixedMin && count / own.length >= prefixedShare) ||
      (count >= unknownMin &&
        prefix.length <= 4 &&
        conceptsOf(prefix.slice(0, -1).toLowerCase()) === undefined);
    found.set(
      section,
      [...counts].filter(isIdle).map(([prefix]) => prefix),
    );
  }
  return found;
}

function withoutPrefix({ section, column }: DescribedColumn, prefixes: Prefixes): string {
  const prefix = prefixes.get(section)?.find((one) => column.startsWith(one));
  return prefix === undefined || column.length === prefix.length
    ? column
    : column.slice(prefix.length);
}

const partsOfAddress = ['city', 'postcode', 'state', 'country', 'phone', 'email'];

/** `address_city` is a city, and no address. */
function withoutAddress(words: readonly string[]): readonly string[] {
  const isPart = words.includes('address') && words.some((word) => partsOfAddress.includes(word));
  return isPart ? words.filter((word) => word !== 'address') : words;
}

/** `customer_country` is about the country of the buyer. */
function placeOf({ section, origin }: DescribedColumn): {
  readonly role: Role;
  readonly context: ReadonlySet<string>;
} {
  const [first = '', ...rest] = section.split('_');
  const role = Object.hasOwn(sectionRoles, first) ? sectionRoles[first] : undefined;
  if (role === undefined) return { role: roleOf(section, origin), context: new Set() };
  return { role, context: new Set(wordsOf(rest.join('_'))) };
}

function ownerOf(words: readonly string[]): Role | undefined {
  const isBillTo = words.includes('invoice') && words.includes('to');
  if (words.includes('buyer') || words.includes('card') || isBillTo) return 'buyer';
  return words.includes('seller') || words.includes('supplier') ? 'seller' : undefined;
}

/**
 * Whether name and samples are those of a foreign key, which refers to a row and has no own value.
 */
function isKey(words: readonly string[], samples: readonly string[]): boolean {
  const last = words.at(-1);
  const isNamed = last === 'key' || last === 'id';
  const values = samples.filter((sample) => sample.trim() !== '');
  return (
    isNamed &&
    !words.includes('vatnumber') &&
    values.length > 0 &&
    values.every((value) => /^(\d{1,12}|[0-9a-f-]{32,36})$/i.test(value))
  );
}

/** The one rate or code of tax that a header has for all lines. */
export function isHeaderTax({ column, role, words }: ReadColumn): boolean {
  const isTold = words.has('rate') || words.has('percent') || words.has('code');
  return role === 'document' && column.section === 'header' && words.has('tax') && isTold;
}
