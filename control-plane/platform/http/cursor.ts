import { idPattern } from '../ids.ts';

/**
 * Opaque cursors of keyset pages: what the next page begins after, so that rows that come and go
 * shift nothing.
 */

export function toCursor(after: string): string {
  return Buffer.from(after, 'utf8').toString('base64url');
}

/**
 * What `toCursor` was given; undefined when the text is no cursor of ours, or of another list than the
 * one whose keys are ids with that prefix, or look like that: such a page would be empty, or not what
 * was asked for.
 */
export function fromCursor(cursor: string, keys: string | RegExp): string | undefined {
  const text = Buffer.from(cursor, 'base64url').toString('utf8');
  const shape = typeof keys === 'string' ? idPattern(keys) : keys;
  return toCursor(text) === cursor && shape.test(text) ? text : undefined;
}

export interface Page<Item> {
  readonly results: readonly Item[];
  readonly next: string | null;
  readonly previous: string | null;
}

/** A page of rows read with one more than `limit`: the surplus says that another page follows. */
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
