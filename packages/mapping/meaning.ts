import { createHash } from 'node:crypto';
import type { Mapping, MappingField } from './mapping.ts';

/** The meaning of a field, without approval and confidence, for comparison. */
export function meaning({ target, from, value, transforms }: MappingField): string {
  const source = from === undefined ? { value } : { section: from.section, column: from.column };
  return textOf([target, source, transforms ?? []]);
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
