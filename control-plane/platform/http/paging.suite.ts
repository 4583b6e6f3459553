/**
 * The test of all lists of a service that have cursors: what every page promises, whichever list it is
 * of.
 */
import { describe, expect, test } from 'vitest';
import { toCursor } from './cursor.ts';
import type { AnyRoute } from './route.ts';

/** A service whose lists have rows. */
interface ListedService {
  /** Answers a GET. */
  // biome-ignore lint/suspicious/noExplicitAny: pages of many lists
  get(path: string): Promise<{ readonly status: number; readonly body: any }>;
}

export interface Lists {
  readonly routes: readonly AnyRoute[];
  readonly service: () => ListedService;
  /** Where a list with a parameter in its path has rows, by the path. */
  readonly places: Readonly<Record<string, string>>;
  /** Further paths of lists with other rows or another order. */
  readonly more?: readonly string[];
}

/** An odd number, so that the last page of two is not full. */
export const rowsOfEach = 5;

/** No list has so many; one that goes in a circle has more. */
const pagesMax = 50;

const isList = ({ method, request }: AnyRoute) =>
  method === 'get' && request?.query?.shape?.cursor !== undefined;

interface ShownPage {
  readonly ids: readonly string[];
  readonly next: string | null;
  readonly previous: string | null;
}

/** Describes the lists of a service; `rowsOf` and `idOf` say how their rows are made. */
export function describeLists({ routes, service, places, more = [] }: Lists): void {
  const paths = routes.filter(isList).map(({ path }) => places[path] ?? path);
  const at = (path: string, query: string) => `${path}${path.includes('?') ? '&' : '?'}${query}`;
  const read = async (path: string, limit: number, cursor: string | null = null) => {
    const asked = `limit=${limit}${cursor === null ? '' : `&cursor=${cursor}`}`;
    const { status, body } = await service().get(at(path, asked));
    expect([status, body]).toEqual([200, expect.anything()]);
    const { results, next, previous } = body;
    const ids: string[] = results.map((row: { id: string }) => row.id);
    return { ids, next, previous } satisfies ShownPage;
  };
  const followed = async (path: string, from: ShownPage, way: 'next' | 'previous') => {
    const pages = [from];
    for (let cursor = from[way]; cursor !== null; cursor = pages.at(-1)![way]) {
      expect(pages.length).toBeLessThan(pagesMax);
      pages.push(await read(path, 2, cursor));
    }
    return pages;
  };

  describe.each([...paths, ...more])('GET %s', (path) => {
    test('refuses the cursor of another list, in both directions', async () => {
      for (const isBackward of [false, true]) {
        const cursor = toCursor({ key: `other_${'0'.repeat(26)}`, isBackward });
        const { status, body } = await service().get(at(path, `cursor=${cursor}`));
        expect([status, body.errors]).toEqual([
          400,
          { cursor: ['must be the "next" or "previous" of another page of this list'] },
        ]);
      }
    });

    test('gives the same pages forward and backward, each row once', async () => {
      const whole = await read(path, 200);
      expect([whole.next, whole.previous]).toEqual([null, null]);
      expect(whole.ids.length).toBeGreaterThanOrEqual(rowsOfEach);
      expect(new Set(whole.ids).size).toBe(whole.ids.length);

      const first = await read(path, 2);
      expect(first.previous).toBeNull();
      const forward = await followed(path, first, 'next');
      expect(forward.flatMap(({ ids }) => ids)).toEqual(whole.ids);
      for (const { ids } of forward.slice(0, -1)) expect(ids).toHaveLength(2);

      const backward = await followed(path, forward.at(-1)!, 'previous');
      expect(backward.toReversed()).toEqual(forward);
      expect(await followed(path, backward.at(-1)!, 'next')).toEqual(forward);
    });
  });
}

/** The nth id with the prefix, in a statement that `rowsOf` makes. */
export function idOf(prefix: string, n = 'n'): string {
  return `'${prefix}_' || lpad((${n})::text, 26, '0')`;
}

/** Adds the accounts of further members; as the database's owner. */
export const accounts = `insert into user_account (id, email, name, password_hash, created_at)
  select ${idOf('usr')}, n || '@example.com', 'Person ' || n, '-', now()
  from generate_series(1, ${rowsOfEach}) n`;

/** A statement that adds rows, their columns as expressions of `n`; `$1` is the tenant. */
export function rowsOf(table: string, columns: Readonly<Record<string, string>>): string {
  return `insert into ${table} (tenant_id, ${Object.keys(columns)})
    select $1, ${Object.values(columns)} from generate_series(1, ${rowsOfEach}) n`;
}
