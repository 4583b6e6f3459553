import { isCurrency } from '../code-names.ts';
import { isTaxpayer } from '../inference/forms.ts';
import { shareOf } from '../inference/numbers.ts';
import { wordsOf } from '../words.ts';
import {
  areDeliveryAddresses,
  attributeRowsOf,
  childKinds,
  hasStreetAndCity,
} from './attribute-rows.ts';
import {
  columnFacts,
  type FoundDatabase,
  type FoundTable,
  isUnfilled,
  isWholeKey,
  type Reference,
  type SampleRow,
  wordsOfColumn,
} from './database.ts';
import { commonPrefixes, isKind, subjectOf, transitiveReferences } from './references.ts';
import { headerColumns } from './sections/header-columns.ts';
import { hasTaxNumbers } from './sections/party-tables.ts';
import type { ProposedSection } from './sections/section.ts';

/** Sections of a document, at most; as the settings of a connector have it. */
const sectionsMax = 20;
/** Sections that hang one on the other, below header, lines and customer. */
const depthMax = 3;

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

/**
 * Sections with those added whose tables the given ones point at: the item of a line, its unit, the
 * country of the customer. A table that the sections have already is not added again.
 */
export function withLookups(
  database: FoundDatabase,
  sections: Readonly<Record<string, ProposedSection>>,
): Readonly<Record<string, ProposedSection>> {
  const all: Record<string, ProposedSection> = { ...sections };
  const context: Context = {
    references: withExtensions(database),
    byName: new Map(database.tables.map((table) => [table.name, table])),
    prefixes: commonPrefixes(database.tables),
  };
  let layer = Object.keys(sections);
  for (let depth = 0; depth < depthMax; depth++) {
    const added: string[] = [];
    for (const parent of layer) {
      for (const found of lookupsOf(parent, all, context)) {
        const isTaken = Object.hasOwn(all, found.name) || Object.keys(all).length >= sectionsMax;
        if (isTaken) continue;
        all[found.name] = found.section;
        added.push(found.name);
      }
    }
    layer = added;
  }
  return withAttributes(all, database, context);
}

/** With rows that hang on the customer by values alone, where nothing else says what they do. */
function withAttributes(
  all: Record<string, ProposedSection>,
  database: FoundDatabase,
  { byName }: Context,
): Readonly<Record<string, ProposedSection>> {
  const { customer } = all;
  const table = customer === undefined ? undefined : byName.get(customer.table);
  if (customer === undefined || table === undefined) return all;
  for (const { name, section } of attributeRowsOf(customer, database)) {
    const isKnown =
      Object.hasOwn(all, name) ||
      Object.values(all).some((one) => one.table === section.table && !one.where);
    const isSaid =
      (name === 'customer_address' && hasStreetAndCity(table)) ||
      (name === 'customer_tax_number' && hasTaxpayers(table, customer.match));
    if (isKnown || isSaid || Object.keys(all).length >= sectionsMax) continue;
    all[name] = section;
  }
  return all;
}

/** Header, lines and customer are read once: what points back at them says nothing new. */
function isPrincipal(
  all: Readonly<Record<string, ProposedSection>>,
  { name }: FoundTable,
): boolean {
  return ['header', 'lines', 'customer'].some((section) => all[section]?.table === name);
}

/**
 * With references to rows that extend those that are pointed at: what points at a way to reach somebody points at the
 * postal address with the same key too, if it is one.
 */
function withExtensions({ tables, references }: FoundDatabase): readonly Reference[] {
  const byName = new Map(tables.map((table) => [table.name, table]));
  const isExtension = ({ table, columns }: Reference) =>
    byName.get(table)?.primaryKey.join() === columns.join() && columns.length === 1;
  const found = references
    .filter(isExtension)
    .flatMap((extension) =>
      references
        .filter(({ table, to }) => to === extension.to && table !== extension.table)
        .map((one) => ({ ...one, to: extension.table, toColumns: extension.columns })),
    );
  const all = [...found, ...transitiveReferences(byName, references)];
  return [...references, ...all.filter((one) => isHeld(one, byName))];
}

/** Whether the values of the sample are in that of the table that is pointed at. */
function isHeld(
  { table, columns: [column = ''], to, toColumns: [key = ''] }: Reference,
  byName: ReadonlyMap<string, FoundTable>,
): boolean {
  const own = columnFacts(byName.get(table)!, column).values;
  const theirs = columnFacts(byName.get(to)!, key).values;
  return own.size > 0 && [...own].every((value) => theirs.has(value));
}

interface Context {
  readonly references: readonly Reference[];
  readonly byName: ReadonlyMap<string, FoundTable>;
  readonly prefixes: ReadonlySet<string>;
}

interface Lookup {
  readonly name: string;
  readonly section: ProposedSection;
}

function lookupsOf(
  parent: string,
  all: Readonly<Record<string, ProposedSection>>,
  context: Context,
): readonly Lookup[] {
  const { references, byName } = context;
  const section = all[parent]!;
  if (parent === 'taxes' || section.table === undefined) return [];
  const whole = byName.get(section.table);
  if (whole === undefined) return [];
  const tables = new Set(Object.values(all).map(({ table }) => table));
  const found: Lookup[] = [];
  for (const reference of references) {
    const isForward = reference.table === section.table;
    const other = byName.get(isForward ? reference.to : reference.table);
    const isPartial = reference.columns.length > 1 || reference.where !== undefined;
    if (other === undefined || isPartial) continue;
    // The firm that sells may stand among the customers.
    if (isPrincipal(all, other) && !(parent === 'seller' && saysSeller(other))) continue;
    const of = parent === 'header' ? {} : { of: parent };
    if (isForward) {
      if (isUnfilled(whole, reference.columns[0]!)) continue;
      const name = lookupName(parent, reference, other, all, context);
      const isUsed = Object.entries(all).some(
        ([of, each]) =>
          (each.of ?? 'header') === parent &&
          each.matchFrom === reference.columns[0] &&
          !(reference.columns[0] !== section.key && isOfSameOrder(of, each)),
      );
      if (name === undefined || isUsed || !isSure(reference)) continue;
      const match = reference.toColumns[0]!;
      const key = other.primaryKey.length === 1 ? other.primaryKey[0]! : match;
      found.push({
        name,
        section: { table: other.name, key, match, matchFrom: reference.columns[0]!, ...of },
      });
    } else if (reference.to === section.table && !tables.has(other.name)) {
      if (!isSure(reference)) continue;
      for (const { name, where } of childrenOf(parent, reference, other, context)) {
        found.push({
          name,
          section: {
            table: other.name,
            key: other.primaryKey[0] ?? reference.columns[0]!,
            match: reference.columns[0]!,
            matchFrom: reference.toColumns[0]!,
            ...(where === undefined ? {} : { where }),
            ...of,
          },
        });
      }
    }
  }
  // What has a name says more of an item than what only counts or prices it.
  const nameless = ({ section }: Lookup) =>
    (isNamed(byName.get(section.table)!) ? 0 : 1) +
    (subjectOf(section.table, context.prefixes).has('item') ? 0 : 0.5);
  found.sort((one, other) =>
    one.name === 'item' && other.name === 'item' ? nameless(one) - nameless(other) : 0,
  );
  // What only other rows of the table point at stands behind what belongs to those that are read.
  const own = rowsRead(whole, section);
  const isOfOtherRows = ({ section: { matchFrom = '' } }: Lookup) => isUnfilled(own, matchFrom);
  return found.sort((one, other) => Number(isOfOtherRows(one)) - Number(isOfOtherRows(other)));
}

/** The table with the rows that the section reads. */
function rowsRead(table: FoundTable, { where = {} }: ProposedSection): FoundTable {
  const kinds = Object.entries(where);
  if (kinds.length === 0) return table;
  const isRead = (row: SampleRow) => kinds.every(([name, value]) => row[name] === value);
  return { ...table, sample: table.sample.filter(isRead) };
}

/** Whether lines or customer are not what a document points at, but have the order in common with it. */
function isOfSameOrder(name: string, { key, match }: ProposedSection): boolean {
  return name === 'lines' || (name === 'customer' && match !== key);
}

function isSure({ confidence }: Reference): boolean {
  return confidence >= 0.6;
}

function lookupName(
  parent: string,
  { table: from, columns, toColumns }: Reference,
  table: FoundTable,
  all: Readonly<Record<string, ProposedSection>>,
  context: Context,
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
function saysSeller(table: FoundTable): boolean {
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

const taxpayersMin = 0.8;

/** Whether a column besides the key holds numbers of taxpayers, in a table that is about them. */
function holdsTaxpayers(table: FoundTable, key: string): boolean {
  if (
    isAddressTable(table) ||
    table.columns.some(({ name }) => wordsOfColumn(table, name).includes('city'))
  ) {
    return false;
  }
  return hasTaxpayers(table, key);
}

/** Whether a row has the address of a firm and its number as a taxpayer. */
function saysTaxpayer(table: FoundTable, key: string): boolean {
  return hasStreetAndCity(table) && (hasTaxpayers(table, key) || hasTaxNumbers(table));
}

function hasTaxpayers(table: FoundTable, key: string): boolean {
  return table.columns.some(({ name }) => {
    const isKey = name === key || table.primaryKey.includes(name);
    const values = isKey ? [] : [...columnFacts(table, name).values];
    return values.length >= 2 && values.filter(isTaxpayer).length / values.length >= taxpayersMin;
  });
}

/** Taxes with a rate; a group of taxes has none of its own. */
function taxName(parent: string, table: FoundTable, context: Context): string | undefined {
  const isOfRates = isRated(table) || leadsToRate(table, context);
  if (!isOfRates && !hasRates(table, context)) return undefined;
  if (parent === 'lines_tax') return 'lines_tax_rate';
  return parent === 'lines' || parent === 'item' ? `${parent}_tax` : undefined;
}

/** Whether a table without a rate points at one with rates, as a group of taxes does. */
function leadsToRate(table: FoundTable, { references, byName, prefixes }: Context): boolean {
  return references.some((reference) => {
    const to = byName.get(reference.to);
    if (reference.table !== table.name || to === undefined) return false;
    const words = reference.columns.flatMap((column) => wordsOfColumn(table, column));
    const isOfTax = words.includes('tax') || subjectOf(to.name, prefixes).has('tax');
    return isOfTax && isRated(to);
  });
}

/** Whether the rates of a table of taxes are rows of another one that point at it. */
function hasRates(table: FoundTable, { references, byName, prefixes }: Context): boolean {
  return references.some(({ table: from, to, columns: [column = ''] }) => {
    const rates = byName.get(from);
    if (to !== table.name || rates === undefined || !subjectOf(from, prefixes).has('tax')) {
      return false;
    }
    return isSingle(rates, column) && isRated(rates) && rates.columns.length <= rateColumnsMax;
  });
}

/** Columns of a table of rates, at most: a line of a document has more. */
const rateColumnsMax = 12;

function isRated(table: FoundTable): boolean {
  return table.columns.some(({ name }) => {
    const words = wordsOfColumn(table, name);
    const { kind, values } = columnFacts(table, name);
    const isNumber = kind === 'integer' || kind === 'decimal';
    const isRate =
      isNumber && !table.primaryKey.includes(name) && values.has('0') && values.size > 1;
    return (
      words.includes('rate') || words.includes('percent') || words.includes('amount') || isRate
    );
  });
}

/** Rows of a table of rates, at most, and what they are multiples of where the point is left out. */
const rates = { rowsMax: 12, max: 40, parts: [1, 100, 1_000] } as const;

/** A few rows with a name or code each and a number that is a rate, 0 among them. */
function isTableOfRates(table: FoundTable): boolean {
  const { sample, columns } = table;
  if (sample.length < 2 || sample.length > rates.rowsMax) return false;
  const isRate = (name: string) => {
    const { kind, values } = columnFacts(table, name);
    const numbers = [...values].map(Number);
    return (
      (kind === 'integer' || kind === 'decimal') &&
      !table.primaryKey.includes(name) &&
      values.size > 1 &&
      numbers.includes(0) &&
      rates.parts.some((part) =>
        numbers.every(
          (value) => value >= 0 && value <= rates.max * part && (part === 1 || value % part === 0),
        ),
      ) &&
      Math.max(...numbers) > 1
    );
  };
  const isPriced = columns.some(({ name }) => {
    const words = wordsOfColumn(table, name);
    return words.includes('price') || words.includes('cost') || words.includes('quantity');
  });
  return !isPriced && columns.some(({ name }) => isRate(name));
}

/** What a line points at by an unknown word, and what has a name: tracks, rooms, courses. */
function isItemLike(table: FoundTable, subject: ReadonlySet<string>): boolean {
  const isKnown = [...subject].some((word) => subjects.has(word));
  return !isKnown && isNamed(table) && !subject.has('buyer') && !subject.has('line');
}

function isNamed(table: FoundTable): boolean {
  return table.columns.some(({ name }) => {
    const words = wordsOfColumn(table, name);
    const isFilled = table.sample.length === 0 || columnFacts(table, name).filled > 0;
    return isFilled && (words.includes('name') || words.includes('description'));
  });
}

function isAddressTable(table: FoundTable): boolean {
  return (
    hasStreetAndCity(table) &&
    !table.columns.some(({ name }) => wordsOfColumn(table, name).includes('name'))
  );
}

interface Child {
  readonly name: string;
  readonly where?: Readonly<Record<string, string>>;
}

/** Rows that hang on a row of the parent, where there is one of them at most, or one of each kind. */
function childrenOf(
  parent: string,
  { columns }: Reference,
  table: FoundTable,
  context: Context,
): readonly Child[] {
  const [column = ''] = columns;
  if (table.sample.length === 0 || columnFacts(table, column).kind === 'empty') return [];
  if (!isSingle(table, column)) {
    const isOfKinds =
      parent !== 'lines' && !isDocument(table, subjectOf(table.name, context.prefixes));
    return isOfKinds ? kindsOf(table, column, context) : [];
  }
  const name = childName(parent, table, column, context);
  return name === undefined ? [] : [{ name }];
}

function childName(
  parent: string,
  table: FoundTable,
  column: string,
  context: Context,
): string | undefined {
  const subject = subjectOf(table.name, context.prefixes);
  const isOfTax = parent === 'lines' || parent === 'item' || parent === 'lines_tax';
  if (isOfTax) return subject.has('tax') ? taxName(parent, table, context) : undefined;
  if (parent === 'customer_party' || parent === 'customer_contact') {
    const found = ['phone', 'email'].find((one) => subject.has(one));
    return found === undefined ? undefined : `customer_${found}`;
  }
  if (parent !== 'customer' && parent !== 'header') return undefined;
  if (leadsToAddress(table, column, context)) return 'customer_link';
  const isOther = isDocument(table, subject) || isOfDelivery(table, subject);
  if (isAddressTable(table) && !isOther) return 'customer_address';
  if (parent === 'header') return undefined;
  // Of few documents each customer may have one, which repeats the number.
  if (!isDocument(table, subject) && holdsTaxpayers(table, column)) return 'customer_tax_number';
  if (subject.has('address') && !isOfDelivery(table, subject)) return 'customer_address';
  return subject.has('contact') ? 'customer_contact' : undefined;
}

/** Whether no two rows have the same value; those without one hang on something else. */
function isSingle(table: FoundTable, column: string): boolean {
  const { filled, values } = columnFacts(table, column);
  return filled === values.size;
}

/** Whether rows are documents, which repeat what is said of their customer, or an address of theirs. */
function isDocument(table: FoundTable, subject: ReadonlySet<string>): boolean {
  return (
    ['invoice', 'order', 'credit', 'quote', 'payment'].some((word) => subject.has(word)) ||
    headerColumns(table).has('total')
  );
}

function isOfDelivery(table: FoundTable, subject: ReadonlySet<string>): boolean {
  const isNamed = (name: string) => wordsOf(name).includes('delivery');
  return (
    subject.has('delivery') ||
    table.columns.every(({ name }) => isNamed(name)) ||
    areDeliveryAddresses(table)
  );
}

/** Columns of a table that only ties two others together, at most. */
const linkColumnsMax = 5;

/** A table between a document, or a customer, and its address. */
function leadsToAddress(table: FoundTable, column: string, context: Context): boolean {
  return table.columns.length <= linkColumnsMax && leadsToPlace(table, column, context);
}

/** Whether its rows point at rows with towns and streets, by another column. */
function leadsToPlace(table: FoundTable, column: string, { references, byName }: Context): boolean {
  return references.some((reference) => {
    const to = byName.get(reference.to);
    const isOther = reference.table === table.name && reference.columns[0] !== column;
    return isOther && to !== undefined && hasStreetAndCity(to);
  });
}

/** `type = phone` of the customer's rows, where each customer has one of them at most. */
function kindsOf(table: FoundTable, column: string, context: Context): readonly Child[] {
  const kind = table.columns.find(({ name }) => name !== column && isKind(table, name))?.name;
  if (kind === undefined) return [];
  const found = new Map<string, Child>();
  for (const [told, words] of childKinds) {
    for (const value of columnFacts(table, kind).values) {
      const parents = table.sample.filter((row) => row[kind] === value).map((row) => row[column]);
      if (!words.test(value) || new Set(parents).size < parents.length) continue;
      const name = leadsToAddress(table, column, context) ? 'customer_link' : told;
      if (!found.has(name)) found.set(name, { name, where: { [kind]: value } });
    }
  }
  return [...found.values()];
}
