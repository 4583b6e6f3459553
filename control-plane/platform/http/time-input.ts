/**
 * Times in requests: those that JavaScript, ids and PostgreSQL all know. RFC 3339 also knows the year
 * 0000, which PostgreSQL does not, and an offset can lead out of the years of four digits.
 */
import { z } from 'zod';

const last = Date.parse('9999-12-31T23:59:59.999Z');

/** What happened before has no place here, and periods that end then would begin too early. */
const firstInstant = Date.parse('1900-01-01T00:00:00Z');
const firstDay = Date.parse('0001-01-01');

const isFrom = (first: number) => (text: string) => {
  const ms = Date.parse(text);
  return ms >= first && ms <= last;
};

const instantRange = 'must be in a year from 1900 to 9999, in UTC';

/** An instant in UTC, as 2026-01-31T00:00:00Z. `error` is what is said of other texts. */
export function utcInstant(error?: string) {
  return z.iso.datetime({ error, abort: true }).refine(isFrom(firstInstant), instantRange);
}

/** An instant in any zone, as 2026-01-31T04:00:00+04:00. `error` is what is said of other texts. */
export function zonedInstant(error?: string) {
  const said = ({ input }: { readonly input?: unknown }) =>
    typeof input === 'string' && hasLostPlus.test(input) ? lostPlus : error;
  const written = z.iso.datetime({ offset: true, error: said, abort: true });
  return written.refine(isFrom(firstInstant), instantRange);
}

/** What an address makes of a + that is not encoded. */
const hasLostPlus = / \d\d:\d\d$/;
const lostPlus = 'has a blank for the + of its zone, which is written %2B in an address';

/** A day, as 2026-01-31. */
export function day() {
  return z.iso
    .date({ abort: true })
    .refine(isFrom(firstDay), 'must be in a year from 0001 to 9999');
}
