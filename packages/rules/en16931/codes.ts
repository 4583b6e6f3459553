import type { Node } from '@drawbridge/cim/node.ts';
import { anywhere, coded, codedAttribute, inList, rule } from '../language/rule-kinds.ts';
import { all, hasAttribute, holds, says } from '../language/statement.ts';
import { normalizeSpace } from '../language/xpath.ts';
import type { Context } from '../rule.ts';
import { amountElements } from '../ubl-elements.ts';

const isInvoicedObject = all(hasAttribute('schemeID'), says('../cbc:DocumentTypeCode', '130'));

/** The values that must be from a code list. */
export const codeContexts: readonly Context[] = [
  {
    each: anywhere('cbc:InvoiceTypeCode', 'cbc:CreditNoteTypeCode'),
    rules: [
      rule(
        'BR-CL-01',
        ['IBT-003'],
        'The type code is not in UNTDID 1001 as used here.',
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
        'BR-CL-03',
        'currencyID',
        'currencies',
        ['IBT-005'],
        'The currency of an amount is not in ISO 4217.',
      ),
    ],
  },
  {
    each: anywhere('cbc:DocumentCurrencyCode'),
    rules: [
      coded('BR-CL-04', 'currencies', ['IBT-005'], 'The invoice currency is not in ISO 4217.'),
    ],
  },
  {
    each: anywhere('cbc:TaxCurrencyCode'),
    rules: [
      coded(
        'BR-CL-05',
        'currencies',
        ['IBT-006'],
        'The tax accounting currency is not in ISO 4217.',
      ),
    ],
  },
  {
    each: anywhere('cac:InvoicePeriod/cbc:DescriptionCode'),
    rules: [
      coded('BR-CL-06', 'period-codes', ['IBT-008'], 'The tax point date code is 3, 35 or 432.'),
    ],
  },
  {
    each: anywhere('cac:AdditionalDocumentReference/cbc:ID', 'cac:DocumentReference/cbc:ID'),
    match: isInvoicedObject,
    rules: [
      codedAttribute(
        'BR-CL-07',
        'schemeID',
        'object-schemes',
        ['IBT-018-1', 'IBT-128-1'],
        'The scheme of the invoiced object is not in UNTDID 1153.',
      ),
    ],
  },
  {
    each: anywhere('cac:PartyIdentification/cbc:ID'),
    match: hasAttribute('schemeID'),
    rules: [
      rule(
        'BR-CL-10',
        ['IBT-029-1', 'IBT-046-1', 'IBT-060-1'],
        'The scheme of a party identifier is not in ISO 6523 (SEPA: seller and payee only).',
        (node, scope) => {
          const scheme = normalizeSpace(node.attributes?.schemeID ?? '');
          return (
            inList(scope, 'identifier-schemes', scheme) || (scheme === 'SEPA' && mayBeSepa(node))
          );
        },
      ),
    ],
  },
  {
    each: anywhere('cac:PartyLegalEntity/cbc:CompanyID'),
    match: hasAttribute('schemeID'),
    rules: [
      codedAttribute(
        'BR-CL-11',
        'schemeID',
        'identifier-schemes',
        ['IBT-030-1', 'IBT-047-1', 'IBT-061-1'],
        'The scheme of a legal registration is not in ISO 6523.',
      ),
    ],
  },
  {
    each: anywhere('cac:CommodityClassification/cbc:ItemClassificationCode'),
    match: hasAttribute('listID'),
    rules: [
      codedAttribute(
        'BR-CL-13',
        'listID',
        'classification-schemes',
        ['IBT-158-1'],
        'The list of an item classification is not in UNTDID 7143.',
      ),
    ],
  },
  {
    each: anywhere('cac:Country/cbc:IdentificationCode'),
    rules: [
      coded('BR-CL-14', 'countries', ['IBT-040', 'IBT-055'], 'The country is not in ISO 3166-1.'),
    ],
  },
  {
    each: anywhere('cac:OriginCountry/cbc:IdentificationCode'),
    rules: [
      coded('BR-CL-15', 'countries', ['IBT-159'], 'The country of origin is not in ISO 3166-1.'),
    ],
  },
  {
    each: anywhere('cac:PaymentMeans/cbc:PaymentMeansCode'),
    rules: [
      coded('BR-CL-16', 'payment-means', ['IBT-081'], 'The payment means is not in UNTDID 4461.'),
    ],
  },
  {
    each: anywhere('cac:TaxCategory/cbc:ID'),
    rules: [
      coded(
        'BR-CL-17',
        'tax-categories',
        ['IBT-118', 'IBT-095'],
        'The VAT category is not in UNTDID 5305 as used here.',
      ),
    ],
  },
  {
    each: anywhere('cac:ClassifiedTaxCategory/cbc:ID'),
    rules: [
      coded(
        'BR-CL-18',
        'tax-categories',
        ['IBT-151'],
        'The VAT category of a line is not in UNTDID 5305 as used here.',
      ),
    ],
  },
  {
    each: anywhere('cac:AllowanceCharge/cbc:AllowanceChargeReasonCode'),
    match: holds('../cbc:ChargeIndicator', false),
    rules: [
      coded(
        'BR-CL-19',
        'allowance-reasons',
        ['IBT-098', 'IBT-140'],
        'The reason of an allowance is not in UNTDID 5189 as used here.',
      ),
    ],
  },
  {
    each: anywhere('cac:AllowanceCharge/cbc:AllowanceChargeReasonCode'),
    match: holds('../cbc:ChargeIndicator', true),
    rules: [
      coded(
        'BR-CL-20',
        'charge-reasons',
        ['IBT-098', 'IBT-140'],
        'The reason of a charge is not in UNTDID 7161.',
      ),
    ],
  },
  {
    each: anywhere('cac:StandardItemIdentification/cbc:ID'),
    match: hasAttribute('schemeID'),
    rules: [
      codedAttribute(
        'BR-CL-21',
        'schemeID',
        'identifier-schemes',
        ['IBT-157-1'],
        'The scheme of an item identifier is not in ISO 6523.',
      ),
    ],
  },
  {
    each: anywhere('cbc:TaxExemptionReasonCode'),
    rules: [
      rule(
        'BR-CL-22',
        ['IBT-121'],
        'The tax exemption reason is not in the VATEX list.',
        (node, scope) => inList(scope, 'exemption-reasons', node.text.toUpperCase()),
      ),
    ],
  },
  {
    each: anywhere('cbc:InvoicedQuantity', 'cbc:BaseQuantity', 'cbc:CreditedQuantity'),
    match: hasAttribute('unitCode'),
    rules: [
      codedAttribute(
        'BR-CL-23',
        'unitCode',
        'units',
        ['IBT-130', 'IBT-150'],
        'The unit of measure is not in UN/ECE Recommendation 20 or 21.',
      ),
    ],
  },
  {
    each: anywhere('cbc:EmbeddedDocumentBinaryObject'),
    match: hasAttribute('mimeCode'),
    rules: [
      rule(
        'BR-CL-24',
        ['IBT-125-1'],
        'An attached document is a PDF, PNG, JPEG, CSV, XLSX or ODS file.',
        (node, scope) => scope.lists['mime-types']!.has(node.attributes?.mimeCode ?? ''),
      ),
    ],
  },
  {
    each: anywhere('cbc:EndpointID'),
    match: hasAttribute('schemeID'),
    rules: [
      codedAttribute(
        'BR-CL-25',
        'schemeID',
        'endpoint-schemes',
        ['IBT-034-1', 'IBT-049-1'],
        'The scheme of an electronic address is not in the CEF EAS list.',
      ),
    ],
  },
  {
    each: anywhere('cac:DeliveryLocation/cbc:ID'),
    match: hasAttribute('schemeID'),
    rules: [
      codedAttribute(
        'BR-CL-26',
        'schemeID',
        'identifier-schemes',
        ['IBT-071-1'],
        'The scheme of a delivery location is not in ISO 6523.',
      ),
    ],
  },
];

function mayBeSepa(node: Node): boolean {
  for (let at = node.parent; at !== undefined; at = at.parent) {
    const name = at.shape.element;
    if (name === 'cac:AccountingSupplierParty' || name === 'cac:PayeeParty') return true;
  }
  return false;
}
