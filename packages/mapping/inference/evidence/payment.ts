import { atMost, type Rule } from './rule.ts';
import { areCodes } from './values.ts';

/** Codes of terms are no text of terms. */
export const byTerms: Rule = (candidate) => {
  const { target, column } = candidate;
  const isOfTerms = target === 'payment_terms[].note' && column.context.has('terms');
  return isOfTerms && areCodes(column.values)
    ? atMost(candidate, 0.6, 'Its values look like codes.')
    : candidate;
};

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
