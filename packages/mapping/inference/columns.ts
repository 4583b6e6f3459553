import type { SourceDocument } from '@drawbridge/records/document.ts';
import { type Affixes, idleAffixes, withoutAffixes, withoutTable } from '../column-affixes.ts';
import type { Join } from '../mapping.ts';
import type { Role } from '../vocabulary.ts';
import { roleOf, wordsOf } from '../words.ts';
import { areGrouped } from './grouped-digits.ts';

/** A column of the source with a few sample values, as connectors describe it. */
export interface DescribedColumn {
  readonly section: string;
  readonly origin: string;
  readonly column: string;
  readonly samples: readonly string[];
  /** In the database's own words, where the connector knows it. */
  readonly type?: string;
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
  /** Whether the rows of its own section are found by it: it repeats what points at them. */
  readonly isMatch: boolean;
  /** Whether points stand between thousands in its numbers. */
  readonly isGrouped: boolean;
  /** Whether its name is cut to letters that may stand for other words too. */
  readonly isCut: boolean;
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
  affixes: SectionAffixes = noAffixes,
): ReadColumn {
  const own = affixes.bySection.get(column.section);
  const told = own === undefined ? column.column : withoutAffixes(column.column, own);
  const bare = withoutTable(told, column.origin);
  const { role, context } = placeOf(column);
  const all =
    (role === 'line' ? done.get(bare.toLowerCase()) : undefined) ??
    (column.section === 'header' ? wordsOfPayer(column.column, affixes.ofPayer) : undefined) ??
    wordsOf(bare);
  const isParty = role === 'buyer' || role === 'seller';
  // "Company" beside a customer is that customer's firm.
  const owner = isParty ? undefined : ownerOf(all);
  const unowned = withoutLetters(all.filter((word) => !owners.has(word)));
  const named = unowned.length > 0 ? unowned : isParty && all.includes('seller') ? ['name'] : all;
  const rows = documents.flatMap(({ sections }) => sections[column.section] ?? []);
  const values = rows
    .map((row) => row.values[column.column] ?? '')
    .filter((one) => one.trim() !== '' && !noDay.test(one));
  const isRead = documents.length > 0 && rows.length > 0;
  const isJoined = Object.values(joins).some(
    (join) => join.parent === column.section && join.parent_column === column.column,
  );
  const isNumber = column.samples.every((sample) => /^\d{1,12}$/.test(sample));
  return {
    column,
    words: new Set(withoutItem(withoutAddress(named))),
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
    isGrouped: areGrouped(isRead ? values : column.samples, column.type),
    isMatch: joins[column.section]?.column === column.column,
    isCut: own?.endings.some((ending) => column.column.endsWith(ending)) === true,
  };
}

/** Days by which systems without empty ones say that there is none. */
const noDay = /^(0000-00-00|0001-01-01|1753-01-01|1899-12-30|1900-01-01)/;

/** What the names of the columns of a section begin or end with, and says nothing. */
interface SectionAffixes {
  readonly bySection: ReadonlyMap<string, Affixes>;
  /** What the address of whoever pays begins with in the header. */
  readonly ofPayer: readonly string[];
}

const noAffixes: SectionAffixes = { bySection: new Map(), ofPayer: [] };

/** By section, what most of its columns begin or end with: `ct_` of CT_Name, CT_City, CT_Phone. */
export function affixesOf(columns: readonly DescribedColumn[]): SectionAffixes {
  const bySection = Map.groupBy(columns, ({ section }) => section);
  const idle = [...bySection].map(
    ([section, own]) => [section, idleAffixes(own.map(({ column }) => column))] as const,
  );
  return {
    bySection: new Map(idle),
    ofPayer: addressPrefixes(bySection.get('header') ?? []),
  };
}

const partsOfParty = ['address', 'city', 'postcode', 'country', 'state', 'name', 'seller', 'phone'];
/** Parts of an address with the same beginning, at least. */
const addressPartsMin = 3;

/** `payment_` of payment_city, payment_postcode, payment_country. */
function addressPrefixes(header: readonly DescribedColumn[]): readonly string[] {
  const parts = new Map<string, Set<string>>();
  for (const { column } of header) {
    const [, prefix] = /^([a-z]+_)[a-z]/i.exec(column) ?? [];
    if (prefix === undefined || !wordsOf(prefix).includes('payment')) continue;
    const known = parts.get(prefix) ?? new Set();
    for (const word of wordsOf(column.slice(prefix.length))) known.add(word);
    parts.set(prefix, known);
  }
  const count = (words: ReadonlySet<string>) =>
    ['address', 'city', 'postcode', 'country'].filter((part) => words.has(part)).length;
  return [...parts].flatMap(([prefix, words]) => (count(words) >= addressPartsMin ? [prefix] : []));
}

/** The words of a column of that address, which are the buyer's; "company" is the firm's name there. */
function wordsOfPayer(column: string, prefixes: readonly string[]): readonly string[] | undefined {
  const prefix = prefixes.find((one) => column.startsWith(one));
  const words = prefix === undefined ? [] : wordsOf(column.slice(prefix.length));
  if (!words.some((word) => partsOfParty.includes(word))) return undefined;
  return ['buyer', ...(words.join() === 'seller' ? ['name'] : words)];
}

/** What was done with the goods of a line is how many: `billed`. */
const done: ReadonlyMap<string, readonly string[]> = new Map([
  ['billed', ['invoice', 'quantity']],
  ['invoiced', ['invoice', 'quantity']],
  ['ordered', ['order', 'quantity']],
  ['shipped', ['delivery', 'quantity']],
  ['delivered', ['delivery', 'quantity']],
]);

/** A letter alone is the type of a column or the part of an ERP that it is of: `f` of fQuantity, `i` of i_price. */
function withoutLetters(words: readonly string[]): readonly string[] {
  const written = words.filter((word) => !/^[a-z]$/.test(word));
  return written.length > 0 ? written : words;
}

const ofItems = ['quantity', 'price', 'discount'];

/** `product_qty` and `item_unit_price` are of an item as all is that a line has. */
function withoutItem(words: readonly string[]): readonly string[] {
  const isTold = ofItems.some((word) => words.includes(word));
  return isTold ? words.filter((word) => word !== 'item') : words;
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
  // The firm that a customer's row points at for its name is the customer.
  if (rest.join() === 'party') return { role, context: new Set() };
  return { role, context: new Set(wordsOf(rest.join('_'))) };
}

function ownerOf(words: readonly string[]): Role | undefined {
  const isBillTo = words.includes('invoice') && words.includes('to');
  if (words.includes('buyer') || words.includes('card') || isBillTo) return 'buyer';
  return words.includes('seller') || words.includes('supplier') ? 'seller' : undefined;
}

/**
 * Whether name and samples are those of a foreign key, which refers to a row and has no own value: -1 and -99 to none.
 */
function isKey(words: readonly string[], samples: readonly string[]): boolean {
  const [first, second] = words;
  const last = words.at(-1);
  const isBefore = first === 'id' && words.length === 2 && !ofIdentity.has(second!);
  const isNamed = last === 'key' || last === 'id' || isBefore;
  const values = samples.filter((sample) => sample.trim() !== '');
  return (
    isNamed &&
    !words.includes('vatnumber') &&
    values.length > 0 &&
    values.every((value) => /^(-?\d{1,12}|[0-9a-f-]{32,36})$/i.test(value))
  );
}

/** What makes an "id" before it that of a person or firm: `id_number`, `id_type`. */
const ofIdentity: ReadonlySet<string> = new Set(['number', 'type', 'code', 'name']);

/** Whether a document is known by that value, alone or behind the name of its file: `export.csv#I-1`. */
export function isNamedBy(ref: string, value: string): boolean {
  return ref === value || ref.endsWith(`#${value}`);
}

/** The one rate or code of tax that a header has for all lines. */
export function isHeaderTax({ column, role, words }: ReadColumn): boolean {
  const isTold = words.has('rate') || words.has('percent') || words.has('code');
  return role === 'document' && column.section === 'header' && words.has('tax') && isTold;
}

/** Whether it is called as another column is, but with tax: `total_incl` beside `total_excl`. */
export function isCalledWithTax({ words }: ReadColumn, without: ReadColumn): boolean {
  if (!without.words.has('net')) return false;
  const wanted = new Set([...without.words].map((word) => (word === 'net' ? 'gross' : word)));
  return words.size === wanted.size && [...wanted].every((word) => words.has(word));
}

/** Whether it is called a tax, and no amount with or without one: `total_tax`, not `total_excl_tax`. */
export function isTaxAmount({ words }: ReadColumn): boolean {
  return words.has('tax') && !words.has('net') && !words.has('gross');
}
