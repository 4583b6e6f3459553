import type { Arithmetic } from '../arithmetic.ts';
import { mappedValues } from '../candidate.ts';
import { isHeaderTax, type ReadColumn } from '../columns.ts';
import { shareOf, sumOf } from '../numbers.ts';
import { atMost, type Rule } from './rule.ts';

/** Tax rows of the document say the tax of its lines only where there is one. */
export const byTaxRows: Rule = (candidate, { documents, known }) => {
  const { column, role } = candidate.column;
  const isOfHeader = role !== 'tax' && isHeaderTax(candidate.column);
  if ((role !== 'tax' && !isOfHeader) || !candidate.target.startsWith('lines[]')) return candidate;
  const isSingle =
    documents.length > 0 &&
    documents.every(({ sections }) => (sections[column.section] ?? []).length <= 1);
  if (!isSingle) return undefined;
  const hasOwn = known.some(
    (one) =>
      (one.role === 'line' || one.role === 'item') &&
      one.words.has('tax') &&
      (one.words.has('rate') || one.words.has('percent') || one.words.has('code')),
  );
  if (hasOwn) return undefined;
  return atMost(candidate, isOfHeader ? 0.88 : 0.78, 'Each sample document has one tax.');
};

/** A rate that is 0 in all lines is a dead column where documents have tax. */
export const byTaxSeen: Rule = (candidate, { known, sums }) => {
  const { target, column } = candidate;
  if (target !== 'lines[].tax.rate' || sums === undefined || column.values.length === 0) {
    return candidate;
  }
  const isZero = column.values.every((value) => Number(value) === 0);
  return isZero && isTaxed(sums, known) ? undefined : candidate;
};

/** How much more a total with tax is, at least. */
const taxedMin = 1.005;

/** Whether documents have tax: a total is one, or a total with it is more than what lines come to. */
function isTaxed({ totals }: Arithmetic, known: readonly ReadColumn[]): boolean {
  const amountOf = ({ values }: ReadColumn) =>
    sumOf(values, (value) => Math.abs(Number(value) || 0));
  const nets = [...totals].filter(([, kind]) => kind === 'net' || kind === 'lines');
  const net = Math.min(...nets.map(([column]) => amountOf(column)));
  return known.some((one) => {
    if (one.column.section !== 'header') return false;
    if (totals.get(one) === 'tax') return amountOf(one) > 0;
    const isGross = one.words.has('gross') && one.words.has('tax');
    return isGross && nets.length > 0 && amountOf(one) > net * taxedMin;
  });
}

/** What is the same in all lines is no category of their taxes where these have several rates. */
export const byRatesBeside: Rule = (candidate, { sums, known }) => {
  const { target, column } = candidate;
  const isOne = column.values.length > 1 && new Set(column.values).size === 1;
  if (target !== 'lines[].tax.category' || !isOne) return candidate;
  const areSeveral = known.some((one) => {
    const isRate = one.words.has('tax') && (one.words.has('percent') || one.words.has('rate'));
    const isOfLine = one.role === 'line' && (isRate || one === sums?.taxRate);
    return isOfLine && new Set(one.values.map(Number)).size > 1;
  });
  return areSeveral ? undefined : candidate;
};

/** A rate that gives the tax of some documents, and of others too much, is not that of all lines. */
export const byTaxGiven: Rule = (candidate, { sums }) => {
  const { target, column } = candidate;
  if (!/^lines\[\]\.tax\./.test(target) || sums === undefined) return candidate;
  const isOfRate = sums.partialRates.some(
    (rate) =>
      rate === column ||
      (rate.column.section === column.column.section && new Set(column.values).size === 1),
  );
  return isOfRate ? undefined : candidate;
};

/** Different rates or codes of tax, at most: more are amounts. */
const ratesMax = 12;

/** Rates are few, and called so or other numbers than yes and no. */
export const byRateValues: Rule = (candidate) => {
  const { target, column } = candidate;
  const isNamed = ['rate', 'percent'].some((word) => column.words.has(word));
  if (target !== 'lines[].tax.rate' || isNamed) return candidate;
  const areMarks = column.values.length > 0 && column.values.every((value) => /^[01]$/.test(value));
  return areMarks || new Set(column.values).size > ratesMax ? undefined : candidate;
};

/** Codes of tax that are known, or are mapped to known ones; others are looked at by a person. */
export const byTaxCodes: Rule = (candidate, { wanted }) => {
  const { target, column } = candidate;
  const { values } = column;
  if (target === 'lines[].classifications[].code' && column.words.has('tax')) return undefined;
  if (target === 'lines[].tax.category' && new Set(values).size > ratesMax) return undefined;
  if (!/tax(_breakdown\[\])?\.category$/.test(target) || values.length === 0) return candidate;
  if (values.every((value) => /^[YN]$/i.test(value.trim()))) {
    return atMost(candidate, 0.65, 'No tax may be zero-rated, exempt or out of scope: say which.');
  }
  const mapped = mappedValues(candidate);
  const held = shareOf(
    values,
    (value) => mapped.has(value.trim()) || wanted.categoryCodes.has(value.trim()),
  );
  if (held === 1) return candidate;
  return atMost(candidate, held < 0.5 ? 0.45 : 0.7, 'Some of its codes are not known.');
};
