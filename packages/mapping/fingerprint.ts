import { createHash } from 'node:crypto';
import type { Mapping, MappingField } from './mapping.ts';

/** The meaning of a field, without approval and confidence, for comparison. */
export function meaning({ target, from, value, transforms }: MappingField): string {
  const source = from === undefined ? { value } : { section: from.section, column: from.column };
  return textOf([target, source, transforms ?? []]);
}

/**
 * The meaning of a field with the lists and joins by which its rows are found: another row is another
 * value, so an approval of the field is one of them too.
 */
export function reading(field: MappingField, { lists = {}, joins = {} }: Mapping): string {
  const listed = listsAround(field.target).map((path) => [path, own(lists, path)]);
  const joined = joinedSections(field, joins).map((section) => [section, own(joins, section)]);
  return textOf([meaning(field), listed, joined]);
}

/** `lines[].taxes[].rate` → `lines[]`, `lines[].taxes[]`. */
function listsAround(target: string): string[] {
  return [...target.matchAll(/\[\]/g)].map(({ index }) => target.slice(0, index + 2));
}

/** Sections whose row is found by a join for this field, those in between too. */
function joinedSections(field: MappingField, joins: NonNullable<Mapping['joins']>): string[] {
  const found = new Set(sectionsOf(field));
  // A set goes on with what is added to it, and a join that leads back adds nothing.
  for (const section of found) {
    const parent = own(joins, section)?.parent;
    if (parent !== undefined) found.add(parent);
  }
  return [...found].sort();
}

/** A step reads columns of the field's own section, unless it names another. */
function sectionsOf({ from, transforms = [] }: MappingField): string[] {
  const named: string[] = [from?.section ?? 'header'];
  JSON.stringify(transforms, (name, value: unknown) => {
    if (name === 'section' && typeof value === 'string') named.push(value);
    return value;
  });
  return named;
}

function own<T>(members: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(members, name) ? members[name] : undefined;
}

/**
 * A short text for what a mapping says, or some of its fields: another one as soon as it says something
 * else, and the same whoever approved it.
 *
 *   fingerprint(mapping, ({ target }) => target.startsWith('totals.'))
 */
export function fingerprint(
  { fields, lists = {}, joins = {} }: Mapping,
  isConcerned: (field: MappingField) => boolean = () => true,
): string {
  return shortHash([fields.filter(isConcerned).map(meaning), lists, joins]);
}

const hashLength = 20;

/** Hexadecimal digits that are the same for the same value. */
export function shortHash(value: unknown): string {
  return createHash('sha256').update(textOf(value)).digest('hex').slice(0, hashLength);
}

function textOf(value: unknown): string {
  return JSON.stringify(value, sorted);
}

/** A database that keeps JSON gives an object's members back in an order of its own. */
function sorted(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}
