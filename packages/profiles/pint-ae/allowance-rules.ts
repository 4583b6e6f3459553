import type { Term } from '@drawbridge/cim/terms.ts';
import { anywhere, rule } from '@drawbridge/rules/language/rule-kinds.ts';
import {
  all,
  any,
  either,
  exists,
  given,
  holds,
  not,
  relates,
  relatesLone,
  says,
  shaped,
  within,
} from '@drawbridge/rules/language/statement.ts';
import { castDecimal, toNumber, type Written } from '@drawbridge/rules/language/xpath.ts';
import { ofScheme } from '@drawbridge/rules/pint/tax-categories.ts';
import type { Context, Rule } from '@drawbridge/rules/rule.ts';

/** The price of an item, and its discount. */
export const priceContexts: readonly Context[] = [
  {
    each: anywhere('cac:Price/cac:AllowanceCharge'),
    rules: [
      rule(
        'aligned-ibrp-004',
        ['IBT-146', 'IBT-148', 'IBT-147'],
        'The net price is the gross price less the discount.',
        given(
          exists('gross_price'),
          relatesLone(['../unit_price', 'gross_price', 'discount'], isPriceNet),
        ),
      ),
    ],
  },
  {
    each: anywhere('cac:Price'),
    rules: [
      rule(
        'ibr-126-ae',
        ['IBT-149', 'IBT-148'],
        'A price needs its base quantity and the gross price.',
        all(exists('base_qty'), exists('price_allowances.gross_price')),
      ),
    ],
  },
];

/** True of nodes that are not in the document itself. */
const isDeep = shaped((shape) => shape.parent?.parent !== undefined);

/** Allowances and charges, of the document and of lines. */
export const allowanceContexts: readonly Context[] = [
  {
    each: anywhere('cac:AllowanceCharge'),
    match: all(holds('is_charge', false), not(within('cac:Price'))),
    rules: allowanceCharge('allowance', {
      category: 'aligned-ibrp-032',
      pair: 'aligned-ibrp-057',
      amount: 'ibr-131-ae',
      additional: 'ibr-115-ae',
      exempt: 'ibr-168-ae',
    }),
  },
  {
    each: anywhere('cac:AllowanceCharge'),
    match: holds('is_charge', true),
    rules: allowanceCharge('charge', {
      category: 'aligned-ibrp-037',
      pair: 'aligned-ibrp-058',
      amount: 'ibr-146-ae',
      additional: 'ibr-114-ae',
      exempt: 'ibr-169-ae',
    }),
  },
];

function allowanceCharge(
  what: 'allowance' | 'charge',
  ids: Readonly<Record<'category' | 'pair' | 'amount' | 'additional' | 'exempt', string>>,
): readonly Rule[] {
  const category: readonly [Term, Term] = ['IBT-095', 'X-allowance-tax'];
  return [
    rule(
      ids.category,
      category,
      `A document level ${what} needs a VAT category.`,
      either(isDeep, any('tax', all(ofScheme('VAT'), exists('category')))),
    ),
    rule(
      ids.pair,
      ['IBT-093', 'IBT-094'],
      `The ${what} has a base amount and a percentage, or neither.`,
      either(
        all(exists('base'), exists('percent')),
        not(either(exists('base'), exists('percent'))),
      ),
    ),
    rule(
      ids.amount,
      ['IBT-092', 'IBT-093', 'IBT-094'],
      `The ${what} is not its base amount times its percentage.`,
      given(
        all(exists('base'), exists('percent')),
        relates(['amount', 'base', 'percent'], isAmountRight),
      ),
    ),
    rule(
      ids.additional,
      category,
      `The VAT category of the ${what} cannot be N (standard rate additional VAT).`,
      not(says('tax.category', 'N')),
    ),
    // The published test reads the reason code of the allowance or charge, not that of the
    // exemption.
    rule(
      ids.exempt,
      ['IBT-098', 'IBT-095'],
      `An exempt ${what} (category E) needs a reason code.`,
      given(says('tax.category', 'E'), exists('reason_code')),
    ),
  ];
}

function isPriceNet(net: Written, gross: Written, discount: Written): boolean {
  const price = castDecimal(net);
  const full = castDecimal(gross);
  const less = castDecimal(discount);
  if (price === undefined || full === undefined || less === undefined) return false;
  return price.eq(full.minus(less));
}

/** Whether the amount is right, exactly or rounded to cents. Computed in doubles, as published. */
function isAmountRight(amount: Written, base: Written, percent: Written): boolean {
  const stated = toNumber(amount);
  const exact = (toNumber(base) * toNumber(percent)) / 100;
  return stated === exact || stated === Math.round(exact * 100) / 100;
}
