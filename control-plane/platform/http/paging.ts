import { z } from 'zod';
import { fromCursor } from './cursor.ts';
import { invalid } from './errors.ts';

/** The query of every list. */
export const pageQuery = z.strictObject({
  cursor: z.string().max(400).optional().describe('The "next" of the page before.'),
  limit: z.coerce.number().int().min(1).max(200).default(50),
});

/** The answer of every list. */
export function pageSchema<Item extends z.ZodType>(item: Item, id: string) {
  return z
    .strictObject({
      results: z.array(item),
      next: z.string().nullable(),
      previous: z.string().nullable(),
    })
    .meta({ id });
}

/**
 * The item after which a page begins; throws `invalid_request` for a cursor that is not of this
 * list.
 */
export function afterCursor(cursor: string | undefined, keys: string | RegExp): string | undefined {
  if (cursor === undefined) return undefined;
  const after = fromCursor(cursor, keys);
  if (after !== undefined) return after;
  throw invalid('cursor', 'must be the "next" of an earlier page of this list');
}
