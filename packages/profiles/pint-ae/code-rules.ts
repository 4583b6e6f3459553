import { anywhere, coded, inList, rule } from '@drawbridge/rules/language/rule-kinds.ts';
import type { Context } from '@drawbridge/rules/rule.ts';

/** Code lists of the Emirates. */
export const codeContexts: readonly Context[] = [
  {
    each: anywhere('cac:DiscrepancyResponse/cbc:ResponseCode'),
    rules: [
      coded(
        'ibr-001-ae',
        'credit-reasons',
        ['BTAE-03'],
        'The reason of a credit note is DL8.61.1.A to DL8.61.1.E, or VD.',
      ),
    ],
  },
  passportCountry('ibr-011-ae', 'buyer', 'BTAE-11'),
  passportCountry('ibr-013-ae', 'seller', 'BTAE-12'),
  {
    each: anywhere('cac:InvoicePeriod/cbc:DescriptionCode'),
    rules: [
      coded(
        'ibr-005-ae',
        'billing-frequencies',
        ['IBT-008'],
        'The frequency of billing is one of DLY, WKY, Q15, MTH, Q45, Q60, QTR, HYR, YRL, OTH.',
      ),
    ],
  },
  {
    each: anywhere('cac:TaxCategory/cbc:ID', 'cac:ClassifiedTaxCategory/cbc:ID'),
    rules: [
      coded(
        'ibr-139-ae',
        'tax-categories',
        ['IBT-095', 'IBT-118', 'IBT-151'],
        'The VAT category is one of S, E, O, AE, Z, N.',
      ),
    ],
  },
  {
    each: anywhere('cbc:NatureCode'),
    rules: [
      coded(
        'ibr-006-ae',
        'reverse-charge-goods',
        ['BTAE-09'],
        'The type of goods or services under reverse charge is not in the published list (DL8.48).',
      ),
    ],
  },
];

function passportCountry(
  id: string,
  party: 'buyer' | 'seller',
  term: 'BTAE-11' | 'BTAE-12',
): Context {
  return {
    each: [`${party}.registration_id`],
    match: ({ attributes }) =>
      attributes?.schemeAgencyID === 'PAS' && attributes.schemeAgencyName !== undefined,
    rules: [
      rule(
        id,
        [term],
        `The country of the ${party}'s passport is not an ISO 3166-1 code.`,
        (node, scope) => inList(scope, 'countries', node.attributes?.schemeAgencyName ?? ''),
      ),
    ],
  };
}
