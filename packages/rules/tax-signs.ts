import { type Node, nodes } from '@drawbridge/cim/node.ts';
import { compareUntyped, normalizeSpace, textOf } from './language/xpath.ts';

/**
 * Whether the total tax in the invoice currency and that in the accounting currency are both at
 * least 0, or both at most 0. As in the published rules, amounts are read until one matches.
 */
export function areTaxSignsAlike(root: Node): boolean {
  const isAny = (currency: Currency, isOne: (sign: number) => boolean): boolean =>
    totalsIn(root, currency).some(({ text }) => isOne(compareUntyped(text, 0)));
  return [isAtMost0, isAtLeast0].some(
    (isOne) => isAny('tax_currency', isOne) && isAny('currency', isOne),
  );
}

type Currency = 'currency' | 'tax_currency';

function totalsIn(root: Node, member: Currency): readonly Node[] {
  const currency = normalizeSpace(textOf(root, member));
  return nodes(root, 'tax_totals.amount').filter(
    (amount) => amount.attributes?.currencyID === currency,
  );
}

function isAtMost0(sign: number): boolean {
  return sign <= 0;
}

function isAtLeast0(sign: number): boolean {
  return sign >= 0;
}
