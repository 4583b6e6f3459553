import type { KeysetRange } from '../db/keyset.ts';
import { idPattern } from '../ids.ts';

/** Where a list is cut, and on which side of the cut the page lies. */
export type Cut = Pick<KeysetRange, 'isBackward'> & { readonly key: string };

/** Stands before the key in the cursors of pages before the cut; no key begins so. */
const backwardSign = '<';

/** An opaque cursor. */
export function toCursor({ key, isBackward }: Cut): string {
  return Buffer.from(isBackward ? backwardSign + key : key, 'utf8').toString('base64url');
}

/**
 * What a cursor says. Undefined when `toCursor` did not make it, or when it is of another list:
 * `keys` is the prefix of the list's ids, or a pattern of its keys.
 */
export function fromCursor(cursor: string, keys: string | RegExp): Cut | undefined {
  const text = Buffer.from(cursor, 'base64url').toString('utf8');
  const isBackward = text.startsWith(backwardSign);
  const cut = { key: isBackward ? text.slice(backwardSign.length) : text, isBackward };
  const shape = typeof keys === 'string' ? idPattern(keys) : keys;
  return toCursor(cut) === cursor && shape.test(cut.key) ? cut : undefined;
}

/** A page of a list, as clients get it. */
export interface Page<Item> {
  readonly results: readonly Item[];
  readonly next: string | null;
  readonly previous: string | null;
}

/** Which page is requested. One row more is read than it has, which shows whether the list goes on. */
export interface PageRequest extends KeysetRange {
  readonly limit: number;
}

/** A page of the rows that were read for it, in the order in which they were read. */
export function pageOf<Row, Item>(
  request: PageRequest,
  rows: readonly Row[],
  keyOf: (row: Row) => string,
  show: (row: Row) => Item,
): Page<Item> {
  const shown = rows.slice(0, request.limit).map(show);
  return pageUpTo(request, endOf(request, rows, keyOf), shown);
}

/** Where the list is cut at the far end of the page; undefined where the list ends with it. */
export function endOf<Row>(
  { limit, isBackward }: PageRequest,
  rows: readonly Row[],
  keyOf: (row: Row) => string,
): string | undefined {
  if (rows.length <= limit) return undefined;
  // The cut is behind a row: the page's last one, or the one before the page, which is the surplus.
  return keyOf(rows[isBackward ? limit : limit - 1]!);
}

/** A page of what was read, between the requested cut and the one at its far end. */
export function pageUpTo<Item>(
  { key, isBackward }: PageRequest,
  end: string | undefined,
  read: readonly Item[],
): Page<Item> {
  const before = isBackward ? end : key;
  const after = isBackward ? key : end;
  return {
    results: isBackward ? read.toReversed() : read,
    next: after == null ? null : toCursor({ key: after, isBackward: false }),
    previous: before == null ? null : toCursor({ key: before, isBackward: true }),
  };
}
