import type { SourceDocument } from '@drawbridge/records/document.ts';
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
): ReadColumn {
  const all = wordsOf(column.column);
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
    words: new Set(named),
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
