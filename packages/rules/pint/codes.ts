import type { Node } from '@drawbridge/cim/node.ts';
import type { Term } from '@drawbridge/cim/terms.ts';
import { someText } from '../language/element.ts';
import { anywhere, coded, codedAttribute, inList, path, rule } from '../language/rule-kinds.ts';
import { all, hasAttribute } from '../language/statement.ts';
import { someBoolean } from '../language/xpath.ts';
import type { Context } from '../rule.ts';
import { amountElements } from '../ubl-elements.ts';

const hasScheme = hasAttribute('schemeID');
const isCharge = path('is_charge');

/** Code lists of the document. */
const documentCodes: readonly Context[] = [
  {
    each: anywhere('cbc:InvoiceTypeCode', 'cbc:CreditNoteTypeCode'),
    rules: [
      rule(
        'ibr-cl-01',
        ['IBT-003'],
        'The document type code is not one that this kind of document may have.',
        (node, scope) =>
          inList(
            scope,
            node.shape.element === 'cbc:InvoiceTypeCode' ? 'invoice-types' : 'credit-note-types',
            node.text,
          ),
      ),
    ],
  },
  {
    each: anywhere(...amountElements),
    rules: [
      codedAttribute(
        'ibr-cl-03',
        'currencyID',
        'currencies',
        ['IBT-005'],
        'The currency of an amount is not an ISO 4217 code.',
      ),
    ],
  },
  code({
    id: 'ibr-cl-04',
    element: 'cbc:DocumentCurrencyCode',
    list: 'currencies',
    term: 'IBT-005',
    what: 'The invoice currency',
    of: 'ISO 4217',
  }),
  code({
    id: 'ibr-cl-05',
    element: 'cbc:TaxCurrencyCode',
    list: 'currencies',
    term: 'IBT-006',
    what: 'The tax accounting currency',
    of: 'ISO 4217',
  }),
  {
    each: anywhere('cac:AdditionalDocumentReference/cbc:ID', 'cac:DocumentReference/cbc:ID'),
    match: all(hasScheme, (node) => someText(node.parent!, 'cbc:DocumentTypeCode', '130')),
    rules: [
      codedAttribute(
        'ibr-cl-07',
        'schemeID',
        'object-schemes',
        ['IBT-018-1', 'IBT-128-1'],
        'The scheme of the invoiced object is not a UNTDID 1153 code.',
      ),
    ],
  },
];

/** Schemes of identifiers. */
const schemeCodes: readonly Context[] = [
  {
    each: anywhere('cac:PartyIdentification/cbc:ID'),
    match: hasScheme,
    rules: [
      rule(
        'ibr-cl-10',
        ['IBT-029-1', 'IBT-046-1', 'IBT-060-1'],
        'The scheme of a party identifier is not an ISO 6523 code (or SEPA, for seller and payee).',
        (node, scope) =>
          inList(scope, 'identifier-schemes', node.attributes?.schemeID ?? '') ||
          (node.attributes?.schemeID?.trim() === 'SEPA' && isOfSellerOrPayee(node)),
      ),
    ],
  },
  scheme('ibr-cl-11', 'cac:PartyLegalEntity/cbc:CompanyID', [
    'IBT-030-1',
    'IBT-047-1',
    'IBT-061-1',
  ]),
  {
    each: anywhere('cac:CommodityClassification/cbc:ItemClassificationCode'),
    match: hasAttribute('listID'),
    rules: [
      codedAttribute(
        'ibr-cl-13',
        'listID',
        'classification-schemes',
        ['IBT-158-1'],
        'The list of an item classification is not a UNTDID 7143 code.',
      ),
    ],
  },
];

/** Everything else that is coded. */
const otherCodes: readonly Context[] = [
  code({
    id: 'ibr-cl-14',
    element: 'cac:Country/cbc:IdentificationCode',
    list: 'countries',
    term: 'IBT-040',
    what: 'A country',
    of: 'ISO 3166-1',
  }),
  code({
    id: 'ibr-cl-15',
    element: 'cac:OriginCountry/cbc:IdentificationCode',
    list: 'countries',
    term: 'IBT-159',
    what: 'The country of origin',
    of: 'ISO 3166-1',
  }),
  code({
    id: 'ibr-cl-16',
    element: 'cac:PaymentMeans/cbc:PaymentMeansCode',
    list: 'payment-means',
    term: 'IBT-081',
    what: 'The means of payment',
    of: 'UNCL 4461',
  }),
  reasonCode('ibr-cl-19', false, 'allowance-reasons', 'The reason of an allowance', 'UNCL 5189'),
  reasonCode('ibr-cl-20', true, 'charge-reasons', 'The reason of a charge', 'UNCL 7161'),
  scheme('ibr-cl-21', 'cac:StandardItemIdentification/cbc:ID', ['IBT-157-1']),
  {
    each: anywhere('cbc:InvoicedQuantity', 'cbc:BaseQuantity', 'cbc:CreditedQuantity'),
    match: hasAttribute('unitCode'),
    rules: [
      codedAttribute(
        'ibr-cl-23',
        'unitCode',
        'units',
        ['IBT-130', 'IBT-150'],
        'The unit is not a code of UN/ECE Recommendation 20 (or 21, with an X before it).',
      ),
    ],
  },
  {
    each: anywhere('cbc:EmbeddedDocumentBinaryObject'),
    match: hasAttribute('mimeCode'),
    rules: [
      rule(
        'ibr-cl-24',
        ['IBT-125-1'],
        'An attachment is a PDF, PNG, JPEG, CSV, XML, XLSX or ODS file.',
        (node, { lists }) => lists['mime-types']!.has(node.attributes?.mimeCode ?? ''),
      ),
    ],
  },
  {
    each: anywhere('cbc:EndpointID'),
    match: hasScheme,
    rules: [
      codedAttribute(
        'ibr-cl-25',
        'schemeID',
        'endpoint-schemes',
        ['IBT-034-1', 'IBT-049-1'],
        'The scheme of an electronic address is not in the EAS list.',
      ),
    ],
  },
  scheme('ibr-cl-26', 'cac:DeliveryLocation/cbc:ID', ['IBT-071-1']),
];

/** The pattern of the code lists, which are the profile's own. */
export const codeContexts: readonly Context[] = [...documentCodes, ...schemeCodes, ...otherCodes];

interface CodeRow {
  readonly id: string;
  readonly element: string;
  /** The list of the profile. */
  readonly list: string;
  readonly term: Term;
  /** For the message: the meaning of the code and the published list. */
  readonly what: string;
  readonly of: string;
}

function code({ id, element, list, term, what, of }: CodeRow): Context {
  return {
    each: anywhere(element),
    rules: [coded(id, list, [term], `${what} is not a code of ${of}.`)],
  };
}

function scheme(id: string, element: string, terms: readonly [Term, ...Term[]]): Context {
  return {
    each: anywhere(element),
    match: hasScheme,
    rules: [
      codedAttribute(
        id,
        'schemeID',
        'identifier-schemes',
        terms,
        'The scheme of an identifier is not an ISO 6523 code.',
      ),
    ],
  };
}

function reasonCode(id: string, charge: boolean, list: string, what: string, of: string): Context {
  return {
    each: anywhere('cac:AllowanceCharge/cbc:AllowanceChargeReasonCode'),
    match: (node) => someBoolean(node.parent!, isCharge, charge),
    rules: [coded(id, list, ['IBT-098', 'IBT-140'], `${what} is not a code of ${of}.`)],
  };
}

function isOfSellerOrPayee(node: Node): boolean {
  for (let at = node.parent; at !== undefined; at = at.parent) {
    const { element } = at.shape;
    if (element === 'cac:AccountingSupplierParty' || element === 'cac:PayeeParty') return true;
  }
  return false;
}
