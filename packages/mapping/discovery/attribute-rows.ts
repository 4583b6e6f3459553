import { isTaxpayer } from '../inference/forms.ts';
import { wordsOf } from '../words.ts';
import {
  columnFacts,
  type FoundDatabase,
  type FoundTable,
  isWholeKey,
  type SampleRow,
  tellingKey,
  wordsOfColumn,
} from './database.ts';
import type { ProposedSection } from './sections/section.ts';

/** Rows that say something of a customer: an address of one kind, a field of one's own by its name. */
export interface AttributeRows {
  readonly name: 'customer_address' | 'customer_tax_number' | 'customer_phone' | 'customer_email';
  readonly section: ProposedSection;
}

/** Limits: columns of a table that is looked into, and different kinds of rows in it. */
const limits = { columns: 40, kinds: 30, attributeColumns: 10 } as const;
/** Rows of a kind, at least, and the share of the customers that have one. */
const rowsMin = 3;
const customersMin = 0.3;
/** Of the rows of a kind, those that are of a customer, at least. */
const heldMin = 0.9;

/** Words for whose rows they are, where a table has those of several things. */
const ownerWords: ReadonlySet<string> = new Set(['buyer', 'contact']);

/**
 * What rows that hang on a customer are, by what their kind is called; of two that are the same the first: the postal
 * address is the one where none is for bills.
 */
export const childKinds: readonly (readonly [AttributeRows['name'], RegExp])[] = [
  [
    'customer_address',
    /bill|invoice|rechnung|fact|fatur|main|primary|haupt|fiscal|legal|penagihan|^bil$/i,
  ],
  ['customer_address', /postal|mailing|po.?box/i],
  ['customer_phone', /phone|tel(?!eg)|mobile/i],
  ['customer_email', /mail|correo/i],
  ['customer_tax_number', /vat|tax|trn|^tin/i],
];

/** The place of a kind among those; one that is not among them is last. */
function rankOf(text: string): number {
  const rank = childKinds.findIndex(([, words]) => words.test(text));
  return rank === -1 ? childKinds.length : rank;
}

/**
 * Finds them by values: rows of one kind, told by one column or two, of which each customer has one at most. Nothing
 * need point anywhere: such tables hold rows of customers, suppliers and documents alike.
 *
 *   attributeRowsOf(customer, database)[0]
 *   // { name: 'customer_address', section: { table: 'addresses', where: { owner: 'customer', kind: 'billing' }, … } }
 */
export function attributeRowsOf(
  customer: ProposedSection,
  database: FoundDatabase,
): readonly AttributeRows[] {
  const own = database.tables.find(({ name }) => name === customer.table);
  const customers = own === undefined ? undefined : columnFacts(own, customer.match).values;
  if (own === undefined || customers === undefined || customers.size < rowsMin) return [];
  const found = new Map<string, AttributeRows>();
  for (const table of database.tables) {
    if (table === own || table.columns.length > limits.columns) continue;
    for (const { name: pointer } of table.columns) {
      for (const one of rowsBy(pointer, table, customers, customer, database)) {
        if (!found.has(one.name)) found.set(one.name, one);
      }
    }
  }
  return [...found.values()];
}

type Where = Readonly<Record<string, string>>;

function rowsBy(
  pointer: string,
  table: FoundTable,
  customers: ReadonlySet<string>,
  customer: ProposedSection,
  database: FoundDatabase,
): readonly AttributeRows[] {
  const { kind, values } = columnFacts(table, pointer);
  if (kind !== 'integer' && kind !== 'text') return [];
  // Rows with the customer's own key go on with the customer; others have keys of their own.
  if (isWholeKey(table, [pointer]) && !(kind === 'text' && hasStreetAndCity(table))) return [];
  const held = [...values].filter((value) => customers.has(value)).length;
  if (held < Math.max(rowsMin, customers.size * customersMin)) return [];
  const kinds = table.columns
    .map(({ name }) => name)
    .filter((name) => name !== pointer && tellsKinds(table, name));
  const owner = ownerOf(table, kinds);
  // Plain numbers are in any key: whose they are must be told.
  const isTold =
    kind === 'text' ||
    owner !== undefined ||
    (pointer === customer.match && pointer.length > 2) ||
    database.references.some(
      (one) => one.table === table.name && one.columns[0] === pointer && one.to === customer.table,
    );
  if (!isTold) return [];
  const ofOwner = owner ?? {};
  const rows = table.sample.filter((row) => isOf(row, ofOwner));
  const isOfCustomers = (some: readonly SampleRow[]) => {
    const ids = some.map((row) => row[pointer] ?? '');
    return (
      some.length >= Math.max(rowsMin, customers.size * customersMin) &&
      new Set(ids).size === ids.length &&
      ids.filter((id) => customers.has(id)).length >= ids.length * heldMin
    );
  };
  const made = (name: AttributeRows['name'], where: Where): AttributeRows => ({
    name,
    section: {
      table: table.name,
      key: tellingKey(table)[0] ?? pointer,
      match: pointer,
      matchFrom: customer.match,
      of: 'customer',
      ...(Object.keys(where).length === 0 ? {} : { where }),
    },
  });
  if (isOfCustomers(rows)) {
    const isOwn = owner !== undefined || (kind === 'text' && !isOfOthers(table));
    return isOwn && hasStreetAndCity(table) ? [made('customer_address', ofOwner)] : [];
  }
  return kinds.flatMap((column) => {
    if (Object.hasOwn(ofOwner, column)) return [];
    const told = [...new Set(rows.map((row) => row[column]!))]
      .map((value) => ({ value, text: textOf(table, column, value, database) }))
      .toSorted((one, other) => rankOf(one.text) - rankOf(other.text));
    return told.flatMap(({ value, text }) => {
      const own = rows.filter((row) => row[column] === value);
      if (!isOfCustomers(own)) return [];
      const name = nameOf(table, own, text);
      return name === undefined ? [] : [made(name, { ...ofOwner, [column]: value })];
    });
  });
}

const ofOthers = ['delivery', 'supplier', 'invoice', 'order', 'quote', 'employee'];

function isOfOthers(table: FoundTable): boolean {
  return wordsOf(table.name).some((word) => ofOthers.includes(word)) || areDeliveryAddresses(table);
}

/** How kinds of addresses are called that goods go to: `DEL`, `Ship-to`. */
const deliveryText = /^(del|dlv|ship|lief|lev|livr|entreg|envio)/i;

/** Whether rows are of a kind, and all of that of places that goods go to. */
export function areDeliveryAddresses(table: FoundTable): boolean {
  return table.columns.some(({ name }) => {
    const { values, kind } = columnFacts(table, name);
    const isOfKinds = kind === 'text' && wordsOfColumn(table, name).includes('type');
    return isOfKinds && values.size > 0 && [...values].every((value) => deliveryText.test(value));
  });
}

function isOf(row: SampleRow, where: Where): boolean {
  return Object.entries(where).every(([column, value]) => row[column] === value);
}

function tellsKinds(table: FoundTable, column: string): boolean {
  const { kind, values, filled, rows } = columnFacts(table, column);
  const isShort = [...values].every((value) => value.length <= 30);
  return (
    (kind === 'integer' || kind === 'text') &&
    filled === rows &&
    isShort &&
    values.size <= limits.kinds &&
    values.size * 2 <= rows
  );
}

/** `entity_type = customer`: a column whose values name things, one of them the customer. */
function ownerOf(table: FoundTable, kinds: readonly string[]): Where | undefined {
  for (const column of kinds) {
    const values = [...columnFacts(table, column).values];
    const own = values.filter((value) => wordsOf(value).some((word) => ownerWords.has(word)));
    if (own.length === 1 && !/^\d+$/.test(own[0]!)) return { [column]: own[0]! };
  }
  return undefined;
}

/** What a kind is called: by itself, or by the row of another table that it points at. */
function textOf(
  table: FoundTable,
  column: string,
  value: string,
  { tables, references }: FoundDatabase,
): string {
  const reference = references.find(
    (one) => one.table === table.name && one.columns[0] === column && one.columns.length === 1,
  );
  const named = tables
    .find(({ name }) => name === reference?.to)
    ?.sample.find((row) => row[reference!.toColumns[0]!] === value);
  return named === undefined ? value : Object.values(named).join(' ');
}

function nameOf(
  table: FoundTable,
  rows: readonly SampleRow[],
  text: string,
): AttributeRows['name'] | undefined {
  const told = childKinds[rankOf(text)]?.[0];
  if (hasStreetAndCity(table)) return told === 'customer_address' ? told : undefined;
  if (table.columns.length > limits.attributeColumns) return undefined;
  const isOfTaxpayers = table.columns.some(({ name }) =>
    rows.every((row) => isTaxpayer(row[name] ?? '')),
  );
  const isNamed = text
    .split(/[^\p{Letter}\d]+/u)
    .some((word) => wordsOf(word).includes('vatnumber'));
  if (isOfTaxpayers || isNamed) return 'customer_tax_number';
  return told === 'customer_phone' || told === 'customer_email' ? told : undefined;
}

/** Whether it has columns for streets and for cities. */
export function hasStreetAndCity(table: FoundTable): boolean {
  const words = new Set(table.columns.flatMap(({ name }) => wordsOfColumn(table, name)));
  return words.has('city') && words.has('address');
}
