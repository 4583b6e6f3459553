import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type KeysetRange, newestFirst, oldestFirst } from '../db/keyset.ts';
import { fromCursor, type Page, pageOf } from './cursor.ts';
import { requestedPage } from './paging.ts';

const keys = /^\w+ ?\w+$/;
const name = fc.stringMatching(/^[a-z0-9]{2,6}$/);
const orders = { newestFirst, oldestFirst };
const limit = fc.integer({ min: 1, max: 5 });

/** What PostgreSQL does with the statement, on rows in memory. */
function statement(rows: readonly string[], range: KeysetRange, inOrder: keyof typeof orders) {
  const { key, where, order, rowsMax } = orders[inOrder](range);
  const [, comparison = ''] = /^id (\S+) \$2$/.exec(where('id', '$2')) ?? [];
  const fits = (row: string) =>
    key === null ||
    { '<': row < key, '<=': row <= key, '>': row > key, '>=': row >= key }[comparison];
  const sorted = rows.filter(fits).toSorted();
  return (order === 'asc' ? sorted : sorted.toReversed()).slice(0, rowsMax);
}

function read(
  rows: readonly string[],
  inOrder: keyof typeof orders,
  query: { cursor?: string; limit: number },
): Page<string> {
  const page = requestedPage(query, keys);
  const found = statement(rows, page, inOrder);
  return pageOf(
    page,
    found,
    (row) => row,
    (row) => row,
  );
}

/** No list has so many; one that goes in a circle has more. */
const pagesMax = 30;

/** The page, and all that follow it in the direction. */
function followed(
  rows: readonly string[],
  inOrder: keyof typeof orders,
  from: Page<string>,
  { way, limit: count }: { way: 'next' | 'previous'; limit: number },
): Page<string>[] {
  const pages = [from];
  for (let cursor = from[way]; cursor !== null; cursor = pages.at(-1)![way]) {
    expect(pages.length).toBeLessThan(pagesMax);
    pages.push(read(rows, inOrder, { cursor, limit: count }));
  }
  return pages;
}

test.each(['newestFirst', 'oldestFirst'] as const)(
  '%s: all pages forward are all pages backward, whatever their size',
  (inOrder) => {
    fc.assert(
      fc.property(fc.uniqueArray(name, { maxLength: 20 }), limit, (rows, count) => {
        const first = read(rows, inOrder, { limit: count });
        const forward = followed(rows, inOrder, first, { way: 'next', limit: count });
        const sorted = rows.toSorted();
        expect(forward.flatMap(({ results }) => results)).toEqual(
          inOrder === 'oldestFirst' ? sorted : sorted.toReversed(),
        );
        const last = forward.at(-1)!;
        const backward = followed(rows, inOrder, last, { way: 'previous', limit: count });
        expect(backward.toReversed()).toEqual(forward);
      }),
    );
  },
);

test.each(['newestFirst', 'oldestFirst'] as const)(
  '%s: pages follow each other whatever is added and deleted between them',
  (inOrder) => {
    const list = fc.uniqueArray(name, { maxLength: 20 });
    const step = fc.record({ rows: list, isBack: fc.boolean(), count: limit });
    fc.assert(
      fc.property(list, limit, fc.array(step, { maxLength: 8 }), (begun, count, steps) => {
        let page = read(begun, inOrder, { limit: count });
        for (const { rows, isBack, count: wanted } of steps) {
          const cursor = isBack ? page.previous : page.next;
          if (cursor === null) continue;
          const { key } = fromCursor(cursor, keys)!;
          page = read(rows, inOrder, { cursor, limit: wanted });
          const all = statement(rows, { key: null, isBackward: false, rowsMax: 99 }, inOrder);
          // The list as it is now, cut where the page before ended or began.
          const isBefore = (row: string) => (inOrder === 'oldestFirst' ? row <= key : row >= key);
          const [before, after] = [all.filter(isBefore), all.filter((row) => !isBefore(row))];
          expect(page.results).toEqual(isBack ? before.slice(-wanted) : after.slice(0, wanted));
          expect(page[isBack ? 'next' : 'previous']).not.toBeNull();
          const further = page[isBack ? 'previous' : 'next'];
          // Behind the page's last row; backward behind the row before the page.
          const cut = isBack ? before.at(-wanted - 1) : after.length > wanted && after[wanted - 1];
          expect(further !== null && fromCursor(further, keys)!.key).toBe(cut ?? false);
        }
      }),
    );
  },
);

test('a cursor is of its own list and its own direction', () => {
  const { next } = read(['a1', 'b2', 'c3'], 'oldestFirst', { limit: 1 });
  const { previous } = read(['a1', 'b2', 'c3'], 'oldestFirst', { cursor: next!, limit: 1 });
  expect(fromCursor(next!, keys)).toEqual({ key: 'a1', isBackward: false });
  expect(fromCursor(previous!, keys)).toEqual({ key: 'a1', isBackward: true });
  expect(previous).not.toBe(next);
});

const encoded = (text: string) => Buffer.from(text).toString('base64url');

test.each([
  ['no text of a key', encoded('<')],
  ['two directions', encoded('<<a1')],
  ['another writing of the same bytes', `${encoded('a1')}=`],
  ['not base64url', 'a+b/'],
  ['another list', encoded('a1-b2')],
  ['nothing', ''],
])('%s is refused', (_, cursor) => {
  expect(fromCursor(cursor, keys)).toBeUndefined();
  expect(() => requestedPage({ cursor, limit: 1 }, keys)).toThrow(/"previous" of another page/);
});
