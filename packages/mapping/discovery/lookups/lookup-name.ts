import { isCurrency } from '../../code-names.ts';
import { shareOf } from '../../inference/numbers.ts';
import { hasStreetAndCity } from '../attribute-rows.ts';
import {
  columnFacts,
  type FoundTable,
  isWholeKey,
  type Reference,
  type SampleRow,
  wordsOfColumn,
} from '../database.ts';
import { subjectOf } from '../references.ts';
import type { ProposedSection } from '../sections/section.ts';
import type { LookupContext } from './lookup-context.ts';
import {
  holdsTaxpayers,
  isAddressTable,
  isDocument,
  isNamed,
  isPrincipal,
  leadsToPlace,
  saysTaxpayer,
} from './table-facts.ts';
import { isTableOfRates, taxName } from './tax-tables.ts';

/** What a table that is pointed at is about, and how its section is called. */
const subjects: ReadonlyMap<string, string> = new Map([
  ['terms', 'terms'],
  ['term', 'terms'],
  ['currency', 'currency'],
  ['country', 'country'],
  ['state', 'state'],
  ['unit', 'unit'],
  ['tax', 'tax'],
  ['rate', 'tax'],
  ['method', 'payment_method'],
  ['address', 'address'],
  ['city', 'city'],
  ['order', 'order'],
  ['contact', 'contact'],
  ['item', 'item'],
  ['seller', 'seller'],
]);

/** Tables that say nothing that an invoice needs. */
const others: ReadonlySet<string> = new Set([
  'employee',
  'warehouse',
  'location',
  'supplier',
  'account',
  'category',
  'log',
  'price',
  'delivery',
  'created',
  'modified',
  'original',
  'quote',
  'type',
  'status',
  'discount',
  'invoice',
  'bank',
]);

export function lookupName(
  parent: string,
  { table: from, columns, toColumns }: Reference,
  table: FoundTable,
  all: Readonly<Record<string, ProposedSection>>,
  context: LookupContext,
): string | undefined {
  if (table.sample.length === 0) return undefined;
  const own = context.byName.get(from)!;
  const named = new Set(wordsOfColumn(own, columns[0]!));
  const subject = subjectOf(table.name, context.prefixes);
  const words = new Set([...subject, ...[...named].filter((word) => word !== 'code')]);
  // An invoice may be no more than a number and sums: who buys is said by the order that it is of.
  const isBuyerInOrder = parent === 'header_order' && !Object.hasOwn(all, 'customer');
  const isOfBuyer = parent === 'header' || parent.startsWith('customer') || isBuyerInOrder;
  if (isOfBuyer && !isDocument(table, subject) && holdsTaxpayers(table, toColumns[0]!)) {
    return named.has('seller') ? undefined : 'customer_tax_number';
  }
  const pointed = { table, rows: pointedRows(own, columns[0]!, table, toColumns[0]!) };
  if (parent === 'customer' && isNamed(table) && isOfEach(own, columns[0]!)) {
    if (!isNamed(own)) return isOfPersons(pointed) ? 'customer_contact' : 'customer_party';
    if (saysTaxpayer(table, toColumns[0]!)) return 'customer_party';
  }
  const areOne = isWholeKey(own, columns) && isWholeKey(table, toColumns);
  if (parent === 'customer' && areOne && hasStreetAndCity(table) && !hasStreetAndCity(own)) {
    return 'customer_party';
  }
  if (parent === 'header' && isOfOurs(own, columns[0]!) && saysSeller(table)) return 'seller';
  const isOfMany = parent === 'customer' && isSharedByRows(own, columns[0]!);
  if (isOfBuyer && !isOfMany && isLocation(parent, named, subject)) {
    if (leadsToPlace(table, columns[0]!, context)) return 'customer_link';
    if (hasStreetAndCity(table)) return 'customer_address';
  }
  // What a name ends with is what it is about: the terms in `account_invoice_payment_term`.
  const head = [...subject].slice(-1);
  const isTold = lastSubject(head) !== undefined;
  const isOther = [...others].some(
    (other) => named.has(other) || (subject.has(other) && !(isTold && qualifiers.has(other))),
  );
  const isBillingAddress = words.has('address') && named.has('invoice') && !named.has('delivery');
  if (isOther && !isBillingAddress) {
    return named.has('tax') || subject.has('tax') ? taxName(parent, table, context) : undefined;
  }
  if (isBuyerInOrder && subject.has('buyer') && isNamed(table)) return 'customer';
  const found = lastSubject([...named]) ?? lastSubject(head) ?? lastSubject([...words]);
  if (parent === 'seller' && isPrincipal(all, table)) return 'seller_party';
  if (parent === 'lines' && found === undefined && isTableOfRates(table)) {
    return taxName(parent, table, context) ?? 'lines_tax';
  }
  const mayBeItem = found === undefined && isItemLike(table, subject);
  if (parent === 'lines' && (found === 'item' || mayBeItem)) return 'item';
  // The country of an address is no address, though its column is called after that.
  const isPart = found !== undefined && partsOfAddress.has(found);
  if ((words.has('address') && !isPart) || isAddressTable(table)) {
    if (named.has('seller') && parent === 'header' && isOfOurs(own, columns[0]!)) {
      return 'seller_address';
    }
    if (isOfMany) return undefined;
    const isOwn = !parent.includes('_') || parent === 'customer_link' || isBuyerInOrder;
    return isOfBuyer && isOwn ? 'customer_address' : `${parent}_address`;
  }
  // Where a tax applies, and what a customer may order, say nothing of the document.
  if (isPart && parent.endsWith('_tax')) return undefined;
  if (found === 'order' && parent.startsWith('customer')) return undefined;
  switch (found) {
    // A size or colour of an item has its name in the item itself.
    case 'item':
      return parent === 'item' && !isNamed(own) && isNamed(table) ? 'item_product' : undefined;
    case undefined:
      return parent === 'header' && saysCurrencyOf(own, table) ? 'header_currency' : undefined;
    case 'seller':
      return isNamed(table) && parent === 'header' ? 'seller' : undefined;
    case 'tax':
      return taxName(parent, table, context);
    // That of a country, or of the firm, is another one.
    case 'currency':
      if (parent.endsWith('_currency')) return saysCurrency(own) ? undefined : `${parent}_code`;
      return withCurrency.has(parent) ? `${parent.split('_')[0]}_currency` : undefined;
    case 'contact':
      return isNamed(table) ? `${parent}_contact` : undefined;
    default:
      return `${parent.split('_')[0]}_${found}`;
  }
}

/** Whether rows say the currency of documents that do not say it themselves, whatever else is set there. */
function saysCurrencyOf(documents: FoundTable, table: FoundTable): boolean {
  const isOfCurrency = (of: FoundTable) => (name: string) =>
    wordsOfColumn(of, name).includes('currency');
  const isTold = documents.columns.some(({ name }) => isOfCurrency(documents)(name));
  return !isTold && saysCurrency(table, isOfCurrency(table));
}

/** Whether such a column has codes of currencies. */
function saysCurrency(table: FoundTable, mayBe: (column: string) => boolean = () => true): boolean {
  return table.columns.some(({ name }) => {
    const values = [...columnFacts(table, name).values];
    return mayBe(name) && values.length > 0 && values.every(isCurrency);
  });
}

/** Documents by which it is seen, at least, and the share of them that has another value, at most. */
const ours = { documentsMin: 12, othersMax: 0.1 } as const;

/** Whether all documents point at one or two rows: what is the seller's is the same for all customers. */
function isOfOurs(header: FoundTable, column: string): boolean {
  const { rows, filled, values } = columnFacts(header, column);
  return rows >= ours.documentsMin && filled === rows && values.size <= 1 + rows * ours.othersMax;
}

/** Whether its rows say who sells: the firm, where it is, and its number as a taxpayer. */
export function saysSeller(table: FoundTable): boolean {
  const has = (word: string) =>
    table.columns.some(
      ({ name }) =>
        wordsOfColumn(table, name).includes(word) && columnFacts(table, name).filled > 0,
    );
  const isTaxpayer = has('vatnumber') || has('tax');
  return hasStreetAndCity(table) && isTaxpayer && (has('seller') || has('name'));
}

/** Whether a column or a table of locations is about those of a customer. */
function isLocation(
  parent: string,
  named: ReadonlySet<string>,
  subject: ReadonlySet<string>,
): boolean {
  const has = (word: string) => named.has(word) || subject.has(word);
  const isOthers = ['warehouse', 'delivery', 'employee', 'supplier', 'item', 'seller'].some(has);
  const isOfCustomer = parent.startsWith('customer') || has('buyer') || has('invoice');
  return has('location') && isOfCustomer && !isOthers;
}

/** What is a part of an address, in tables of their own. */
const partsOfAddress: ReadonlySet<string> = new Set(['country', 'state']);

/** Sections of which a currency is that of the document. */
const withCurrency: ReadonlySet<string> = new Set(['header', 'header_order', 'customer']);

/** Whether nearly each row points at a row of its own: a firm, and no area or group. */
function isOfEach(table: FoundTable, column: string): boolean {
  const { filled, values } = columnFacts(table, column);
  return values.size >= ownRowsMin && values.size >= filled * 0.8;
}

const ownRowsMin = 3;

/** Whether each row that is pointed at belongs to several: the branch that serves customers is none of theirs. */
function isSharedByRows(table: FoundTable, column: string): boolean {
  const { filled, values } = columnFacts(table, column);
  return filled > ownRowsMin && values.size * 2 <= filled;
}

/** Rows of a table that another one points at. */
interface PointedRows {
  readonly table: FoundTable;
  readonly rows: readonly SampleRow[];
}

function pointedRows(
  from: FoundTable,
  column: string,
  to: FoundTable,
  key: string,
): readonly SampleRow[] {
  const { values } = columnFacts(from, column);
  return to.sample.filter((row) => values.has(row[key] ?? ''));
}

/** Persons that have first and last names, at least; where firms and persons have one table, others are firms. */
const personsMin = 0.5;

function isOfPersons({ table, rows }: PointedRows): boolean {
  const isHeld = (word: string) =>
    table.columns.some(
      ({ name }) =>
        wordsOfColumn(table, name).includes(word) &&
        (rows.length === 0 || shareOf(rows, (row) => (row[name] ?? '') !== '') >= personsMin),
    );
  return isHeld('first') && isHeld('last');
}

/** Words before the subject of a table that do not change it. */
const qualifiers: ReadonlySet<string> = new Set(['account', 'invoice']);

/** The last word that is a subject: the item in `order_item_id`. */
function lastSubject(words: readonly string[]): string | undefined {
  const last = words.findLast((word) => subjects.has(word));
  return last === undefined ? undefined : subjects.get(last);
}

/** What a line points at by an unknown word, and what has a name: tracks, rooms, courses. */
function isItemLike(table: FoundTable, subject: ReadonlySet<string>): boolean {
  const isKnown = [...subject].some((word) => subjects.has(word));
  return !isKnown && isNamed(table) && !subject.has('buyer') && !subject.has('line');
}
