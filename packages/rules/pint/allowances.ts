import { nodes } from '@drawbridge/cim/node.ts';
import { anywhere, counted, path, rule } from '../language/rule-kinds.ts';
import { either, exists, given, within } from '../language/statement.ts';
import { normalizeSpace, someBoolean, textNodeOf } from '../language/xpath.ts';
import type { Context } from '../rule.ts';
import { lineElements } from '../ubl-elements.ts';

const allowanceCharges = anywhere('cac:AllowanceCharge');
// A path caches its latest target, so each kind of node has its own.
const isPriceCharge = path('is_charge');
const isCharge = path('is_charge');
const isInLine = within(...lineElements);
const hasReason = either(exists('reason'), exists('reason_code'));

/** Allowances, charges, and the allowance on a price. */
export const allowanceContexts: readonly Context[] = [
  {
    each: anywhere('cac:Price/cac:AllowanceCharge'),
    rules: [
      rule(
        'ibr-083',
        ['X-price-is-charge', 'IBT-147'],
        'A price can only be reduced: the charge indicator of a price discount is false.',
        (discount) => normalizeSpace(textNodeOf(nodes(discount, isPriceCharge))) === 'false',
      ),
    ],
  },
  {
    each: allowanceCharges,
    match: (node) => someBoolean(node, isCharge, false),
    rules: [
      counted(
        'ibr-sr-30',
        'reason',
        1,
        ['IBT-097', 'IBT-139'],
        'An allowance has one reason text.',
      ),
      rule(
        'ibr-031',
        ['IBT-092'],
        'A document level allowance needs its amount.',
        either(isInLine, exists('amount')),
      ),
      rule(
        'ibr-033',
        ['IBT-097', 'IBT-098'],
        'A document level allowance needs a reason, as text or as a code.',
        either(isInLine, hasReason),
      ),
      rule(
        'ibr-041',
        ['IBT-136'],
        'An allowance on a line needs its amount.',
        given(isInLine, exists('amount')),
      ),
      rule(
        'ibr-042',
        ['IBT-139', 'IBT-140'],
        'An allowance on a line needs a reason, as text or as a code.',
        given(isInLine, hasReason),
      ),
    ],
  },
  {
    each: allowanceCharges,
    match: (node) => someBoolean(node, isCharge, true),
    rules: [
      rule(
        'ibr-036',
        ['IBT-092'],
        'A document level charge needs its amount.',
        either(isInLine, exists('amount')),
      ),
      counted('ibr-sr-31', 'reason', 1, ['IBT-097', 'IBT-139'], 'A charge has one reason text.'),
      rule(
        'ibr-038',
        ['IBT-097', 'IBT-098'],
        'A document level charge needs a reason, as text or as a code.',
        either(isInLine, hasReason),
      ),
      rule(
        'ibr-043',
        ['IBT-136'],
        'A charge on a line needs its amount.',
        given(isInLine, exists('amount')),
      ),
      // Published without the condition on lines of the similar rules, so document level charges
      // match too.
      rule(
        'ibr-044',
        ['IBT-139', 'IBT-140'],
        'A charge needs a reason, as text or as a code.',
        hasReason,
      ),
    ],
  },
  {
    each: allowanceCharges,
    rules: [
      rule(
        'ibr-082',
        ['X-is-charge', 'X-line-is-charge'],
        'The charge indicator is true for a charge and false for an allowance; nothing else.',
        (node) => ['true', 'false'].includes(normalizeSpace(textNodeOf(nodes(node, isCharge)))),
      ),
    ],
  },
  {
    each: anywhere('cac:AllowanceCharge/cac:TaxCategory'),
    rules: [
      counted(
        'ibr-sr-61',
        'exemption',
        1,
        ['IBT-197'],
        'The tax of an allowance or charge has one exemption reason text.',
      ),
    ],
  },
];
