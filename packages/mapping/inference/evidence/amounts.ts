import { hundredfold, readingSteps } from '../../samples.ts';
import type { Transform } from '../../transform.ts';
import { provedMin } from '../arithmetic/document-sums.ts';
import { isAmountOff, type LineDiscount } from '../arithmetic/line-product.ts';
import type { Arithmetic } from '../arithmetic.ts';
import { type Candidate, reviewedMax } from '../candidate.ts';
import { isCalledWithTax, type ReadColumn } from '../columns.ts';
import { areFractions, numbersOf, shareOf } from '../numbers.ts';
import { isRemainder } from '../remainders.ts';
import { atMost, type Rule, withConfidence } from './rule.ts';

/** What is left of a quantity or an amount, or was done of it, is none of the document where another is the whole. */
export const byRemainder: Rule = (candidate, { known }) => {
  const { target, column } = candidate;
  const isWhole = /^(lines\[\]\.(qty|net)|totals\.(net|tax|gross|lines))$/.test(target);
  return isWhole && isRemainder(column, known) ? undefined : candidate;
};

/** What is charged besides, such as freight, is none of the document's totals where another one is. */
export const byCharge: Rule = (candidate, { known }) => {
  const { target, column } = candidate;
  const kind = /^totals\.(net|tax|gross)$/.exec(target)?.[1];
  const isCharge = column.words.has('charge') && !column.words.has('total');
  if (kind === undefined || !isCharge) return candidate;
  const isTotalled = known.some(
    ({ column: { section }, words }) =>
      section === column.column.section && words.has(kind) && !words.has('charge'),
  );
  return isTotalled ? undefined : candidate;
};

/** What a piece costs the seller is no price of it where another column is one. */
export const byCost: Rule = (candidate, { known }) => {
  const { target, column } = candidate;
  if (!/^lines\[\]\.(unit|gross)_price$/.test(target) || !column.words.has('cost'))
    return candidate;
  const isPriced = known.some(
    ({ column: { section }, words }) =>
      section === column.column.section && words.has('price') && !words.has('cost'),
  );
  return isPriced ? undefined : candidate;
};

/** The only quantity of a line, whatever is said of what was done with it. */
const loneQuantityMin = 0.75;

export const byQuantities: Rule = (candidate, { known }) => {
  const { target, column } = candidate;
  if (target !== 'lines[].qty' || column.column.section !== 'lines') return candidate;
  const others = known.filter(
    (one) => one !== column && one.column.section === 'lines' && one.words.has('quantity'),
  );
  const isLone = column.words.has('quantity') && others.length === 0;
  return isLone && candidate.confidence < loneQuantityMin
    ? withConfidence(candidate, loneQuantityMin, 'It is the only quantity of a line.')
    : candidate;
};

/** What quantity × price, and the totals, prove or refute. */
export const bySums: Rule = (candidate, { sums }) => {
  if (sums === undefined) return candidate;
  const { target, column } = candidate;
  const isProved = sums.share >= provedMin;
  switch (target) {
    case 'lines[].qty':
      return isProved ? counted(candidate, sums) : candidate;
    case 'lines[].unit_price':
      return priced(candidate, sums, isProved);
    case 'lines[].gross_price':
      return isProved && sums.price !== undefined && isPrice(column, sums.price)
        ? undefined
        : candidate;
    case 'lines[].allowances[].percent':
    case 'lines[].allowances[].amount':
      return discounted(candidate, sums, isProved);
    case 'lines[].net':
      return lineNet(candidate, sums, isProved);
    case 'totals.net':
    case 'totals.tax':
    case 'totals.gross':
    case 'totals.due':
      return totalled(candidate, sums);
    default:
      return candidate;
  }
};

const openDiscount = 'Lines have discounts, and no sum says whether they are taken off.';
const productReason = 'Quantity × price gives the amounts.';

function counted(candidate: Candidate, { quantity }: Arithmetic): Candidate {
  return candidate.column === quantity
    ? withConfidence(candidate, candidate.confidence + 0.06, productReason)
    : withConfidence(candidate, candidate.confidence - 0.2);
}

function priced(candidate: Candidate, sums: Arithmetic, isProved: boolean): Candidate {
  const { tax, price } = sums;
  const isPrice = candidate.column === price;
  if (isProved && !isPrice) return withConfidence(candidate, candidate.confidence - 0.25);
  const proved = isProved
    ? withConfidence(candidate, candidate.confidence + 0.06, productReason)
    : candidate;
  switch (tax.kind) {
    case 'without':
      return withConfidence(proved, proved.confidence, 'The sums show that no tax is in it.');
    case 'included':
      return {
        ...withConfidence(
          proved,
          Math.min(proved.confidence, 0.9),
          'The sums show that tax is in it, which is taken out.',
        ),
        transforms: [...proved.transforms, ...tax.steps],
      };
    case 'mixed':
      return atMost(proved, 0.6, 'In some documents tax is in it, in others not.');
    case 'unknown':
      return tax.isTaxSeen
        ? atMost(proved, reviewedMax, 'Whether tax is in it cannot be seen.')
        : proved;
  }
}

function discounted(
  candidate: Candidate,
  sums: Arithmetic,
  isProved: boolean,
): Candidate | undefined {
  const { column, target } = candidate;
  if (isProved && sums.idleDiscounts.includes(column)) return undefined;
  const { discount } = sums;
  if (discount?.column === column && isProved) {
    if (isAmountOff(discount) !== target.endsWith('.amount')) return undefined;
    const steps = [...readingSteps(column.values), ...discountSteps(sums, discount.form)];
    return {
      ...withConfidence(candidate, Math.max(0.92, candidate.confidence), 'The amounts show it.'),
      transforms: steps,
    };
  }
  const isZero = column.values.every((value) => Number(value) === 0);
  if (isZero) return atMost(candidate, 0.55);
  if (target.endsWith('.percent') && areFractions(column.values)) {
    return { ...atMost(candidate, reviewedMax), transforms: [hundredfold] };
  }
  return atMost(candidate, reviewedMax);
}

function discountSteps({ quantity }: Arithmetic, form: LineDiscount['form']): readonly Transform[] {
  if (form === 'fraction') return [hundredfold];
  if (form === 'negative') return [{ kind: 'negate' }];
  if (form !== 'piece' || quantity === undefined) return [];
  return [{ kind: 'multiply', by: { column: quantity.column.column } }];
}

function lineNet(candidate: Candidate, sums: Arithmetic, isProved: boolean): Candidate | undefined {
  if (!isProved) return atMost(candidate, 0.75);
  const isAmount = sums.lineAmounts.includes(candidate.column);
  if (!isAmount || sums.tax.kind === 'included') return undefined;
  if (sums.isDiscountOpen) return atMost(candidate, reviewedMax, openDiscount);
  return withConfidence(candidate, candidate.confidence + 0.04, 'It is quantity × price.');
}

function totalled(
  candidate: Candidate,
  { totals, tax, isDiscountOpen }: Arithmetic,
): Candidate | undefined {
  const kind = totals.get(candidate.column);
  const { target } = candidate;
  if (kind === undefined) {
    // A total of tax need not have one with tax beside it, which would show it.
    const isLoneTax = target === 'totals.tax' && mayBeLoneTax(candidate.column, totals);
    return totals.size > 0 && !isLoneTax ? undefined : atMost(candidate, 0.75);
  }
  const proved = {
    net: ['totals.net'],
    tax: ['totals.tax'],
    gross: ['totals.gross', 'totals.due'],
    lines:
      tax.kind === 'included'
        ? ['totals.gross', 'totals.due']
        : tax.kind === 'unknown'
          ? ['totals.gross', 'totals.due', 'totals.net']
          : ['totals.net'],
  }[kind];
  if (!proved.includes(target)) return undefined;
  if (kind === 'lines' && candidate.confidence < 0.6) return undefined;
  // What lines come to is no total where another one has charges or discounts in it.
  const isPart = [...totals].some(
    ([other, each]) =>
      each === 'net' && other.values.join('\n') !== candidate.column.values.join('\n'),
  );
  if (kind === 'lines' && target === 'totals.net' && isPart) return undefined;
  if (kind === 'lines' && isDiscountOpen) return atMost(candidate, reviewedMax, openDiscount);
  // A column that the lines sum up to, and whose name says little, may lack a part: freight, tax.
  const least = kind === 'lines' ? candidate.confidence : 0.9;
  return withConfidence(
    candidate,
    Math.max(candidate.confidence, least),
    'The sums of the sample documents show it.',
  );
}

/** Whether it is the price of the line, or that with tax: the price before a discount is another one. */
function isPrice(column: ReadColumn, price: ReadColumn): boolean {
  return column === price || isCalledWithTax(column, price);
}

/** Of the amounts of tax of documents those that are some, at least, and what share of the total they are, at most. */
const loneTax = { someMin: 0.5, shareMax: 0.4 } as const;

/** Whether a column beside a total without tax has amounts as its tax is, and no other column is known to be it. */
function mayBeLoneTax(column: ReadColumn, totals: Arithmetic['totals']): boolean {
  const kinds = [...totals.values()];
  const net = [...totals.keys()].find((one) => totals.get(one) === 'lines');
  if (net === undefined || kinds.includes('tax') || kinds.includes('gross')) return false;
  const [taxes, nets] = [numbersOf(column), numbersOf(net)];
  const isShare = (tax: number, at: number) =>
    Math.abs(tax) <= Math.abs(nets[at]!) * loneTax.shareMax;
  return (
    taxes.length === nets.length &&
    taxes.every(isShare) &&
    shareOf(taxes, (tax) => tax !== 0) >= loneTax.someMin
  );
}

/** A quantity that is kept negative, as stock moves out. */
export const bySign: Rule = (candidate) => {
  const { target, column, transforms } = candidate;
  if (target !== 'lines[].qty') return candidate;
  const numbers = column.values.map(Number).filter((value) => value !== 0);
  if (shareOf(numbers, (value) => value < 0) <= 0.8) return candidate;
  return {
    ...candidate,
    transforms: [...transforms, { kind: 'negate' }],
    reason: `${candidate.reason} It is kept negative.`,
  };
};
