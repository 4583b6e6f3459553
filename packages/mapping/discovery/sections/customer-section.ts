import { areTaxpayers } from '../../inference/forms.ts';
import { shareOf } from '../../inference/numbers.ts';
import {
  columnFacts,
  type FoundTable,
  isUnique,
  type Reference,
  tellingKey,
  wordsOfColumn,
} from '../database.ts';
import type { DocumentFilter } from '../document-filters/document-filter.ts';
import { isKind, subjectOf } from '../references.ts';
import { hasName, hasPlace, hasTaxNumbers, holdsFirms, isParty } from './party-tables.ts';
import type { ReferenceGraph } from './reference-graph.ts';
import type { ProposedSection } from './section.ts';

/** The section of whoever is invoiced, and why; undefined where no table looks like it. */
export function customerSection(
  header: FoundTable,
  filters: readonly DocumentFilter[],
  graph: ReferenceGraph,
): { readonly section: ProposedSection; readonly reason: string } | undefined {
  const reference = customerReference(header, filters, graph);
  const rows = billingRows(header, graph);
  // The address that a document is billed to is its customer, where that one says no place.
  const isPlaced = reference !== undefined && hasPlace(graph.byName.get(reference.to)!);
  const isWho = rows !== undefined && saysWho(graph.byName.get(rows.table)!);
  if (reference !== undefined && (isPlaced || !isWho)) {
    const { to: table, toColumns, columns } = reference;
    const [match, matchFrom] = [toColumns[0]!, columns[0]!];
    const { primaryKey } = graph.byName.get(table)!;
    const key = primaryKey.length === 1 ? primaryKey[0]! : match;
    return {
      section: { table, key, match, matchFrom },
      reason: `"${header.name}.${matchFrom}" points at "${table}".`,
    };
  }
  if (rows === undefined) return undefined;
  return {
    section: rows,
    reason: `"${rows.table}" has the addresses that documents of "${header.name}" are billed to.`,
  };
}

/** What says too little for a customer. */
const customerMin = 2.6;

/** The likeliest reference to customers; to their billing addresses where customers say no place. */
function customerReference(
  header: FoundTable,
  filters: readonly DocumentFilter[],
  graph: ReferenceGraph,
): Reference | undefined {
  const scored = graph.database.references
    .filter(({ table, columns, where = {} }) => {
      const isOfKept = Object.entries(where).every(([column, value]) =>
        filters.some((filter) => filter.column === column && filter.value === value),
      );
      if (table !== header.name || columns.length > 1 || !isOfKept) return false;
      return header.sample.length === 0 || columnFacts(header, columns[0]!).filled > 0;
    })
    .flatMap((reference) => [
      reference,
      ...extensionsOf(reference, header, graph),
      ...customersAmong(reference, header, graph),
    ])
    .flatMap((reference) => {
      const table = graph.byName.get(reference.to);
      if (table === undefined || table === header || isOfPlaces(table, graph)) return [];
      const score = customerScore(reference, header, table, graph);
      const isBilling = isBillingAddress(reference, header, table, graph.prefixes);
      return score < customerMin ? [] : [{ reference, table, score, isBilling }];
    })
    .sort(
      (one, other) =>
        other.score - one.score || nameLength(one.reference) - nameLength(other.reference),
    );
  // A name is copied of the row that another column points at, where one does.
  const byOther = scored.filter(({ reference }) => !isByName(reference, header));
  const likely = byOther.length > 0 ? byOther : scored;
  const [first] = likely;
  if (first === undefined) return undefined;
  // What customers with a name and a number as taxpayers point at themselves is found by them.
  const pointed = saysWho(first.table) ? (graph.from.get(first.table.name) ?? []) : [];
  const isOfCustomer = ({ name }: FoundTable) => pointed.some(({ to }) => to === name);
  const billing = hasPlace(first.table)
    ? undefined
    : likely.find(({ isBilling, table }) => isBilling && !isOfCustomer(table));
  const best = billing ?? first;
  return extendedByKey(best.reference, header, graph);
}

/** What a customer has in common with others, and is none: a country, a currency. */
const places: readonly string[] = ['country', 'state', 'city', 'currency'];

function isOfPlaces({ name }: FoundTable, { prefixes }: ReferenceGraph): boolean {
  const subject = subjectOf(name, prefixes);
  return places.some((place) => subject.has(place)) && !subject.has('buyer');
}

function isByKey({ to, toColumns }: Reference, { byName }: ReferenceGraph): boolean {
  return byName.get(to)!.primaryKey.join() === toColumns.join();
}

/** Whether customers would be found by a name, which a document copies of the row that its key points at. */
function isByName({ columns }: Reference, header: FoundTable): boolean {
  return columns.some((column) => wordsOfColumn(header, column).includes('name'));
}

/** The letters of a name: of two columns that say as much, "partner" is the document's and "head partner" another's. */
function nameLength({ columns }: Reference): number {
  return columns.join('').length;
}

/** Documents that show whether customers repeat, at least. */
const repeatedMin = 12;

function customerScore(
  { columns, toColumns, confidence }: Reference,
  header: FoundTable,
  table: FoundTable,
  graph: ReferenceGraph,
): number {
  const { prefixes } = graph;
  const subject = subjectOf(table.name, prefixes);
  const words = new Set(columns.flatMap((column) => wordsOfColumn(header, column)));
  let score = confidence;
  if (subject.has('buyer')) score += 3 - 0.5 * (subject.size - 1);
  if (words.has('buyer')) score += 2;
  // Where names are keys a name beside the key may hold the same.
  if (words.has('name')) score -= 0.2;
  const isFirm = isParty(table, prefixes) || isPartyByAnother(table, header, graph);
  if (isFirm) score += 2;
  // Customers buy again, and there are several: another document of each one is none, nor is what all have in common.
  if (header.sample.length >= repeatedMin) {
    if (subject.has('invoice') && isUnique(header, columns)) score -= 3;
    if (columnFacts(header, columns[0]!).values.size === 1) score -= 3;
  }
  if (words.has('invoice')) score += 0.5;
  if (words.has('order')) score -= 0.5;
  // A customer is known by the key, though names may tell them apart too.
  if (table.primaryKey.length === 1 && table.primaryKey[0] === toColumns[0]) score += 0.3;
  if (words.has('delivery') || words.has('original') || words.has('branch')) score -= 2;
  const others = [
    'supplier',
    'employee',
    'warehouse',
    'location',
    'seller',
    'delivery',
    'original',
  ];
  const isUser = subject.has('buyer') && words.has('employee') && words.size <= 2;
  if (!isUser && others.some((other) => subject.has(other) || words.has(other))) score -= 4;
  const isBilling = isBillingAddress({ columns }, header, table, prefixes);
  const isAddress = subject.has('address') || words.has('address');
  const isOfCustomers = subject.has('buyer') && !subject.has('address');
  // An address that customers have too is no key of them; firms may stand in a book of addresses.
  if (isAddress && (isOfCustomers || (!isBilling && !isAddressBook(table, subject)))) score -= 4;
  // An account is one of a ledger, or a firm.
  if (subject.has('account') && !isFirm && !subject.has('buyer')) score -= 4;
  // What is told of a firm twice is no key of it, and firms that buy and sell have one number as taxpayers.
  if (words.has('vatnumber')) score -= 1;
  // A person at the firm is not the customer, where the firm is told too.
  if (subject.has('contact')) score -= 0.5;
  if (table.sample.length === 0) score -= 1;
  return score;
}

/** Whether firms are kept with their numbers as taxpayers in a table that is called after addresses. */
function isAddressBook(table: FoundTable, subject: ReadonlySet<string>): boolean {
  return subject.size === 1 && hasName(table) && hasTaxNumbers(table);
}

/** The address that an invoice is sent to is a customer, where it has a name. */
function isBillingAddress(
  { columns }: Pick<Reference, 'columns'>,
  header: FoundTable,
  table: FoundTable,
  prefixes: ReadonlySet<string>,
): boolean {
  const words = new Set(columns.flatMap((column) => wordsOfColumn(header, column)));
  return words.has('invoice') && words.has('address') && isParty(table, prefixes);
}

/** Whether the rows of another table make those of this one persons or firms: by their places, or as the firm itself. */
function isPartyByAnother(table: FoundTable, header: FoundTable, graph: ReferenceGraph): boolean {
  return hasName(table) ? isPlacedByAnother(table, header, graph) : isFirmByAnother(table, graph);
}

/** Whether rows of another table say where those of this one are. */
function isPlacedByAnother(
  table: FoundTable,
  header: FoundTable,
  { database, byName }: ReferenceGraph,
): boolean {
  return database.references.some(({ table: from, to }) => {
    const other = byName.get(from);
    return to === table.name && other !== undefined && other !== header && hasPlace(other);
  });
}

/** Whether each row points at a firm of its own, as an account of that firm does. */
function isFirmByAnother(table: FoundTable, { database, byName }: ReferenceGraph): boolean {
  return database.references.some(({ table: from, to, columns, basis }) => {
    const firms = byName.get(to);
    const isOfEach =
      columns.length === 1 && columnFacts(table, columns[0]!).values.size === table.sample.length;
    return from === table.name && basis === 'declared' && isOfEach && firms && holdsFirms(firms);
  });
}

/** Customers of documents that such a table has to hold: others may be persons. */
const extensionMin = 0.5;

/** The reference to the table that goes on with the customer by its key, where the customer has no name: firms among parties. */
function extendedByKey(reference: Reference, header: FoundTable, graph: ReferenceGraph): Reference {
  return extensionsOf(reference, header, graph).find((one) => isByKey(one, graph)) ?? reference;
}

/**
 * References to the rows that go on with those that are pointed at and have a name, where these have none: debtors
 * among the accounts of a ledger.
 */
function extensionsOf(
  reference: Reference,
  header: FoundTable,
  { database, byName }: ReferenceGraph,
): readonly Reference[] {
  const table = byName.get(reference.to);
  if (table === undefined || hasName(table)) return [];
  const wanted = columnFacts(header, reference.columns[0]!).values;
  return database.references.flatMap(({ table: name, columns, to }) => {
    const own = byName.get(name);
    if (to !== table.name || own === undefined || own === header || !hasName(own)) return [];
    const isExtension =
      columns.length === 1 && isUnique(own, columns) && holdsMost(own, columns[0]!, wanted);
    return isExtension ? [{ ...reference, to: name, toColumns: columns }] : [];
  });
}

/** References to the customers among parties of several kinds, who have the key of the party. */
function customersAmong(
  reference: Reference,
  header: FoundTable,
  graph: ReferenceGraph,
): readonly Reference[] {
  const { database, byName, prefixes } = graph;
  const parties = byName.get(reference.to);
  const [key = ''] = parties?.primaryKey ?? [];
  if (parties === undefined || reference.toColumns.join() !== key) return [];
  const wanted = columnFacts(header, reference.columns[0]!).values;
  return database.references.flatMap((one) => {
    const {
      table,
      columns: [column = ''],
      to,
      toColumns,
    } = one;
    const customers = byName.get(to);
    if (table !== parties.name || customers === undefined || customers === header) return [];
    const isSameKey =
      isByKey(one, graph) &&
      columnFacts(parties, column).filled > 0 &&
      parties.sample.every((row) => (row[column] ?? '') === '' || row[column] === row[key]);
    const isOfBuyers = subjectOf(to, prefixes).has('buyer');
    return isOfBuyers && isSameKey && holdsMost(customers, toColumns[0]!, wanted)
      ? [{ ...reference, to, toColumns }]
      : [];
  });
}

/** Whether rows have the keys of most customers that are wanted. */
function holdsMost(table: FoundTable, column: string, wanted: ReadonlySet<string>): boolean {
  const held = columnFacts(table, column).values;
  return shareOf([...wanted], (value) => held.has(value)) >= extensionMin;
}

/** Whether rows name somebody with the number as a taxpayer: then a customer beside them says nothing more. */
function saysWho(table: FoundTable): boolean {
  const isTaxpayer = ({ name: column }: { readonly name: string }) =>
    wordsOfColumn(table, column).includes('vatnumber') ||
    areTaxpayers([...columnFacts(table, column).values]);
  return hasName(table) && table.columns.some(isTaxpayer);
}

/** A table of such addresses, one for each document. */
const billingTable = /(bill|invoic|rechnung|factur|fatur)\w*addr|rechnungsadr/i;

const billingText = /^(bill(ing)?|bill.?to|invoice|invoicing|payer|rechnung|fact|fatur)/i;

/** Addresses of the documents themselves, of which one kind is that of whom is invoiced. */
function billingRows(
  header: FoundTable,
  { to, byName }: ReferenceGraph,
): ProposedSection | undefined {
  for (const { table: name, columns, toColumns } of to.get(header.name) ?? []) {
    const table = byName.get(name);
    if (table === undefined || columns.length > 1 || !hasPlace(table)) continue;
    const [key = columns[0]!] = tellingKey(table);
    const [match, matchFrom] = [columns[0]!, toColumns[0]!];
    if (billingTable.test(name) && hasName(table) && isUnique(table, columns)) {
      return { table: name, key, match, matchFrom };
    }
    for (const { name: kind } of table.columns.filter((one) => isKind(table, one.name))) {
      const value = [...columnFacts(table, kind).values].find((one) => billingText.test(one));
      const rows = table.sample.filter((row) => row[kind] === value);
      const documents = new Set(rows.map((row) => row[columns[0]!]));
      if (value === undefined || documents.size < rows.length) continue;
      return { table: name, key, match, matchFrom, where: { [kind]: value } };
    }
  }
  return undefined;
}
