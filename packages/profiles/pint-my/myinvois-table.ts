import { compile } from '@drawbridge/binding/compile.ts';
import { bind, group, type Row, type SyntaxTable, wrap } from '@drawbridge/binding/table.ts';
import type { Term } from '@drawbridge/cim/terms.ts';
import { invoiceNamespace, namespaces } from '@drawbridge/ubl/namespaces.ts';
import { partyIds, reference } from '@drawbridge/ubl/parts.ts';

interface PartyTerms {
  readonly party: Term;
  readonly industry: Term;
  readonly activity: Term;
  readonly ids: readonly [group: Term, id: Term, scheme: Term];
  readonly address: AddressTerms;
  readonly name: Term;
  readonly contact: readonly [group: Term, phone: Term, email: Term];
}

interface AddressTerms {
  readonly group: Term;
  readonly city: Term;
  readonly postCode: Term;
  readonly state: Term;
  readonly line: Term;
  readonly country: Term;
}

/** LHDN has one list of address lines; it is bound to the term of the last one. */
function address(terms: AddressTerms): Row {
  return group(terms.group, '0..1', 'cac:PostalAddress', [
    bind(terms.city, '0..1', 'cbc:CityName'),
    bind(terms.postCode, '0..1', 'cbc:PostalZone'),
    bind(terms.state, '0..1', 'cbc:CountrySubentityCode'),
    wrap('address_line', '0..n', 'cac:AddressLine', [bind(terms.line, '1..1', 'cbc:Line')]),
    wrap('country', '0..1', 'cac:Country', [bind(terms.country, '0..1', 'cbc:IdentificationCode')]),
  ]);
}

function party(role: string, element: string, terms: PartyTerms): Row {
  const [contact, phone, email] = terms.contact;
  return wrap(role, '1..1', element, [
    group(terms.party, '1..1', 'cac:Party', [
      bind(terms.industry, '0..1', 'cbc:IndustryClassificationCode', {
        attributes: { name: terms.activity },
      }),
      partyIds(...terms.ids),
      address(terms.address),
      wrap('legal_entity', '0..1', 'cac:PartyLegalEntity', [
        bind(terms.name, '0..1', 'cbc:RegistrationName'),
      ]),
      group(contact, '0..1', 'cac:Contact', [
        bind(phone, '0..1', 'cbc:Telephone'),
        bind(email, '0..1', 'cbc:ElectronicMail'),
      ]),
    ]),
  ]);
}

const supplier = party('accounting_supplier', 'cac:AccountingSupplierParty', {
  party: 'IBG-04',
  industry: 'BTMY-006',
  activity: 'X-seller-activity',
  ids: ['X-seller-id', 'IBT-029', 'IBT-029-1'],
  address: {
    group: 'IBG-05',
    city: 'IBT-037',
    postCode: 'IBT-038',
    state: 'X-seller-state',
    line: 'IBT-162',
    country: 'IBT-040',
  },
  name: 'IBT-027',
  contact: ['IBG-06', 'IBT-042', 'IBT-043'],
});

const customer = party('accounting_customer', 'cac:AccountingCustomerParty', {
  party: 'IBG-07',
  industry: 'X-buyer-industry',
  activity: 'X-buyer-activity',
  ids: ['X-buyer-id', 'IBT-046', 'IBT-046-1'],
  address: {
    group: 'IBG-08',
    city: 'IBT-052',
    postCode: 'IBT-053',
    state: 'X-buyer-state',
    line: 'IBT-163',
    country: 'IBT-055',
  },
  name: 'IBT-044',
  contact: ['IBG-09', 'IBT-057', 'IBT-058'],
});

const delivery = group('IBG-13', '0..1', 'cac:Delivery', [
  wrap('delivery_party', '0..1', 'cac:DeliveryParty', [
    partyIds('X-delivery-party-id', 'BTAE-23', 'X-delivery-party-id-scheme'),
    address({
      group: 'IBG-15',
      city: 'IBT-077',
      postCode: 'IBT-078',
      state: 'X-delivery-state',
      line: 'IBT-165',
      country: 'IBT-080',
    }),
    wrap('delivery_entity', '0..1', 'cac:PartyLegalEntity', [
      bind('IBT-070', '0..1', 'cbc:RegistrationName'),
    ]),
  ]),
  group('X-shipment', '0..1', 'cac:Shipment', [
    bind('X-shipment-id', '1..1', 'cbc:ID'),
    group('X-freight', '0..n', 'cac:FreightAllowanceCharge', [
      bind('X-freight-indicator', '1..1', 'cbc:ChargeIndicator'),
      bind('X-freight-reason', '0..1', 'cbc:AllowanceChargeReason'),
      bind('X-freight-amount', '1..1', 'cbc:Amount'),
    ]),
  ]),
]);

const payment: readonly Row[] = [
  group('IBG-16', '0..1', 'cac:PaymentMeans', [
    bind('IBT-081', '1..1', 'cbc:PaymentMeansCode'),
    group('IBG-17', '0..1', 'cac:PayeeFinancialAccount', [bind('IBT-084', '0..1', 'cbc:ID')]),
  ]),
  group('IBG-33', '0..1', 'cac:PaymentTerms', [bind('IBT-020', '0..1', 'cbc:Note')]),
  group('IBG-35', '0..n', 'cac:PrepaidPayment', [
    bind('IBT-179', '0..1', 'cbc:ID'),
    bind('IBT-180', '0..1', 'cbc:PaidAmount'),
    bind('IBT-181', '0..1', 'cbc:PaidDate'),
    bind('BTMY-017', '0..1', 'cbc:PaidTime'),
  ]),
];

function allowanceCharge(terms: readonly [Term, Term, Term, Term, Term]): Row {
  const [groupTerm, isCharge, reason, factor, amount] = terms;
  return group(groupTerm, '0..n', 'cac:AllowanceCharge', [
    bind(isCharge, '1..1', 'cbc:ChargeIndicator'),
    bind(reason, '0..1', 'cbc:AllowanceChargeReason'),
    bind(factor, '0..1', 'cbc:MultiplierFactorNumeric'),
    bind(amount, '1..1', 'cbc:Amount'),
  ]);
}

function taxCategory(category: Term, exemption: Term, scheme: Term): Row {
  return wrap('tax_category', '1..1', 'cac:TaxCategory', [
    bind(category, '1..1', 'cbc:ID'),
    bind(exemption, '0..1', 'cbc:TaxExemptionReason'),
    wrap('tax_scheme', '1..1', 'cac:TaxScheme', [bind(scheme, '1..1', 'cbc:ID')]),
  ]);
}

const taxAndTotals: readonly Row[] = [
  group('X-tax-total', '1..1', 'cac:TaxTotal', [
    bind('IBT-110', '1..1', 'cbc:TaxAmount'),
    group('IBG-23', '0..n', 'cac:TaxSubtotal', [
      bind('IBT-116', '0..1', 'cbc:TaxableAmount'),
      bind('IBT-117', '1..1', 'cbc:TaxAmount'),
      taxCategory('IBT-118', 'IBT-120', 'IBT-118-1'),
    ]),
  ]),
  group('IBG-22', '1..1', 'cac:LegalMonetaryTotal', [
    bind('IBT-106', '0..1', 'cbc:LineExtensionAmount'),
    bind('IBT-109', '1..1', 'cbc:TaxExclusiveAmount'),
    bind('IBT-112', '1..1', 'cbc:TaxInclusiveAmount'),
    bind('IBT-107', '0..1', 'cbc:AllowanceTotalAmount'),
    bind('IBT-108', '0..1', 'cbc:ChargeTotalAmount'),
    bind('IBT-113', '0..1', 'cbc:PrepaidAmount'),
    bind('IBT-114', '0..1', 'cbc:PayableRoundingAmount'),
    bind('IBT-115', '1..1', 'cbc:PayableAmount'),
  ]),
];

const lineTaxes: Row = group('X-line-tax-total', '1..n', 'cac:TaxTotal', [
  bind('X-line-tax-amount', '1..1', 'cbc:TaxAmount'),
  group('X-line-tax-subtotal', '0..n', 'cac:TaxSubtotal', [
    bind('X-line-taxable', '0..1', 'cbc:TaxableAmount'),
    bind('X-line-subtotal-amount', '1..1', 'cbc:TaxAmount'),
    bind('X-line-tax-rate', '0..1', 'cbc:Percent'),
    bind('X-line-units', '0..1', 'cbc:BaseUnitMeasure', {
      attributes: { unitCode: 'X-line-units-unit' },
    }),
    bind('X-line-per-unit', '0..1', 'cbc:PerUnitAmount'),
    taxCategory('X-line-tax-category', 'X-line-exemption', 'X-line-tax-scheme'),
  ]),
]);

const line: Row = group('IBG-25', '1..n', 'cac:InvoiceLine', [
  bind('IBT-126', '1..1', 'cbc:ID'),
  bind('IBT-129', '0..1', 'cbc:InvoicedQuantity', { attributes: { unitCode: 'IBT-130' } }),
  bind('IBT-131', '1..1', 'cbc:LineExtensionAmount'),
  allowanceCharge(['X-line-allowance-charge', 'X-line-is-charge', 'IBT-139', 'IBT-138', 'IBT-136']),
  lineTaxes,
  wrap('item', '1..1', 'cac:Item', [
    bind('IBT-154', '0..1', 'cbc:Description'),
    wrap('origin', '0..1', 'cac:OriginCountry', [
      bind('IBT-159', '0..1', 'cbc:IdentificationCode'),
    ]),
    group('X-classification', '1..n', 'cac:CommodityClassification', [
      bind('IBT-158', '1..1', 'cbc:ItemClassificationCode', {
        attributes: { listID: 'IBT-158-1' },
      }),
    ]),
  ]),
  wrap('price', '1..1', 'cac:Price', [bind('IBT-146', '1..1', 'cbc:PriceAmount')]),
  group('X-price-extension', '1..1', 'cac:ItemPriceExtension', [
    bind('BTAE-10', '1..1', 'cbc:Amount'),
  ]),
]);

/**
 * The parts of LHDN's UBL 2.1 document, version 1.0, that the CIM fills (MyInvois SDK, Invoice
 * v1.0). Credit, debit and refund notes and their self-billed forms are the same `Invoice` with
 * another type code.
 */
const myinvoisTable: SyntaxTable = {
  root: 'Invoice',
  namespace: invoiceNamespace,
  namespaces,
  rows: [
    bind('IBT-001', '1..1', 'cbc:ID'),
    bind('IBT-002', '1..1', 'cbc:IssueDate'),
    bind('IBT-168', '1..1', 'cbc:IssueTime'),
    bind('IBT-003', '1..1', 'cbc:InvoiceTypeCode'),
    bind('IBT-005', '1..1', 'cbc:DocumentCurrencyCode'),
    bind('IBT-006', '0..1', 'cbc:TaxCurrencyCode'),
    group('IBG-14', '0..1', 'cac:InvoicePeriod', [
      bind('IBT-073', '0..1', 'cbc:StartDate'),
      bind('IBT-074', '0..1', 'cbc:EndDate'),
      bind('X-period-description', '0..1', 'cbc:Description'),
    ]),
    group('IBG-03', '0..n', 'cac:BillingReference', [
      reference('invoice_reference', '0..1', 'cac:InvoiceDocumentReference', 'IBT-025', [
        bind('BTMY-018', '0..1', 'cbc:UUID'),
      ]),
    ]),
    group('IBG-24', '0..n', 'cac:AdditionalDocumentReference', [
      bind('IBT-122', '1..1', 'cbc:ID'),
      bind('X-document-type', '0..1', 'cbc:DocumentType'),
      bind('IBT-123', '0..1', 'cbc:DocumentDescription'),
    ]),
    supplier,
    customer,
    delivery,
    ...payment,
    allowanceCharge(['X-allowance-charge', 'X-is-charge', 'IBT-097', 'IBT-094', 'IBT-092']),
    group('X-exchange-rate', '0..1', 'cac:TaxExchangeRate', [
      bind('X-exchange-source', '1..1', 'cbc:SourceCurrencyCode'),
      bind('X-exchange-target', '1..1', 'cbc:TargetCurrencyCode'),
      bind('BTAE-04', '1..1', 'cbc:CalculationRate'),
    ]),
    ...taxAndTotals,
    line,
  ],
};

/** The binding of that table. */
export const myinvoisBinding = compile(myinvoisTable);
