import { type Node, nodes, values } from '@drawbridge/cim/node.ts';
import { reach } from '@drawbridge/rules/language/element.ts';
import { anywhere, has, path, present, rule } from '@drawbridge/rules/language/rule-kinds.ts';
import {
  all,
  any,
  compares,
  either,
  exists,
  given,
  not,
  reads,
  says,
} from '@drawbridge/rules/language/statement.ts';
import { isBefore, normalizeSpace, textNodeOf, textOf } from '@drawbridge/rules/language/xpath.ts';
import type { Context, Rule } from '@drawbridge/rules/rule.ts';
import type { Test } from '@drawbridge/rules/scope.ts';
import { presenceRules } from './category-presence.ts';
import { isTransactionType, ofType, typeCode } from './transaction-type.ts';

const at = {
  specification: path('specification_id'),
  registrations: path('seller.tax_registrations'),
  registered: path('id'),
  taxSchemes: path('tax_scheme'),
  scheme: path('scheme'),
};

const hasDeliveryAddress = all(
  exists('delivery.address.line1'),
  exists('delivery.address.city'),
  exists('delivery.address.subdivision'),
);
const isForeign: Test = (root) => values(root, 'currency').some((code) => code !== 'AED');

const identification: readonly Rule[] = [
  rule(
    'aligned-ibrp-001-ae',
    ['IBT-024'],
    'The specification identifier begins with urn:peppol:pint:billing-1@ae-1 (or selfbilling).',
    (root) =>
      begins(textNodeOf(nodes(root, at.specification)), [
        'urn:peppol:pint:billing-1@ae-1',
        'urn:peppol:pint:selfbilling-1@ae-1',
      ]),
  ),
  rule(
    'aligned-ibrp-002-ae',
    ['IBT-023'],
    'The business process is urn:peppol:bis:billing or urn:peppol:bis:selfbilling.',
    reads('business_process', (text) =>
      begins(text, ['urn:peppol:bis:billing', 'urn:peppol:bis:selfbilling']),
    ),
  ),
  rule(
    'ibr-154-ae',
    ['BTAE-02'],
    'The transaction type is eight digits: 1 for each type the invoice is of, else 0.',
    reads('transaction_type', isTransactionType),
  ),
  present('ibr-193-ae', 'uuid', ['BTAE-07'], 'The unique identifier (UUID) is missing.'),
  rule(
    'ibr-157-ae',
    ['BTAE-02', 'IBT-003'],
    'A document of type 480 or 81 cannot be a deemed supply, margin scheme or summary invoice.',
    given(
      typeCode('480', '81'),
      not(either(ofType('margin-scheme'), ofType('deemed-supply'), ofType('summary'))),
    ),
  ),
  rule(
    'ibr-141-ae',
    ['IBT-007', 'IBT-002'],
    'The tax point date is before the issue date.',
    given(exists('tax_point_date'), (root) => {
      const issued = values(root, 'issue_date');
      return values(root, 'tax_point_date').some((point) =>
        issued.some((date) => isBefore(point, date)),
      );
    }),
  ),
  rule(
    'ibr-160-ae',
    ['IBT-022', 'IBT-008'],
    'With billing frequency OTH the invoice note says what the frequency is.',
    given(says('period.code', 'OTH'), exists('notes')),
  ),
];

const parties: readonly Rule[] = [
  rule(
    'aligned-ibrp-sr-12',
    ['X-seller-tax-id'],
    'The seller has one tax registration number.',
    (root) =>
      nodes(root, at.registrations)
        .filter((each) =>
          nodes(each, at.taxSchemes).some((one) => textOf(one, at.scheme).toUpperCase() === 'VAT'),
        )
        .flatMap((each) => values(each, at.registered)).length <= 1,
  ),
  rule(
    'ibr-007-ae',
    ['BTAE-01', 'BTAE-02'],
    'In a free trade zone the beneficiary identifier is stated.',
    given(ofType('free-trade-zone'), exists('beneficiary_id')),
  ),
  rule(
    'ibr-134-ae',
    ['X-seller-tax-id', 'IBT-003'],
    'The seller needs a tax registration number, except in documents of type 480 and 81.',
    either(
      typeCode('480', '81'),
      any('seller.tax_registrations', all(says('scheme', 'VAT'), exists('id'))),
    ),
  ),
  rule(
    'ibr-136-ae',
    ['IBT-047', 'IBT-003'],
    'In a document of type 480 or 81 the buyer needs a legal registration identifier.',
    either(
      exists('buyer.registration_id'),
      not(either(says('cbc:InvoiceTypeCode', '480'), says('cbc:CreditNoteTypeCode', '81'))),
    ),
  ),
  rule(
    'ibr-137-ae',
    ['BTAE-14', 'BTAE-02'],
    'Where a disclosed agent bills, the principal identifier is stated.',
    given(ofType('disclosed-agent'), exists('principal_id')),
  ),
  rule(
    'ibr-176-ae',
    ['BTAE-14', 'X-seller-tax-id'],
    'Where a disclosed agent bills, the principal is not the seller.',
    given(ofType('disclosed-agent'), (root) =>
      values(root, 'seller.tax_registrations.id').some((id) =>
        values(root, 'principal_id').some((principal) => principal !== id),
      ),
    ),
  ),
];

const delivery: readonly Rule[] = [
  rule(
    'ibr-138-ae',
    ['IBG-14', 'BTAE-02'],
    'A summary invoice states its invoicing period.',
    given(ofType('summary'), exists('period')),
  ),
  rule(
    'ibr-142-ae',
    ['IBG-15', 'IBT-075', 'IBT-077', 'IBT-079'],
    'An e-commerce supply states where it is delivered: first line, city and subdivision.',
    given(ofType('e-commerce'), hasDeliveryAddress),
  ),
  rule(
    'ibr-152-ae',
    ['IBG-15', 'IBT-075', 'IBT-077', 'IBT-079'],
    'An export states where it is delivered: first line, city and subdivision.',
    given(ofType('exports'), either(says('delivery.address.country', 'AE'), hasDeliveryAddress)),
  ),
];

const payment: readonly Rule[] = [
  rule(
    'ibr-127-ae',
    ['IBT-009', 'IBT-115'],
    'Where an amount is due, the payment due date is stated.',
    either(
      typeCode('381', '81'),
      says('cbc:CreditNoteTypeCode', '261'),
      ofType('deemed-supply'),
      not(compares('totals.due', [1], 0)),
      exists('cbc:DueDate'),
    ),
  ),
  rule(
    'ibr-191-ae',
    ['IBT-081', 'IBG-16'],
    'The means of payment is stated.',
    either(typeCode('81', '381', '261'), ofType('deemed-supply'), exists('payment_means.code')),
  ),
];

const credit: readonly Rule[] = [
  rule(
    'ibr-055-ae',
    ['IBG-03', 'BTAE-03'],
    'A credit note refers to the invoice it corrects; only one with the reason VD does not.',
    given(typeCode('381', '81'), (root) => {
      const reasons = creditReasons(root);
      return has(root, 'preceding_invoices')
        ? reasons.some((reason) => reason !== 'VD')
        : reasons.includes('VD');
    }),
  ),
  rule(
    'ibr-124-ae',
    ['IBT-007', 'IBT-003'],
    'A credit note has no tax point date.',
    given(typeCode('381', '81'), not(exists('tax_point_date'))),
  ),
  rule(
    'ibr-158-ae',
    ['BTAE-03', 'IBT-003'],
    'A credit note of type 381 states its reason.',
    given(typeCode('381'), exists('cac:DiscrepancyResponse/cbc:ResponseCode')),
  ),
];

const currency: readonly Rule[] = [
  rule(
    'ibr-140-ae',
    ['IBT-006'],
    'The tax accounting currency is AED.',
    given(exists('tax_currency'), says('tax_currency', 'AED')),
  ),
  rule(
    'ibr-153-ae',
    ['X-exchange-rate', 'BTAE-04'],
    'The exchange rate is from the invoice currency to AED.',
    given(
      all(says('tax_currency', 'AED'), isForeign),
      (root) =>
        shared(values(root, 'exchange_rate.source'), values(root, 'currency')) &&
        shared(values(root, 'exchange_rate.target'), values(root, 'tax_currency')) &&
        has(root, 'exchange_rate.rate'),
    ),
  ),
  rule(
    'ibr-159-ae',
    ['BTAE-04', 'IBT-005'],
    'An invoice in another currency than AED states the exchange rate.',
    either(
      says('currency', 'AED'),
      all(isForeign, (_, { everywhere }) =>
        everywhere('cac:TaxExchangeRate').some(
          (each) => reach(each, 'cbc:CalculationRate').length > 0,
        ),
      ),
    ),
  ),
  rule(
    'ibr-175-ae',
    ['X-tax-total', 'IBT-006', 'IBG-24'],
    'An invoice not in AED also states its total tax and its total with tax in AED.',
    either(
      says('currency', 'AED'),
      all(
        isForeign,
        says('tax_currency', 'AED'),
        says('cac:TaxTotal/cbc:TaxAmount/@currencyID', 'AED'),
        any('documents', all(says('type_code', 'aedtotal-incl-vat'), exists('description'))),
      ),
    ),
  ),
];

/** The document as a whole. */
export const documentContexts: readonly Context[] = [
  {
    each: [''],
    rules: [
      ...identification,
      ...presenceRules,
      ...parties,
      ...delivery,
      ...payment,
      ...credit,
      ...currency,
    ],
  },
];

/** Means of payment and the exchange rate. */
export const paymentMeansContexts: readonly Context[] = [
  {
    each: anywhere('cac:PaymentMeans'),
    rules: [
      rule(
        'ibr-192-ae',
        ['IBT-084', 'IBT-081'],
        'A credit transfer (means of payment 30) needs the account it goes to.',
        given(says('code', '30'), exists('account.id')),
      ),
    ],
  },
];
/** The exchange rate. */
export const exchangeRateContexts: readonly Context[] = [
  {
    each: anywhere('cbc:CalculationRate'),
    rules: [
      rule('ibr-002-ae', ['BTAE-04'], 'The exchange rate has at most 6 decimals.', (rate) =>
        /^[0-9]+(\.[0-9]{1,6})?$/.test(rate.text),
      ),
    ],
  },
];

function begins(text: string, beginnings: readonly string[]): boolean {
  const normal = normalizeSpace(text);
  return beginnings.some((each) => normal.startsWith(each));
}

/** The credit reasons. An invoice has no place for them, but they count when it has some. */
function creditReasons(root: Node): string[] {
  return reach(root, 'cac:DiscrepancyResponse/cbc:ResponseCode').map((each) => each.text);
}

function shared(some: readonly string[], others: readonly string[]): boolean {
  return some.some((text) => others.includes(text));
}
