import { idPattern } from '../ids.ts';

/**
 * An opaque cursor of a keyset page. It holds the key after which the next page begins, so that
 * added and deleted rows do not shift the pages.
 */
export function toCursor(after: string): string {
  return Buffer.from(after, 'utf8').toString('base64url');
}

/**
 * The key in a cursor. Undefined when `toCursor` did not make it, or when it is of another list:
 * `keys` is the prefix of the list's ids, or a pattern of its keys.
 */
export function fromCursor(cursor: string, keys: string | RegExp): string | undefined {
  const text = Buffer.from(cursor, 'base64url').toString('utf8');
  const shape = typeof keys === 'string' ? idPattern(keys) : keys;
  return toCursor(text) === cursor && shape.test(text) ? text : undefined;
}

/** A page of a list, as clients get it. */
export interface Page<Item> {
  readonly results: readonly Item[];
  readonly next: string | null;
  readonly previous: string | null;
}

/** A page of rows that were read with one more than `limit`, which shows whether a page follows. */
export function pageOf<Row, Item>(
  rows: readonly Row[],
  limit: number,
  keyOf: (row: Row) => string,
  show: (row: Row) => Item,
): Page<Item> {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const next = rows.length > limit && last !== undefined ? toCursor(keyOf(last)) : null;
  return { results: shown.map(show), next, previous: null };
}
