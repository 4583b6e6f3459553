import { z } from 'zod';

/** The part of a file that a request asks for (RFC 9110, 13 and 14). */
export type Wanted =
  | { readonly kind: 'whole' }
  /** Both inclusive. */
  | { readonly kind: 'part'; readonly first: number; readonly last: number }
  | { readonly kind: 'beyond' }
  /** The caller already has the file. */
  | { readonly kind: 'unchanged' };

/** The request headers that `wantedOf` reads. */
export const rangeHeaders = z.object({
  range: z.string().max(200).optional().describe('One range of bytes, as bytes=0-999'),
  'if-none-match': z.string().max(1_000).optional(),
  'if-range': z.string().max(200).optional(),
});

/**
 * What the headers ask of a file of `size` bytes with this entity tag; by default the whole file.
 */
export function wantedOf(
  headers: z.output<typeof rangeHeaders>,
  { bytes, etag }: { readonly bytes: number; readonly etag: string },
): Wanted {
  const { range, 'if-none-match': known, 'if-range': condition } = headers;
  if (known !== undefined && isNamed(known, etag)) return { kind: 'unchanged' };
  if (range === undefined) return { kind: 'whole' };
  if (condition !== undefined && condition.trim() !== etag) return { kind: 'whole' };
  return partOf(range, bytes);
}

/** Whether the list names the tag; a weak tag counts as the same file. */
function isNamed(list: string, etag: string): boolean {
  const tags = list.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes('*') || tags.includes(etag);
}

function partOf(range: string, bytes: number): Wanted {
  const [, from = '', to = ''] =
    /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(range.replace(/\s/g, '')) ?? [];
  if (from === '' && to === '') return { kind: 'whole' };
  if (from === '') {
    const count = Math.min(Number(to), bytes);
    return count === 0
      ? { kind: 'beyond' }
      : { kind: 'part', first: bytes - count, last: bytes - 1 };
  }
  const first = Number(from);
  if (to !== '' && Number(to) < first) return { kind: 'whole' };
  if (first >= bytes) return { kind: 'beyond' };
  return { kind: 'part', first, last: to === '' ? bytes - 1 : Math.min(Number(to), bytes - 1) };
}
