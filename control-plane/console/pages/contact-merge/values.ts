import type { Contact } from '../contacts/queries.ts';

/** A value that both contacts have, and of which one is kept. */
export interface Contested {
  /** As the API names it: `name`, `phone`, `attributes.city`. */
  readonly name: string;
  readonly own: string;
  readonly others: string;
}

/** What two contacts say differently; where one says nothing the other one's value is kept. */
export function contestedBetween(own: Contact, other: Contact): readonly Contested[] {
  const pairs: readonly (readonly [name: string, own: unknown, others: unknown])[] = [
    ['name', own.name, other.name],
    ['phone', own.phone, other.phone],
    ...Object.entries(own.attributes).map(
      ([key, value]) => [`attributes.${key}`, value, ownValue(other.attributes, key)] as const,
    ),
  ];
  return pairs
    .filter(([, mine, theirs]) => isSaid(mine) && isSaid(theirs) && mine !== theirs)
    .map(([name, mine, theirs]) => ({ name, own: String(mine), others: String(theirs) }));
}

/** An attribute may have the name of what every object has, such as "constructor". */
function ownValue(attributes: Contact['attributes'], key: string): unknown {
  return Object.hasOwn(attributes, key) ? attributes[key] : undefined;
}

function isSaid(value: unknown): boolean {
  return value !== undefined && value !== null;
}
