import { wordsOf } from '../../words.ts';
import { areDeliveryAddresses, childKinds } from '../attribute-rows.ts';
import { columnFacts, type FoundTable, type Reference } from '../database.ts';
import { isKind, subjectOf } from '../references.ts';
import type { LookupContext } from './lookup-context.ts';
import {
  holdsTaxpayers,
  isAddressTable,
  isDocument,
  isSingle,
  leadsToPlace,
} from './table-facts.ts';
import { taxName } from './tax-tables.ts';

interface Child {
  readonly name: string;
  readonly where?: Readonly<Record<string, string>>;
}

/** Rows that hang on a row of the parent, where there is one of them at most, or one of each kind. */
export function childrenOf(
  parent: string,
  { columns }: Reference,
  table: FoundTable,
  context: LookupContext,
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
  context: LookupContext,
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
function leadsToAddress(table: FoundTable, column: string, context: LookupContext): boolean {
  return table.columns.length <= linkColumnsMax && leadsToPlace(table, column, context);
}

/** `type = phone` of the customer's rows, where each customer has one of them at most. */
function kindsOf(table: FoundTable, column: string, context: LookupContext): readonly Child[] {
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
