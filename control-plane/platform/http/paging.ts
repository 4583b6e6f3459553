import { z } from 'zod';
import { firstRows } from '../db/keyset.ts';
import { fromCursor, type PageRequest } from './cursor.ts';
import { invalid } from './errors.ts';

/** The query of every list. */
export const pageQuery = z.strictObject({
  cursor: z
    .string()
    .max(400)
    .optional()
    .describe('The "next" or "previous" of another page of this list; none: the first page.'),
  limit: z.coerce.number().int().min(1).max(200).default(50),
});

/** The answer of every list. */
export function pageSchema<Item extends z.ZodType>(item: Item, id: string) {
  return z
    .strictObject({
      results: z.array(item),
      next: z
        .string()
        .nullable()
        .describe('The cursor of the page after this one; null: the last.'),
      previous: z
        .string()
        .nullable()
        .describe('The cursor of the page before this one; null: the first.'),
    })
    .meta({ id });
}

/** The page that a query asks for; throws `invalid_request` for a cursor that is not of this list. */
export function requestedPage(
  { cursor, limit }: z.output<typeof pageQuery>,
  keys: string | RegExp,
): PageRequest {
  const first = { ...firstRows(limit + 1), limit };
  if (cursor === undefined) return first;
  const cut = fromCursor(cursor, keys);
  if (cut !== undefined) return { ...first, ...cut };
  throw invalid('cursor', 'must be the "next" or "previous" of another page of this list');
}
