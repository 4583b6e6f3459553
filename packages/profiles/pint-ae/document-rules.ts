import { type Node, nodes, values } from '@drawbridge/cim/node.ts';
import { reach, someText } from '@drawbridge/rules/element.ts';
import { anywhere, has, present, rule, some } from '@drawbridge/rules/kinds.ts';
import type { Context, Rule } from '@drawbridge/rules/rule.ts';
import {
  isBefore,
  normalizeSpace,
  someCompares,
  textNodeOf,
  textOf,
} from '@drawbridge/rules/xpath.ts';
import { presenceRules } from './category-presence.ts';
import { hasTypeCode, isOfType, isTransactionType } from './transaction-type.ts';

const identification: readonly Rule[] = [
  rule(
    'aligned-ibrp-001-ae',
    ['IBT-024'],
    'The specification identifier begins with urn:peppol:pint:billing-1@ae-1 (or selfbilling).',
    (root) =>
      /^urn:peppol:pint:(self)?billing-1@ae-1/.test(
        normalizeSpace(textNodeOf(nodes(root, 'specification_id'))),
      ),
  ),
  rule(
    'aligned-ibrp-002-ae',
    ['IBT-023'],
    'The business process is urn:peppol:bis:billing or urn:peppol:bis:selfbilling.',
    (root) =>
      /^urn:peppol:bis:(self)?billing/.test(normalizeSpace(textOf(root, 'business_process'))),
  ),
  rule(
    'ibr-154-ae',
    ['BTAE-02'],
    'The transaction type is eight digits: 1 for each type the invoice is of, else 0.',
    (root) => isTransactionType(textOf(root, 'transaction_type')),
  ),
  present('ibr-193-ae', 'uuid', ['BTAE-07'], 'The unique identifier (UUID) is missing.'),
  rule(
    'ibr-157-ae',
    ['BTAE-02', 'IBT-003'],
    'A document of type 480 or 81 cannot be a deemed supply, margin scheme or summary invoice.',
    (root) =>
      !hasTypeCode(root, '480', '81') ||
      !(['margin-scheme', 'deemed-supply', 'summary'] as const).some((type) =>
        isOfType(root, type),
      ),
  ),
  rule(
    'ibr-141-ae',
    ['IBT-007', 'IBT-002'],
    'The tax point date is before the issue date.',
    (root) => {
      const points = values(root, 'tax_point_date');
      const issued = values(root, 'issue_date');
      return (
        points.length === 0 || points.some((point) => issued.some((date) => isBefore(point, date)))
      );
    },
  ),
  rule(
    'ibr-160-ae',
    ['IBT-022', 'IBT-008'],
    'With billing frequency OTH the invoice note says what the frequency is.',
    (root) => !some(root, 'period.code', 'OTH') || has(root, 'notes'),
  ),
];

const parties: readonly Rule[] = [
  rule(
    'aligned-ibrp-sr-12',
    ['X-seller-tax-id'],
    'The seller has one tax registration number.',
    (root) =>
      nodes(root, 'seller.tax_registrations')
        .filter((each) =>
          nodes(each, 'tax_scheme').some((one) => textOf(one, 'scheme').toUpperCase() === 'VAT'),
        )
        .flatMap((each) => values(each, 'id')).length <= 1,
  ),
  rule(
    'ibr-007-ae',
    ['BTAE-01', 'BTAE-02'],
    'In a free trade zone the beneficiary identifier is stated.',
    (root) => !isOfType(root, 'free-trade-zone') || has(root, 'beneficiary_id'),
  ),
  rule(
    'ibr-134-ae',
    ['X-seller-tax-id', 'IBT-003'],
    'The seller needs a tax registration number, except in documents of type 480 and 81.',
    (root) =>
      hasTypeCode(root, '480', '81') ||
      nodes(root, 'seller.tax_registrations').some(
        (each) => some(each, 'scheme', 'VAT') && has(each, 'id'),
      ),
  ),
  rule(
    'ibr-136-ae',
    ['IBT-047', 'IBT-003'],
    'In a document of type 480 or 81 the buyer needs a legal registration identifier.',
    (root) =>
      has(root, 'buyer.registration_id') ||
      !(
        someText(root, 'cbc:InvoiceTypeCode', '480') ||
        someText(root, 'cbc:CreditNoteTypeCode', '81')
      ),
  ),
  rule(
    'ibr-137-ae',
    ['BTAE-14', 'BTAE-02'],
    'Where a disclosed agent bills, the principal identifier is stated.',
    (root) => !isOfType(root, 'disclosed-agent') || has(root, 'principal_id'),
  ),
  rule(
    'ibr-176-ae',
    ['BTAE-14', 'X-seller-tax-id'],
    'Where a disclosed agent bills, the principal is not the seller.',
    (root) =>
      !isOfType(root, 'disclosed-agent') ||
      values(root, 'seller.tax_registrations.id').some((id) =>
        values(root, 'principal_id').some((principal) => principal !== id),
      ),
  ),
];

const delivery: readonly Rule[] = [
  rule(
    'ibr-138-ae',
    ['IBG-14', 'BTAE-02'],
    'A summary invoice states its invoicing period.',
    (root) => !isOfType(root, 'summary') || has(root, 'period'),
  ),
  rule(
    'ibr-142-ae',
    ['IBG-15', 'IBT-075', 'IBT-077', 'IBT-079'],
    'An e-commerce supply states where it is delivered: first line, city and subdivision.',
    (root) => !isOfType(root, 'e-commerce') || hasDeliveryAddress(root),
  ),
  rule(
    'ibr-152-ae',
    ['IBG-15', 'IBT-075', 'IBT-077', 'IBT-079'],
    'An export states where it is delivered: first line, city and subdivision.',
    (root) =>
      !isOfType(root, 'exports') ||
      some(root, 'delivery.address.country', 'AE') ||
      hasDeliveryAddress(root),
  ),
];

const payment: readonly Rule[] = [
  rule(
    'ibr-127-ae',
    ['IBT-009', 'IBT-115'],
    'Where an amount is due, the payment due date is stated.',
    (root) =>
      isUnpaid(root) ||
      someText(root, 'cbc:CreditNoteTypeCode', '261') ||
      !someCompares(root, 'totals.due', [1], 0) ||
      reach(root, 'cbc:DueDate').length > 0,
  ),
  rule(
    'ibr-191-ae',
    ['IBT-081', 'IBG-16'],
    'The means of payment is stated.',
    (root) => isUnpaid(root) || hasTypeCode(root, '261') || has(root, 'payment_means.code'),
  ),
];

const credit: readonly Rule[] = [
  rule(
    'ibr-055-ae',
    ['IBG-03', 'BTAE-03'],
    'A credit note refers to the invoice it corrects; only one with the reason VD does not.',
    (root) => {
      if (!hasTypeCode(root, '381', '81')) return true;
      const reasons = creditReasons(root);
      return has(root, 'preceding_invoices')
        ? reasons.some((reason) => reason !== 'VD')
        : reasons.includes('VD');
    },
  ),
  rule(
    'ibr-124-ae',
    ['IBT-007', 'IBT-003'],
    'A credit note has no tax point date.',
    (root) => !hasTypeCode(root, '381', '81') || !has(root, 'tax_point_date'),
  ),
  rule(
    'ibr-158-ae',
    ['BTAE-03', 'IBT-003'],
    'A credit note of type 381 states its reason.',
    (root) => !hasTypeCode(root, '381') || creditReasons(root).length > 0,
  ),
];

const currency: readonly Rule[] = [
  rule(
    'ibr-140-ae',
    ['IBT-006'],
    'The tax accounting currency is AED.',
    (root) => !has(root, 'tax_currency') || some(root, 'tax_currency', 'AED'),
  ),
  rule(
    'ibr-153-ae',
    ['X-exchange-rate', 'BTAE-04'],
    'The exchange rate is from the invoice currency to AED.',
    (root) =>
      !some(root, 'tax_currency', 'AED') ||
      !isForeign(root) ||
      (shared(values(root, 'exchange_rate.source'), values(root, 'currency')) &&
        shared(values(root, 'exchange_rate.target'), values(root, 'tax_currency')) &&
        has(root, 'exchange_rate.rate')),
  ),
  rule(
    'ibr-159-ae',
    ['BTAE-04', 'IBT-005'],
    'An invoice in another currency than AED states the exchange rate.',
    (root, { everywhere }) =>
      some(root, 'currency', 'AED') ||
      (isForeign(root) &&
        everywhere('cac:TaxExchangeRate').some(
          (each) => reach(each, 'cbc:CalculationRate').length > 0,
        )),
  ),
  rule(
    'ibr-175-ae',
    ['X-tax-total', 'IBT-006', 'IBG-24'],
    'An invoice not in AED also states its total tax and its total with tax in AED.',
    (root) =>
      some(root, 'currency', 'AED') ||
      (isForeign(root) &&
        some(root, 'tax_currency', 'AED') &&
        nodes(root, 'tax_totals.amount').some((each) => each.attributes?.currencyID === 'AED') &&
        nodes(root, 'documents').some(
          (each) => some(each, 'type_code', 'aedtotal-incl-vat') && has(each, 'description'),
        )),
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
        (means) => !some(means, 'code', '30') || has(means, 'account.id'),
      ),
    ],
  },
];
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

/** Credit notes and deemed supplies are not paid. */
function isUnpaid(root: Node): boolean {
  return hasTypeCode(root, '381', '81') || isOfType(root, 'deemed-supply');
}

function hasDeliveryAddress(root: Node): boolean {
  const paths = ['line1', 'city', 'subdivision'] as const;
  return paths.every((member) => has(root, `delivery.address.${member}`));
}

/** An invoice has no place for them: where they stand in one all the same, they count. */
function creditReasons(root: Node): string[] {
  return reach(root, 'cac:DiscrepancyResponse/cbc:ResponseCode').map((each) => each.text);
}

function isForeign(root: Node): boolean {
  return values(root, 'currency').some((code) => code !== 'AED');
}

function shared(some: readonly string[], others: readonly string[]): boolean {
  return some.some((text) => others.includes(text));
}
