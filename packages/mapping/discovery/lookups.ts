import { wordsOf } from '../words.ts';
import {
  columnFacts,
  type FoundDatabase,
  type FoundTable,
  isUnique,
  type Reference,
} from './database.ts';
import { commonPrefixes, subjectOf } from './references.ts';
import type { ProposedSection } from './sections.ts';

/** Sections of a document, at most; as the settings of a connector have it. */
const sectionsMax = 20;
/** Sections that hang one on the other, below header, lines and customer. */
const depthMax = 3;

/** What a table that is pointed at is about, and how its section is called; the first that fits. */
const subjects: readonly (readonly [string, readonly string[]])[] = [
  ['terms', ['terms']],
  ['currency', ['currency']],
  ['country', ['country']],
  ['state', ['state']],
  ['unit', ['unit']],
  ['tax', ['tax']],
  ['payment_method', ['method']],
  ['address', ['address']],
  ['city', ['city']],
  ['order', ['order']],
  ['contact', ['contact']],
  ['item', ['item']],
  ['seller', ['seller']],
];

/** Tables that say nothing that an invoice needs. */
const others: ReadonlySet<string> = new Set([
  'employee',
  'warehouse',
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
  const byName = new Map(database.tables.map((table) => [table.name, table]));
  const prefixes = commonPrefixes(database.tables);
  let layer = Object.keys(sections);
  for (let depth = 0; depth < depthMax; depth++) {
    const added: string[] = [];
    for (const parent of layer) {
      for (const found of lookupsOf(parent, all, database, byName, prefixes)) {
        const isTaken = Object.hasOwn(all, found.name) || Object.keys(all).length >= sectionsMax;
        if (isTaken) continue;
        all[found.name] = found.section;
        added.push(found.name);
      }
    }
    layer = added;
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

interface Lookup {
  readonly name: string;
  readonly section: ProposedSection;
}

function lookupsOf(
  parent: string,
  all: Readonly<Record<string, ProposedSection>>,
  { references }: FoundDatabase,
  byName: ReadonlyMap<string, FoundTable>,
  prefixes: ReadonlySet<string>,
): readonly Lookup[] {
  const section = all[parent]!;
  if (parent === 'taxes' || section.table === undefined) return [];
  const tables = new Set(Object.values(all).map(({ table }) => table));
  const found: Lookup[] = [];
  for (const reference of references) {
    const isForward = reference.table === section.table;
    const other = byName.get(isForward ? reference.to : reference.table);
    if (other === undefined || reference.columns.length > 1) continue;
    if (isPrincipal(all, other)) continue;
    const of = parent === 'header' ? {} : { of: parent };
    if (isForward) {
      const name = lookupName(parent, reference, other, prefixes);
      const isUsed = Object.values(all).some(
        (each) => (each.of ?? 'header') === parent && each.matchFrom === reference.columns[0],
      );
      if (name === undefined || isUsed || !isSure(reference)) continue;
      const match = reference.toColumns[0]!;
      const key = other.primaryKey.length === 1 ? other.primaryKey[0]! : match;
      found.push({
        name,
        section: { table: other.name, key, match, matchFrom: reference.columns[0]!, ...of },
      });
    } else if (reference.to === section.table && !tables.has(other.name)) {
      const name = childName(parent, reference, other, prefixes);
      if (name === undefined || !isSure(reference)) continue;
      found.push({
        name,
        section: {
          table: other.name,
          key: other.primaryKey[0] ?? reference.columns[0]!,
          match: reference.columns[0]!,
          matchFrom: reference.toColumns[0]!,
          ...of,
        },
      });
    }
  }
  return found;
}

function isSure({ confidence }: Reference): boolean {
  return confidence >= 0.6;
}

function lookupName(
  parent: string,
  { columns }: Reference,
  table: FoundTable,
  prefixes: ReadonlySet<string>,
): string | undefined {
  if (table.sample.length === 0) return undefined;
  const named = new Set(wordsOf(columns[0]!));
  const subject = subjectOf(table.name, prefixes);
  const words = new Set([...subject, ...[...named].filter((word) => word !== 'code')]);
  const isOther = [...others].some((other) => subject.has(other) || named.has(other));
  const isBillingAddress = words.has('address') && named.has('invoice') && !named.has('delivery');
  if (isOther && !isBillingAddress) {
    return named.has('tax') || subject.has('tax') ? taxName(parent, table) : undefined;
  }
  if (parent === 'lines' && (subject.has('item') || isItemLike(table, subject))) return 'item';
  if (words.has('address') || isAddressTable(table)) {
    return parent === 'header' || parent === 'customer' ? 'customer_address' : `${parent}_address`;
  }
  for (const [name, wanted] of subjects) {
    if (!wanted.every((word) => words.has(word))) continue;
    if (name === 'item') return parent === 'lines' ? 'item' : undefined;
    if (name === 'seller') return isNamed(table) && parent === 'header' ? 'seller' : undefined;
    if (name === 'tax') return taxName(parent, table);
    if (name === 'contact') return isNamed(table) ? `${parent}_contact` : undefined;
    return `${parent.split('_')[0]}_${name}`;
  }
  return undefined;
}

/** Taxes with a rate; a group of taxes has none of its own. */
function taxName(parent: string, table: FoundTable): string | undefined {
  const isRated = table.columns.some(({ name }) => {
    const words = wordsOf(name);
    const { kind, values } = columnFacts(table, name);
    const isNumber = kind === 'integer' || kind === 'decimal';
    const isRate =
      isNumber && !table.primaryKey.includes(name) && values.has('0') && values.size > 1;
    return (
      words.includes('rate') || words.includes('percent') || words.includes('amount') || isRate
    );
  });
  if (!isRated) return undefined;
  if (parent === 'lines_tax') return 'lines_tax_rate';
  return parent === 'lines' || parent === 'item' ? `${parent}_tax` : undefined;
}

/** What a line points at by an unknown word, and what has a name: tracks, rooms, courses. */
function isItemLike(table: FoundTable, subject: ReadonlySet<string>): boolean {
  const isKnown = subjects.some(([, words]) => words.some((word) => subject.has(word)));
  return !isKnown && isNamed(table) && !subject.has('buyer') && !subject.has('line');
}

function isNamed(table: FoundTable): boolean {
  return table.columns.some(({ name }) => {
    const words = wordsOf(name);
    return words.includes('name') || words.includes('description');
  });
}

function isAddressTable(table: FoundTable): boolean {
  const words = new Set(table.columns.flatMap(({ name }) => wordsOf(name)));
  return words.has('city') && words.has('address') && !words.has('name');
}

/** Rows that hang on a row of the parent, where there is one of them at most. */
function childName(
  parent: string,
  { columns }: Reference,
  table: FoundTable,
  prefixes: ReadonlySet<string>,
): string | undefined {
  if (table.sample.length === 0 || !isUnique(table, columns)) return undefined;
  const subject = subjectOf(table.name, prefixes);
  const isEmpty = columnFacts(table, columns[0]!).kind === 'empty';
  if (isEmpty) return undefined;
  if (parent === 'lines' && subject.has('tax')) return taxName(parent, table);
  if (parent === 'customer' && subject.has('address')) return 'customer_address';
  if (parent === 'customer' && subject.has('contact')) return 'customer_contact';
  return undefined;
}
