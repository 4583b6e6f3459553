import { isTaxpayer } from '../../inference/forms.ts';
import { hasStreetAndCity } from '../attribute-rows.ts';
import { columnFacts, type FoundTable, wordsOfColumn } from '../database.ts';
import { headerColumns } from '../sections/header-columns.ts';
import { hasTaxNumbers } from '../sections/party-tables.ts';
import type { ProposedSection } from '../sections/section.ts';
import type { LookupContext } from './lookup-context.ts';

/** Header, lines and customer are read once: what points back at them says nothing new. */
export function isPrincipal(
  all: Readonly<Record<string, ProposedSection>>,
  { name }: FoundTable,
): boolean {
  return ['header', 'lines', 'customer'].some((section) => all[section]?.table === name);
}

const taxpayersMin = 0.8;

/** Whether a column besides the key holds numbers of taxpayers, in a table that is about them. */
export function holdsTaxpayers(table: FoundTable, key: string): boolean {
  if (
    isAddressTable(table) ||
    table.columns.some(({ name }) => wordsOfColumn(table, name).includes('city'))
  ) {
    return false;
  }
  return hasTaxpayers(table, key);
}

/** Whether a row has the address of a firm and its number as a taxpayer. */
export function saysTaxpayer(table: FoundTable, key: string): boolean {
  return hasStreetAndCity(table) && (hasTaxpayers(table, key) || hasTaxNumbers(table));
}

export function hasTaxpayers(table: FoundTable, key: string): boolean {
  return table.columns.some(({ name }) => {
    const isKey = name === key || table.primaryKey.includes(name);
    const values = isKey ? [] : [...columnFacts(table, name).values];
    return values.length >= 2 && values.filter(isTaxpayer).length / values.length >= taxpayersMin;
  });
}

export function isNamed(table: FoundTable): boolean {
  return table.columns.some(({ name }) => {
    const words = wordsOfColumn(table, name);
    const isFilled = table.sample.length === 0 || columnFacts(table, name).filled > 0;
    return isFilled && (words.includes('name') || words.includes('description'));
  });
}

export function isAddressTable(table: FoundTable): boolean {
  return (
    hasStreetAndCity(table) &&
    !table.columns.some(({ name }) => wordsOfColumn(table, name).includes('name'))
  );
}

/** Whether no two rows have the same value; those without one hang on something else. */
export function isSingle(table: FoundTable, column: string): boolean {
  const { filled, values } = columnFacts(table, column);
  return filled === values.size;
}

/** Whether rows are documents, which repeat what is said of their customer, or an address of theirs. */
export function isDocument(table: FoundTable, subject: ReadonlySet<string>): boolean {
  return (
    ['invoice', 'order', 'credit', 'quote', 'payment'].some((word) => subject.has(word)) ||
    headerColumns(table).has('total')
  );
}

/** Whether its rows point at rows with towns and streets, by another column. */
export function leadsToPlace(
  table: FoundTable,
  column: string,
  { references, byName }: LookupContext,
): boolean {
  return references.some((reference) => {
    const to = byName.get(reference.to);
    const isOther = reference.table === table.name && reference.columns[0] !== column;
    return isOther && to !== undefined && hasStreetAndCity(to);
  });
}
