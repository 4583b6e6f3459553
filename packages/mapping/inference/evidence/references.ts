import { reviewedMax } from '../candidate.ts';
import { atMost, type Rule } from './rule.ts';

/** Names of the customer's own order, beside which an order number is that of the seller. */
const orderOfBuyer =
  /(^|_)(l?po|cust(omer)?_?po|purchase_?order|cust(omer)?_?ord(er)?)(_?(no|nbr|num|number|ref|reference|id))?$/i;

/** The order of an invoice is the customer's own, where it has one. */
export const byOrder: Rule = (candidate, { known }) => {
  const { target, column } = candidate;
  if (target !== 'purchase_order') return candidate;
  const { section, column: name } = column.column;
  const isTold = known.some(
    (one) => one.column.section === section && orderOfBuyer.test(one.column.column),
  );
  if (isTold && !orderOfBuyer.test(name)) return undefined;
  const isOfBuyer = column.owner === 'buyer' && column.words.has('reference');
  if (column.context.has('order') && !isOfBuyer) return undefined;
  return column.owner !== 'buyer' && areCounted(column.values)
    ? atMost(candidate, reviewedMax, 'The seller may have counted it.')
    : candidate;
};

/** Numbers that show that they are counted, at least, and the first digits that all have in common. */
const counted = { valuesMin: 5, commonMin: 3 } as const;

/** Whether they are numbers of one length that begin alike, as one firm counts and its customers do not. */
function areCounted(values: readonly string[]): boolean {
  const numbers = new Set(values.map((value) => value.trim()));
  const [first = ''] = numbers;
  const begin = first.slice(0, counted.commonMin);
  return (
    numbers.size >= counted.valuesMin &&
    [...numbers].every(
      (one) => /^\d+$/.test(one) && one.length === first.length && one.startsWith(begin),
    )
  );
}

/** "Reference" alone may be that of the document itself. */
export const byReferenceOfBuyer: Rule = (candidate) => {
  const { target, column } = candidate;
  const isAlone = column.words.size === 1 && column.words.has('reference');
  if (target !== 'buyer_reference' || !isAlone || column.owner === 'buyer') return candidate;
  const { values } = column;
  const isOwn = values.length > 2 && new Set(values).size === values.length;
  const doubt = 'It may be a reference of the document itself.';
  return atMost(candidate, isOwn ? 0.6 : reviewedMax, doubt);
};
