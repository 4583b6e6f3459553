import { type Node, nodes, values } from '@drawbridge/cim/node.ts';
import { reach, someText } from '../language/element.ts';
import { counted, filled, isFilled, present, rule } from '../language/rule-kinds.ts';
import { all, either, exists, given, occurs, reads } from '../language/statement.ts';
import { type Context, perDocument, type Rule } from '../rule.ts';
import type { Scope } from '../scope.ts';
import { areTaxSignsAlike } from '../tax-signs.ts';
import { isGrossRight } from './totals.ts';

const mandatory: readonly Rule[] = [
  filled('ibr-001', 'specification_id', ['IBT-024'], 'The specification identifier is missing.'),
  rule(
    'ibr-sr-63',
    ['IBT-024'],
    'The specification identifier is written in full, without a wildcard.',
    reads('specification_id', (text) => !text.includes('*')),
  ),
  filled('ibr-002', 'number', ['IBT-001'], 'The invoice number is missing.'),
  filled('ibr-003', 'issue_date', ['IBT-002'], 'The issue date is missing.'),
  rule(
    'ibr-004',
    ['IBT-003'],
    'The document type code is missing.',
    either(reads('cbc:InvoiceTypeCode', isFilled), reads('cbc:CreditNoteTypeCode', isFilled)),
  ),
  filled('ibr-005', 'currency', ['IBT-005'], 'The invoice currency is missing.'),
  filled('ibr-006', 'seller.name', ['IBT-027'], "The seller's name is missing."),
  filled('ibr-007', 'buyer.name', ['IBT-044'], "The buyer's name is missing."),
  present('ibr-008', 'seller.address', ['IBG-05'], "The seller's postal address is missing."),
  present('ibr-010', 'buyer.address', ['IBG-08'], "The buyer's postal address is missing."),
  rule(
    'ibr-016',
    ['IBG-25'],
    'There is no invoice line.',
    either(exists('cac:InvoiceLine'), exists('cac:CreditNoteLine')),
  ),
  present('ibr-076', 'business_process', ['IBT-023'], 'The business process is missing.'),
];

const once: readonly Rule[] = [
  counted('ibr-066', 'payment_means.card', 1, ['IBG-18'], 'There is more than one payment card.'),
  counted('ibr-067', 'payment_means.mandate', 1, ['IBG-19'], 'There is more than one mandate.'),
  counted(
    'ibr-094',
    'contract_reference',
    1,
    ['IBT-012'],
    'There is more than one contract reference.',
  ),
  counted(
    'ibr-095',
    'receiving_advice',
    1,
    ['IBT-015'],
    'There is more than one receiving advice reference.',
  ),
  counted(
    'ibr-096',
    'despatch_advice',
    1,
    ['IBT-016'],
    'There is more than one despatch advice reference.',
  ),
  counted('ibr-097', 'period', 1, ['IBG-14'], 'There is more than one invoicing period.'),
  counted('ibr-098', 'seller.name', 1, ['IBT-027'], 'The seller has more than one name.'),
  counted(
    'ibr-099',
    'seller.trading_name',
    1,
    ['IBT-028'],
    'The seller has more than one trading name.',
  ),
  counted(
    'ibr-100',
    'seller.registration_id',
    1,
    ['IBT-030'],
    'The seller has more than one legal registration identifier.',
  ),
  counted(
    'ibr-101',
    'seller.legal_form',
    1,
    ['IBT-033'],
    'The seller has more than one legal form.',
  ),
  counted('ibr-102', 'buyer.name', 1, ['IBT-044'], 'The buyer has more than one name.'),
  counted(
    'ibr-103',
    'buyer.registration_id',
    1,
    ['IBT-047'],
    'The buyer has more than one legal registration identifier.',
  ),
  counted(
    'ibr-104',
    'buyer.tax_registrations.id',
    1,
    ['IBT-048'],
    'The buyer has more than one tax identifier.',
  ),
  counted('ibr-107', 'delivery', 1, ['IBG-13'], 'There is more than one delivery.'),
  counted(
    'ibr-112',
    'buyer.trading_name',
    1,
    ['IBT-045'],
    'The buyer has more than one trading name.',
  ),
  counted(
    'ibr-sr-16',
    'buyer.identifiers.id',
    1,
    ['IBT-046'],
    'The buyer has more than one identifier.',
  ),
  counted(
    'ibr-sr-49',
    'period.code',
    1,
    ['IBT-008'],
    'The invoicing period has more than one tax point code.',
  ),
  counted('ibr-sr-51', 'notes', 1, ['IBT-022'], 'There is more than one invoice note.'),
  counted(
    'ibr-sr-52',
    'tender_reference',
    1,
    ['IBT-017'],
    'There is more than one tender or lot reference.',
  ),
];

const references: readonly Rule[] = [
  rule(
    'ibr-071',
    ['IBT-125', 'IBT-018-1'],
    'A document that names the invoiced object (type 130) carries no attachment.',
    (_, scope) =>
      invoicedObjects(scope).every((each) => reach(each, 'cac:Attachment').length === 0),
  ),
  rule(
    'ibr-072',
    ['IBT-123', 'IBT-018-1'],
    'A document that names the invoiced object (type 130) carries no description.',
    (_, scope) =>
      invoicedObjects(scope).every((each) => reach(each, 'cbc:DocumentDescription').length === 0),
  ),
  rule(
    'ibr-078',
    ['IBG-24', 'IBT-018-1'],
    'There is more than one invoiced object (supporting document of type 130).',
    given(exists('documents'), (root) => documentsOfType(root, '130') <= 1),
  ),
  // A credit note has no project reference: a document reference of type 50 is used instead.
  rule(
    'ibr-090',
    ['IBT-011', 'IBG-24'],
    'There is more than one project reference.',
    all(
      occurs('cac:ProjectReference', 0, 1),
      given(exists('documents'), (root) => documentsOfType(root, '50') <= 1),
    ),
  ),
  counted(
    'ibr-sr-39',
    'cac:ProjectReference/cbc:ID',
    1,
    ['IBT-011'],
    'There is more than one project reference number.',
  ),
];

const tax: readonly Rule[] = [
  rule(
    'ibr-053',
    ['IBT-110', 'IBT-006'],
    'A tax accounting currency is named, but no total tax amount is given in it.',
    given(exists('tax_currency'), (root, scope) =>
      values(root, 'tax_currency').every((currency) => isTaxGivenIn(scope, currency)),
    ),
  ),
  rule(
    'ibr-084',
    ['IBT-110', 'IBT-006'],
    'The total tax amounts in the two currencies differ in sign.',
    given(exists('tax_currency'), areTaxSignsAlike),
  ),
  rule(
    'ibr-co-15',
    ['IBT-112', 'IBT-109', 'IBT-110'],
    'The total with tax is not the total without tax plus the total tax amount.',
    isGrossRight,
  ),
];

/** The document as a whole. */
export const documentContexts: readonly Context[] = [
  { each: [''], rules: [...mandatory, ...once, ...references, ...tax] },
];

const invoicedObjects = perDocument(({ everywhere }) =>
  everywhere('cac:AdditionalDocumentReference').filter((each) =>
    someText(each, 'cbc:DocumentTypeCode', '130'),
  ),
);

function documentsOfType(root: Node, type: string): number {
  return nodes(root, 'documents').filter((each) => values(each, 'type_code').includes(type)).length;
}

function isTaxGivenIn(scope: Scope, currency: string): boolean {
  return scope
    .everywhere('cbc:TaxAmount')
    .some(
      (amount) =>
        amount.parent?.shape.element === 'cac:TaxTotal' &&
        amount.attributes?.currencyID === currency,
    );
}
