import { isSharedSign } from '../../code-names.ts';
import { mappedValues, reviewedMax } from '../candidate.ts';
import { booksName, currencyColumn } from '../document-money.ts';
import { atMost, type Rule } from './rule.ts';

/** A currency that is named for the books is rather not that of the document. */
export const byBooksName: Rule = (candidate) => {
  const isOfBooks = booksName.test(candidate.column.column.column);
  return candidate.target === 'currency' && isOfBooks
    ? atMost(candidate, 0.6, 'It may be the currency of the books.')
    : candidate;
};

/** A sign that several currencies have is looked at by a person: $ and £. */
export const byCurrencySign: Rule = (candidate) => {
  const isShared = [...mappedValues(candidate)].some(isSharedSign);
  return candidate.target === 'currency' && isShared
    ? atMost(candidate, reviewedMax, 'Several currencies have that sign.')
    : candidate;
};

/** A rate is believed only where its values tell which way round it is. */
export const byExchangeRate: Rule = (candidate) => {
  const { target, column } = candidate;
  if (target !== 'exchange_rate.rate') return candidate;
  if (column.context.has('currency')) {
    return atMost(candidate, 0.55, 'It may be the rate of today.');
  }
  const [power] = column.values.filter((value) => /^10{2,}(\.0+)?$/.test(value.trim()));
  if (power === undefined) {
    return atMost(candidate, reviewedMax, 'Which way round it is cannot be seen.');
  }
  // The currency of the books is worth one.
  const one = atMost(candidate, 0.6, 'A rate of 100 is for a hundred units, or lacks its point.');
  return { ...one, transforms: [{ kind: 'divide', by: { value: String(Number(power)) } }] };
};

/** A currency that is the same in all documents is rather that of the books, where another column differs; a rate likewise. */
export const byCurrencies: Rule = (candidate, { known }) => {
  const { target, column } = candidate;
  const isRate = target === 'exchange_rate.rate';
  if ((target !== 'currency' && !isRate) || new Set(column.values).size !== 1) return candidate;
  if (currencyColumn(known) === undefined) return candidate;
  const doubt = isRate
    ? 'Documents have several currencies, and it is the same in all.'
    : 'Another column differs between documents.';
  return atMost(candidate, 0.6, doubt);
};

/** Fields that are amounts of money. */
const money =
  /^(totals\.|lines\[\]\.(net|unit_price|gross_price)$|lines\[\]\.allowances\[\]\.amount$|charges\[\]\.amount$|tax_breakdown\[\]\.(amount|taxable)$)/;

/** Amounts that documents have in two currencies, of which nothing says which is which. */
export const byMoney: Rule = (candidate, { doubtful, ofBooks }) => {
  if (!money.test(candidate.target)) return candidate;
  if (ofBooks.has(candidate.column)) return undefined;
  return doubtful.has(candidate.column)
    ? atMost(candidate, reviewedMax, 'It may be in the currency of the books.')
    : candidate;
};

/** Amounts in cents become amounts of the currency. */
export const byCents: Rule = (candidate, { sums }) => {
  if (sums?.isInCents !== true || !money.test(candidate.target)) return candidate;
  return {
    ...candidate,
    transforms: [...candidate.transforms, { kind: 'divide', by: { value: '100' } }],
    reason: `${candidate.reason} Its values are in cents.`,
  };
};
