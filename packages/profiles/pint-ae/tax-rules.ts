import { type Node, values } from '@drawbridge/cim/node.ts';
import type { Term } from '@drawbridge/cim/terms.ts';
import { zero } from '@drawbridge/decimal/decimal.ts';
import { reach } from '@drawbridge/rules/language/element.ts';
import {
  absent,
  anywhere,
  has,
  path,
  present,
  rule,
} from '@drawbridge/rules/language/rule-kinds.ts';
import {
  all,
  any,
  compares,
  either,
  exists,
  not,
  reads,
  relatesLone,
} from '@drawbridge/rules/language/statement.ts';
import {
  castDecimal,
  decimalAt,
  normalizeSpace,
  someCompares,
  textOf,
  toCents,
  type Written,
  withinSlack,
} from '@drawbridge/rules/language/xpath.ts';
import {
  atRate,
  inBreakdown,
  isTaxableAtRate,
  isTaxableOfCategory,
  ofScheme,
  onAllowance,
  onCharge,
  onLine,
  slack,
  statedRate,
  sumOfDocument,
  taxedLines,
} from '@drawbridge/rules/pint/tax-categories.ts';
import { equal } from '@drawbridge/rules/pint/totals.ts';
import type { Context, Rule } from '@drawbridge/rules/rule.ts';

const at = {
  rate: path('rate'),
  net: path('net'),
  taxable: path('taxable'),
};

/** True when there is exactly one rate and it is a decimal. */
const hasDecimalRate = relatesLone(['rate'], (rate) => castDecimal(rate) !== undefined);

/** Codes for which the breakdown states no rate. */
const rateless = ['O', 'E'];
const isRateless = reads('category', (text) => rateless.includes(normalizeSpace(text)));

/** Every tax breakdown, of the document or of a line. */
export const breakdownContexts: readonly Context[] = [
  {
    each: anywhere('cac:TaxSubtotal'),
    rules: [
      present(
        'aligned-ibrp-045',
        'taxable',
        ['IBT-116', 'IBG-23'],
        'A tax breakdown needs its taxable amount.',
      ),
      present(
        'aligned-ibrp-046',
        'amount',
        ['IBT-117', 'IBG-23'],
        'A tax breakdown needs its tax amount.',
      ),
      rule(
        'aligned-ibrp-047',
        ['IBT-118', 'IBG-23'],
        'A tax breakdown needs its VAT category.',
        any('tax_category', all(ofScheme('VAT'), exists('category'))),
      ),
      rule(
        'aligned-ibrp-048',
        ['IBT-119', 'IBT-118'],
        'A tax breakdown needs its VAT rate, unless it is exempt (E) or out of scope (O).',
        either(
          any('tax_category', all(ofScheme('VAT'), exists('rate'))),
          any('tax_category', all(ofScheme('VAT'), isRateless)),
        ),
      ),
      rule(
        'ibr-119-ae',
        ['IBT-119', 'IBT-118'],
        'A tax breakdown states its VAT rate; an exempt (E) or out of scope (O) one states none.',
        (breakdown) =>
          values(breakdown, 'category').some((code) => rateless.includes(code)) !==
          has(breakdown, 'rate'),
      ),
    ],
  },
];

/** Standard rated. */
const standard: readonly Context[] = [
  onLine('S', [ratePositive('aligned-ibrp-s-05', 'IBT-152', 'line')]),
  onAllowance('S', [ratePositive('aligned-ibrp-s-06', 'IBT-096', 'allowance')]),
  onCharge('S', [ratePositive('aligned-ibrp-s-07', 'IBT-096', 'charge')]),
  inBreakdown('S', [
    rule(
      'aligned-ibrp-s-08',
      ['IBT-116', 'IBT-119'],
      'Lines, charges and allowances of category S at this rate do not add up to the amount.',
      all(hasDecimalRate, (category, scope) => isTaxableAtRate(category, 'S', statedRate, scope)),
    ),
    rule(
      'aligned-ibrp-s-09',
      ['IBT-117', 'IBT-116', 'IBT-119'],
      'The tax amount is not the taxable amount times the rate.',
      relatesLone(['rate', '../taxable', '../amount'], isTaxAmountRight),
    ),
    rule(
      'aligned-ibrp-s-10',
      ['IBT-120', 'IBT-121'],
      'What is standard rated has no reason for an exemption.',
      not(either(exists('exemption'), exists('exemption_code'))),
    ),
  ]),
];

/** Standard rate additional VAT: the margin scheme. */
const additional: readonly Context[] = [
  inBreakdown('N', [
    rule(
      'ibr-102-ae',
      ['IBT-116', 'IBT-119'],
      'The taxable amount at this rate is not what the lines of category N add up to.',
      all(hasDecimalRate, (category, scope) => {
        const rate = textOf(category, at.rate);
        return taxedLines(scope).some(({ taxed }) => {
          const lines = atRate(taxed, 'N', rate);
          if (lines.length === 0) return false;
          const total = sumOfDocument(lines, at.net);
          return withinSlack(decimalAt(category.parent!, at.taxable), total, slack);
        });
      }),
    ),
    rule(
      'ibr-108-ae',
      ['IBT-117', 'IBT-118'],
      'In category N the tax amount is zero.',
      compares('../amount', [0], 0),
    ),
  ]),
];

const exempt: readonly Context[] = [
  inBreakdown('E', [
    taxableOfCategory('aligned-ibrp-e-08', 'E'),
    taxZero('aligned-ibrp-e-09', 'E'),
    noRate('ibr-121-ae', 'IBT-119', 'A breakdown of category E states no rate.'),
  ]),
  onLine('E', [
    noRate('aligned-ibrp-e-05', 'IBT-152', 'An exempt line (category E) states no VAT rate.'),
    rule(
      'ibr-163-ae',
      ['BTAE-08', 'IBT-151'],
      'An exempt line (category E) states no VAT amount in AED.',
      (category) => !has(lineOf(category), 'accounting.tax_totals.amount'),
    ),
  ]),
  onAllowance('E', [rateZero('aligned-ibrp-e-06', 'IBT-096', 'exempt allowance (category E)')]),
  onCharge('E', [rateZero('aligned-ibrp-e-07', 'IBT-096', 'exempt charge (category E)')]),
];

const zeroRated: readonly Context[] = [
  onLine('Z', [
    rateZero('aligned-ibrp-z-05', 'IBT-152', 'zero rated line (category Z)'),
    lineTaxZero('ibr-165-ae', 'zero rated line (category Z)'),
  ]),
  onAllowance('Z', [rateZero('aligned-ibrp-z-06', 'IBT-096', 'zero rated allowance (category Z)')]),
  onCharge('Z', [rateZero('aligned-ibrp-z-07', 'IBT-096', 'zero rated charge (category Z)')]),
  inBreakdown('Z', [
    taxableOfCategory('aligned-ibrp-z-08', 'Z'),
    taxZero('aligned-ibrp-z-09', 'Z'),
    rule(
      'ibr-120-ae',
      ['IBT-119', 'IBT-118'],
      'In a breakdown of category Z the rate is zero.',
      compares('rate', [0], 0),
    ),
  ]),
];

const outOfScope: readonly Context[] = [
  onLine('O', [
    noRate('aligned-ibrp-o-05', 'IBT-152', 'A line out of scope (category O) states no VAT rate.'),
  ]),
  onAllowance('O', [
    noRate(
      'aligned-ibrp-o-06',
      'IBT-096',
      'An allowance out of scope (category O) states no rate.',
    ),
  ]),
  onCharge('O', [
    noRate('aligned-ibrp-o-07', 'IBT-096', 'A charge out of scope (category O) states no rate.'),
  ]),
  inBreakdown('O', [
    taxableOfCategory('aligned-ibrp-o-08', 'O'),
    taxZero('aligned-ibrp-o-09', 'O'),
    noRate('aligned-ibrp-o-11-ae', 'IBT-119', 'A breakdown of category O states no rate.'),
  ]),
];

const reverseCharge: readonly Context[] = [
  onLine('AE', [
    present(
      'aligned-ibrp-ae-05-ae',
      'rate',
      ['IBT-152', 'IBT-151'],
      'A line under reverse charge (category AE) states its VAT rate.',
    ),
    rule(
      'ibr-103-ae',
      ['IBT-048', 'IBT-151'],
      'Under reverse charge (category AE) the buyer needs a tax registration number.',
      (category) => reach(lineOf(category).parent!, buyerTaxNumber).length > 0,
    ),
    lineTaxZero('ibr-162-ae', 'line under reverse charge (category AE)'),
    rule(
      'ibr-174-ae',
      ['IBT-157', 'IBT-157-1'],
      'An item under reverse charge (category AE) needs a GTIN (scheme 0160).',
      (category) => {
        const line = lineOf(category);
        return (
          has(line, 'standard_id') &&
          values(line, 'standard_id_scheme').every((scheme) => scheme === '0160')
        );
      },
    ),
  ]),
  onAllowance('AE', [
    rateZero('aligned-ibrp-ae-06', 'IBT-096', 'allowance under reverse charge (category AE)'),
  ]),
  onCharge('AE', [
    rateZero('aligned-ibrp-ae-07', 'IBT-096', 'charge under reverse charge (category AE)'),
  ]),
  inBreakdown('AE', [
    taxableOfCategory('aligned-ibrp-ae-08-ae', 'AE'),
    taxZero('aligned-ibrp-ae-09-ae', 'AE'),
  ]),
];

/** Each VAT category on lines, on allowances and charges, and in the breakdown. */
export const categoryContexts: readonly Context[] = [
  ...standard,
  ...additional,
  ...exempt,
  ...zeroRated,
  ...outOfScope,
  ...reverseCharge,
];

function ratePositive(id: string, term: Term, what: string): Rule {
  return rule(
    id,
    [term],
    `The VAT rate of a standard rated ${what} (category S) is above zero.`,
    relatesLone(['rate'], (rate) => castDecimal(rate)?.gt(zero) ?? false),
  );
}

function rateZero(id: string, term: Term, what: string): Rule {
  return rule(
    id,
    [term],
    `The VAT rate of a ${what} is stated, and is zero.`,
    relatesLone(['rate'], (rate) => castDecimal(rate)?.eq(zero) ?? false),
  );
}

function noRate(id: string, term: Term, message: string): Rule {
  return absent(id, 'rate', [term], message);
}

function taxableOfCategory(id: string, code: string): Rule {
  return rule(
    id,
    ['IBT-116', 'IBT-118'],
    `Lines, charges and allowances of category ${code} do not add up to the taxable amount.`,
    (category, scope) => isTaxableOfCategory(category, code, scope),
  );
}

function taxZero(id: string, code: string): Rule {
  return rule(
    id,
    ['IBT-117', 'IBT-118'],
    `In category ${code} the tax amount is zero.`,
    (category) => equal(decimalAt(category.parent!, 'amount'), zero),
  );
}

function lineTaxZero(id: string, what: string): Rule {
  return rule(
    id,
    ['BTAE-08', 'IBT-151'],
    `The VAT amount in AED of a ${what} is stated, and is zero.`,
    (category) => someCompares(lineOf(category), 'accounting.tax_totals.amount', [0], 0),
  );
}

function isTaxAmountRight(rate: Written, taxable: Written, amount: Written): boolean {
  const [percent, base, tax] = [castDecimal(rate), castDecimal(taxable), castDecimal(amount)];
  if (percent === undefined || base === undefined || tax === undefined) return false;
  return withinSlack(tax.abs(), toCents(base.abs().times(percent).div(100)), slack);
}

const buyerTaxNumber = 'cac:AccountingCustomerParty/cac:Party/cac:PartyTaxScheme/cbc:CompanyID';

/** The line of an item's tax category. */
function lineOf(node: Node): Node {
  return node.parent!.parent!;
}
