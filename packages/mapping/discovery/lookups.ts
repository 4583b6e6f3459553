import { attributeRowsOf, hasStreetAndCity } from './attribute-rows.ts';
import {
  columnFacts,
  type FoundDatabase,
  type FoundTable,
  isUnfilled,
  type Reference,
  type SampleRow,
} from './database.ts';
import { childrenOf } from './lookups/child-rows.ts';
import type { LookupContext } from './lookups/lookup-context.ts';
import { lookupName, saysSeller } from './lookups/lookup-name.ts';
import { hasTaxpayers, isNamed, isPrincipal } from './lookups/table-facts.ts';
import { commonPrefixes, subjectOf, transitiveReferences } from './references.ts';
import type { ProposedSection } from './sections/section.ts';

/** Sections of a document, at most; as the settings of a connector have it. */
const sectionsMax = 20;

/** Sections that hang one on the other, below header, lines and customer. */
const depthMax = 3;

/**
 * Sections with those added whose tables the given ones point at: the item of a line, its unit, the
 * country of the customer. A table that the sections have already is not added again.
 */
export function withLookups(
  database: FoundDatabase,
  sections: Readonly<Record<string, ProposedSection>>,
): Readonly<Record<string, ProposedSection>> {
  const all: Record<string, ProposedSection> = { ...sections };
  const context: LookupContext = {
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
  { byName }: LookupContext,
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

interface Lookup {
  readonly name: string;
  readonly section: ProposedSection;
}

function lookupsOf(
  parent: string,
  all: Readonly<Record<string, ProposedSection>>,
  context: LookupContext,
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
