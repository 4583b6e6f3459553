import { atMost, type Rule } from './rule.ts';
import { areCodes } from './values.ts';

/** Codes of terms are no text of terms: of a table of terms its key, of a document what has no word in it. */
export const byTerms: Rule = (candidate) => {
  const { target, column } = candidate;
  if (target !== 'payment_terms[].note') return candidate;
  const isKey = column.context.has('terms') && areCodes(column.values);
  const isWordless = column.values.length > 0 && !column.values.some(hasWord);
  return isKey || isWordless ? atMost(candidate, 0.6, 'Its values look like codes.') : candidate;
};

function hasWord(value: string): boolean {
  return /\p{Letter}{3}/u.test(value);
}

/** Codes of UNCL4461 that invoices have; other small numbers are rather keys. */
const paymentCodes: ReadonlySet<string> = new Set(
  '10 20 21 30 31 42 48 49 54 55 57 58 59 97'.split(' '),
);

/** Means of payment are codes of the list, or words for them. */
export const byMeansOfPayment: Rule = (candidate) => {
  const { target, column, transforms } = candidate;
  const isMapped = transforms.some(({ kind }) => kind === 'map');
  if (target !== 'payment_means[].code' || isMapped) return candidate;
  return column.values.every((value) => paymentCodes.has(value.trim()))
    ? candidate
    : atMost(candidate, 0.6, 'Its values may be keys of another table.');
};

/** What was paid later is not prepaid. */
export const byPrepayment: Rule = (candidate) => {
  const { target, column } = candidate;
  const isEarly = /prepa|deposit|advance|anzahlung|acompte|anticip/i.test(column.column.column);
  return target === 'totals.prepaid' && !isEarly ? undefined : candidate;
};
