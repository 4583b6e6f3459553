import { type Node, nodes, values } from '@drawbridge/cim/node.ts';
import { zero } from '@drawbridge/decimal/decimal.ts';
import {
  absent,
  anywhere,
  coded,
  has,
  present,
  rule,
} from '@drawbridge/rules/language/rule-kinds.ts';
import {
  decimalAt,
  normalizeSpace,
  textNodeOf,
  textOf,
  toCents,
  toDecimal,
  withinSlack,
} from '@drawbridge/rules/language/xpath.ts';
import {
  inBreakdown,
  isOfScheme,
  isTax,
  isTaxableAtRate,
  isTaxableOfCategory,
  isTaxOfCategory,
  onLine,
  rateOrZero,
  slack,
} from '@drawbridge/rules/pint/tax-categories.ts';
import { equal } from '@drawbridge/rules/pint/totals.ts';
import type { Context, Rule, RuleSet } from '@drawbridge/rules/rule.ts';

/** Sales tax, service tax, high and low value goods. */
const ratedCodes = ['SA', 'SE', 'HVG', 'LVG'] as const;

type Process = 'billing' | 'selfbilling';

function documentContext(process: Process): Context {
  return {
    each: [''],
    rules: [
      rule(
        'aligned-ibrp-001-my',
        ['IBT-024'],
        `The specification identifier begins with urn:peppol:pint:${process}-1@my-1.`,
        (root) =>
          normalizeSpace(textNodeOf(nodes(root, 'specification_id'))).startsWith(
            `urn:peppol:pint:${process}-1@my-1`,
          ),
      ),
      rule(
        'aligned-ibrp-002',
        ['IBT-023'],
        `The business process is urn:peppol:bis:${process}.`,
        (root) =>
          normalizeSpace(textOf(root, 'business_process')).includes(`urn:peppol:bis:${process}`),
      ),
      present(
        'ibr-02-my',
        'seller.registration_id',
        ['IBT-030', 'IBG-04'],
        'The seller needs a business registration number (BRN).',
      ),
      present(
        'ibr-03-my',
        'buyer.registration_id',
        ['IBT-047', 'IBG-07'],
        'The buyer needs a business registration number (BRN).',
      ),
      rule(
        'ibr-04-my',
        ['X-seller-tax-id', 'IBG-04'],
        'The seller needs a tax identification number (TIN).',
        hasSellerTin,
      ),
    ],
  };
}

const breakdownContext: Context = {
  each: anywhere('cac:TaxSubtotal'),
  rules: [
    present(
      'aligned-ibrp-046',
      'amount',
      ['IBT-117', 'IBG-23'],
      'A tax breakdown needs its tax amount.',
    ),
    rule(
      'aligned-ibrp-047',
      ['IBT-118', 'IBG-23'],
      'A tax breakdown needs its category; tourism tax (scheme AAL) is category TTX.',
      (breakdown) =>
        categoriesOf(breakdown).some(
          (each) => (isOfScheme(each, 'VAT') && has(each, 'category')) || isTax(each, 'TTX', 'AAL'),
        ),
    ),
    rule(
      'aligned-ibrp-048',
      ['IBT-119', 'IBT-118'],
      'A tax breakdown states its rate, unless it is out of scope (O); tourism tax states none.',
      (breakdown) =>
        categoriesOf(breakdown).some(
          (each) =>
            (isOfScheme(each, 'VAT') && (has(each, 'rate') || isTax(each, 'O'))) ||
            (isTax(each, 'TTX', 'AAL') && !has(each, 'rate')),
        ),
    ),
  ],
};

function ratedContext(code: (typeof ratedCodes)[number]): Context {
  const id = `aligned-ibrp-${code.toLowerCase()}`;
  return inBreakdown(code, [
    rule(
      `${id}-08`,
      ['IBT-116', 'IBT-119'],
      `What is of category ${code} at this rate does not add up to the taxable amount.`,
      (category, scope) => isTaxableAtRate(category, code, rateOrZero, scope),
    ),
    rule(
      `${id}-09`,
      ['IBT-117', 'IBT-116', 'IBT-119'],
      'The tax amount is not the taxable amount times the rate.',
      isTaxAmountRight,
    ),
    rule(
      `${id}-10`,
      ['IBT-120', 'IBT-121'],
      `What is taxed (category ${code}) has no reason for an exemption.`,
      (category) => !has(category, 'exemption') && !has(category, 'exemption_code'),
    ),
  ]);
}

const tourismContext: Context = inBreakdown(
  'TTX',
  [
    absent('aligned-ibrp-ttx-08', 'rate', ['IBT-119'], 'Tourism tax states no rate.'),
    rule(
      'aligned-ibrp-ttx-09',
      ['IBT-117', 'X-line-tax-amount'],
      'The tourism tax is not what lines, charges and allowances of category TTX add up to.',
      (category, scope) => isTaxOfCategory(category, 'TTX', scope),
    ),
  ],
  'AAL',
);

const exemptContexts: readonly Context[] = [
  inBreakdown('E', [
    rule(
      'aligned-ibrp-e-08',
      ['IBT-116', 'IBT-118'],
      'The taxable amount is not what lines, charges and allowances of category E add up to.',
      (category, scope) => isTaxableOfCategory(category, 'E', scope),
    ),
    taxZero('aligned-ibrp-e-09', 'E'),
  ]),
  onLine('E', [
    rule(
      'aligned-ibrp-e-05',
      ['IBT-152', 'IBT-151'],
      'The rate of an exempt line (category E) is zero.',
      (category) => toDecimal(rateOrZero(category)).eq(zero),
    ),
  ]),
  inBreakdown('O', [taxZero('aligned-ibrp-o-09', 'O')]),
];

const codeContexts: readonly Context[] = [
  {
    each: anywhere('cac:TaxCategory/cbc:ID', 'cac:ClassifiedTaxCategory/cbc:ID'),
    rules: [
      coded(
        'aligned-ibrp-cl-01-my',
        'tax-categories',
        ['IBT-118', 'IBT-151', 'IBT-095'],
        'The tax category is one of SA, SE, HVG, LVG, TTX, E, O.',
      ),
    ],
  },
  {
    each: anywhere('cbc:TaxCurrencyCode'),
    rules: [
      coded(
        'ibr-cl-05-my',
        'accounting-currencies',
        ['IBT-006'],
        'The tax accounting currency is MYR.',
      ),
    ],
  },
];

function ruleSet(id: string, process: Process): RuleSet {
  return {
    id,
    version: '1.3.1',
    patterns: [
      {
        name: 'model',
        // As published: for an element only the first context that it matches counts.
        contexts: [
          documentContext(process),
          breakdownContext,
          ...ratedCodes.map(ratedContext),
          tourismContext,
          ...exemptContexts,
        ],
      },
      { name: 'codes', contexts: codeContexts },
    ],
  };
}

/** The rules of Malaysia, in addition to the shared ones. */
export const pintMy: RuleSet = ruleSet('PINT-MY', 'billing');
/** The rules of Malaysia for self-billing. */
export const pintMySelfBilling: RuleSet = ruleSet('PINT-MY-SB', 'selfbilling');

/**
 * Whether the seller has a registration in another scheme than VAT, or an identifier without one.
 */
function hasSellerTin(root: Node): boolean {
  return (
    nodes(root, 'seller.tax_registrations').some(
      (each) => values(each, 'scheme').some((scheme) => scheme !== 'VAT') && has(each, 'id'),
    ) || nodes(root, 'seller.identifiers.id').some((id) => id.attributes?.schemeID === undefined)
  );
}

function isTaxAmountRight(category: Node): boolean {
  const breakdown = category.parent!;
  const taxable = decimalAt(breakdown, 'taxable')?.abs();
  const rate = toDecimal(rateOrZero(category));
  const expected = taxable && toCents(taxable.times(rate).div(100));
  return withinSlack(decimalAt(breakdown, 'amount')?.abs(), expected, slack);
}

function taxZero(id: string, code: string): Rule {
  return rule(
    id,
    ['IBT-117', 'IBT-118'],
    `In category ${code} the tax amount is zero.`,
    (category) => equal(decimalAt(category.parent!, 'amount'), zero),
  );
}

function categoriesOf(breakdown: Node): readonly Node[] {
  return nodes(breakdown, 'tax_category');
}
