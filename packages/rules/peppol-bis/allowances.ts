import { type Node, nodes } from '@drawbridge/cim/node.ts';
import { type Decimal, decimal, zero } from '@drawbridge/decimal/decimal.ts';
import { childrenOf, elementText } from '../language/element.ts';
import { anywhere, rule } from '../language/rule-kinds.ts';
import { all, exists, given, not } from '../language/statement.ts';
import {
  decimalAt,
  normalizeSpace,
  textNodeOf,
  toDecimal,
  withinSlack,
} from '../language/xpath.ts';
import type { Context } from '../rule.ts';

const slack = decimal('0.02');

const levels = ['allowances_charges', 'lines.allowances_charges'] as const;

/** Allowances and charges of the document and of its lines, and the discount on a price. */
export const allowanceContexts: readonly Context[] = [
  {
    each: levels,
    match: all(exists('percent'), not(exists('base'))),
    rules: [
      rule(
        'PEPPOL-EN16931-R041',
        ['IBT-093', 'IBT-137'],
        'An allowance or charge with a percentage needs its base amount.',
        () => false,
      ),
    ],
  },
  {
    each: levels,
    match: all(not(exists('percent')), exists('base')),
    rules: [
      rule(
        'PEPPOL-EN16931-R042',
        ['IBT-094', 'IBT-138'],
        'An allowance or charge with a base amount needs its percentage.',
        () => false,
      ),
    ],
  },
  {
    each: levels,
    rules: [
      rule(
        'PEPPOL-EN16931-R040',
        ['IBT-092', 'IBT-136'],
        'The amount of an allowance or charge is not its base amount times its percentage.',
        given(all(exists('percent'), exists('base')), amountIsRight),
      ),
      rule(
        'PEPPOL-EN16931-R043',
        ['X-is-charge', 'X-line-is-charge'],
        'The charge indicator is true or false.',
        (node) => ['true', 'false'].includes(normalizeSpace(textNodeOf(nodes(node, 'is_charge')))),
      ),
    ],
  },
];

function amountIsRight(node: Node): boolean {
  const due = decimalAt(node, 'base')!.times(decimalAt(node, 'percent')!).div(100);
  return withinSlack(decimalAt(node, 'amount') ?? zero, due, slack);
}

/** A price has discounts, never charges. */
export const priceContext: Context = {
  each: anywhere('cac:Price/cac:AllowanceCharge'),
  rules: [
    rule(
      'PEPPOL-EN16931-R044',
      ['X-price-is-charge'],
      'A price allows a discount, not a charge.',
      (node) => normalizeSpace(elementText(node, 'cbc:ChargeIndicator')) === 'false',
    ),
    rule(
      'PEPPOL-EN16931-R046',
      ['IBT-146', 'IBT-148', 'IBT-147'],
      'The net price is not the gross price less the discount.',
      (node) => {
        if (childrenOf(node, 'cbc:BaseAmount').length === 0) return true;
        const gross = amountOf(node, 'cbc:BaseAmount')!;
        const net = amountOf(node.parent!, 'cbc:PriceAmount');
        const discount = amountOf(node, 'cbc:Amount');
        return net !== undefined && discount !== undefined && net.eq(gross.minus(discount));
      },
    ),
  ],
};

function amountOf(node: Node, name: string): Decimal | undefined {
  return childrenOf(node, name).length === 0 ? undefined : toDecimal(elementText(node, name));
}
