import { bind, group, type Row, wrap } from '@drawbridge/binding/table.ts';
import { address, allowanceCharge, partyIds, partyName, reference, taxCategory } from './parts.ts';

/**
 * Parts of the document level that Invoice and CreditNote share, each in its own order.
 */

/** Identifiers, number and dates of the document. */
export const identification: readonly Row[] = [
  bind('X-ubl-version', '0..1', 'cbc:UBLVersionID'),
  bind('IBT-024', '0..1', 'cbc:CustomizationID'),
  bind('IBT-023', '0..1', 'cbc:ProfileID'),
  bind('BTAE-02', '0..1', 'cbc:ProfileExecutionID'),
  bind('IBT-001', '1..1', 'cbc:ID'),
  bind('BTAE-07', '0..1', 'cbc:UUID'),
  bind('IBT-002', '1..1', 'cbc:IssueDate'),
  bind('IBT-168', '0..1', 'cbc:IssueTime'),
];

/** Currencies, references of the buyer and the invoicing period. */
export const currencies: readonly Row[] = [
  bind('IBT-005', '0..1', 'cbc:DocumentCurrencyCode'),
  bind('IBT-006', '0..1', 'cbc:TaxCurrencyCode'),
  bind('IBT-019', '0..1', 'cbc:AccountingCost'),
  bind('IBT-010', '0..1', 'cbc:BuyerReference'),
  group('IBG-14', '0..n', 'cac:InvoicePeriod', [
    bind('IBT-073', '0..1', 'cbc:StartDate'),
    bind('IBT-074', '0..1', 'cbc:EndDate'),
    bind('IBT-008', '0..n', 'cbc:DescriptionCode'),
    bind('X-period-description', '0..n', 'cbc:Description'),
  ]),
];

/** Order references and preceding invoices. */
export const orderAndPrecedingInvoices: readonly Row[] = [
  reference('order_reference', '0..1', 'cac:OrderReference', 'IBT-013', [
    bind('IBT-014', '0..1', 'cbc:SalesOrderID'),
  ]),
  group('IBG-03', '0..n', 'cac:BillingReference', [
    reference('invoice_reference', '0..1', 'cac:InvoiceDocumentReference', 'IBT-025', [
      bind('BTMY-018', '0..1', 'cbc:UUID'),
      bind('IBT-026', '0..1', 'cbc:IssueDate'),
    ]),
  ]),
];

/** The despatch advice. */
export const despatch = reference(
  'despatch_reference',
  '0..n',
  'cac:DespatchDocumentReference',
  'IBT-016',
);
/** The receiving advice. */
export const receipt = reference(
  'receipt_reference',
  '0..n',
  'cac:ReceiptDocumentReference',
  'IBT-015',
);
/** The customs reference. */
export const statement = reference(
  'statement_reference',
  '0..n',
  'cac:StatementDocumentReference',
  'BTAE-21',
);
/** The tender or lot. */
export const originator = reference(
  'originator_reference',
  '0..n',
  'cac:OriginatorDocumentReference',
  'IBT-017',
);
/** The contract. */
export const contract = reference(
  'contract_document',
  '0..n',
  'cac:ContractDocumentReference',
  'IBT-012',
  [bind('BTAE-05', '0..n', 'cbc:DocumentDescription')],
);
/** The project; invoices only. */
export const project = reference('project', '0..n', 'cac:ProjectReference', 'IBT-011');

/** Supporting documents. */
export const documents: Row = group('IBG-24', '0..n', 'cac:AdditionalDocumentReference', [
  bind('IBT-122', '1..1', 'cbc:ID', { attributes: { schemeID: 'IBT-018-1' } }),
  bind('X-document-type-code', '0..1', 'cbc:DocumentTypeCode'),
  bind('X-document-type', '0..1', 'cbc:DocumentType'),
  bind('IBT-123', '0..n', 'cbc:DocumentDescription'),
  wrap('attached', '0..1', 'cac:Attachment', [
    bind('IBT-125', '0..1', 'cbc:EmbeddedDocumentBinaryObject', {
      attributes: { mimeCode: 'IBT-125-1', filename: 'IBT-125-2' },
    }),
    wrap('external', '0..1', 'cac:ExternalReference', [bind('IBT-124', '0..1', 'cbc:URI')]),
  ]),
  wrap('verification', '0..1', 'cac:ResultOfVerification', [
    bind('X-validation-date', '0..1', 'cbc:ValidationDate'),
    bind('X-validation-time', '0..1', 'cbc:ValidationTime'),
  ]),
]);

/** The delivery. */
export const delivery: Row = group('IBG-13', '0..n', 'cac:Delivery', [
  bind('IBT-072', '0..1', 'cbc:ActualDeliveryDate'),
  wrap('location', '0..1', 'cac:DeliveryLocation', [
    bind('IBT-071', '0..1', 'cbc:ID', { attributes: { schemeID: 'IBT-071-1' } }),
    address('cac:Address', {
      group: 'IBG-15',
      line1: 'IBT-075',
      line2: 'IBT-076',
      line3: 'IBT-165',
      city: 'IBT-077',
      postCode: 'IBT-078',
      subdivision: 'IBT-079',
      subdivisionCode: 'X-delivery-state',
      country: 'IBT-080',
    }),
  ]),
  wrap('delivery_party', '0..1', 'cac:DeliveryParty', [
    partyIds('X-delivery-party-id', 'BTAE-23', 'X-delivery-party-id-scheme'),
    partyName('IBT-070'),
    wrap('legal_entity', '0..n', 'cac:PartyLegalEntity', [
      bind('X-delivery-registration', '0..1', 'cbc:CompanyID'),
    ]),
  ]),
  group('X-delivery-terms', '0..n', 'cac:DeliveryTerms', [
    bind('BTAE-22', '0..1', 'cbc:ID', { attributes: { schemeID: 'X-incoterms-scheme' } }),
  ]),
  group('X-shipment', '0..1', 'cac:Shipment', [
    bind('X-shipment-id', '1..1', 'cbc:ID'),
    group('X-consignment', '0..n', 'cac:Consignment', [
      bind('X-consignment-id', '1..1', 'cbc:ID'),
      wrap('consignment_terms', '0..1', 'cac:DeliveryTerms', [
        bind('X-consignment-incoterms', '0..1', 'cbc:ID'),
      ]),
    ]),
    group('X-freight', '0..n', 'cac:FreightAllowanceCharge', [
      bind('X-freight-indicator', '1..1', 'cbc:ChargeIndicator'),
      bind('X-freight-reason', '0..n', 'cbc:AllowanceChargeReason'),
      bind('X-freight-amount', '1..1', 'cbc:Amount'),
    ]),
  ]),
]);

/** Payment instructions and terms. */
export const payment: readonly Row[] = [
  group('IBG-16', '0..n', 'cac:PaymentMeans', [
    bind('IBT-178', '0..1', 'cbc:ID'),
    bind('IBT-081', '1..1', 'cbc:PaymentMeansCode', { attributes: { name: 'IBT-082' } }),
    bind('IBT-083', '0..n', 'cbc:PaymentID', { attributes: { schemeID: 'IBT-083-1' } }),
    group('IBG-18', '0..1', 'cac:CardAccount', [
      bind('IBT-087', '1..1', 'cbc:PrimaryAccountNumberID'),
      bind('X-card-network', '1..1', 'cbc:NetworkID'),
      bind('IBT-088', '0..1', 'cbc:HolderName'),
    ]),
    group('IBG-17', '0..1', 'cac:PayeeFinancialAccount', [
      bind('IBT-084', '0..1', 'cbc:ID', { attributes: { schemeID: 'IBT-084-1' } }),
      bind('IBT-085', '0..1', 'cbc:Name'),
      wrap('branch_entity', '0..1', 'cac:FinancialInstitutionBranch', [
        bind('IBT-086', '0..1', 'cbc:ID'),
        bind('X-branch-name', '0..1', 'cbc:Name'),
        address('cac:Address', {
          group: 'IBG-34',
          line1: 'IBT-169',
          line2: 'IBT-170',
          line3: 'IBT-174',
          city: 'IBT-171',
          postCode: 'IBT-172',
          subdivision: 'IBT-173',
          subdivisionCode: 'X-branch-state',
          country: 'IBT-175',
        }),
      ]),
    ]),
    group('IBG-19', '0..1', 'cac:PaymentMandate', [
      bind('IBT-089', '0..1', 'cbc:ID'),
      wrap('payer_account', '0..1', 'cac:PayerFinancialAccount', [
        bind('IBT-091', '0..1', 'cbc:ID'),
      ]),
    ]),
  ]),
  group('IBG-33', '0..n', 'cac:PaymentTerms', [
    bind('IBT-187', '0..n', 'cbc:PaymentMeansID'),
    bind('IBT-020', '0..n', 'cbc:Note'),
  ]),
];

/** Amounts paid before; invoices only. */
export const paidAmounts: Row = group('IBG-35', '0..n', 'cac:PrepaidPayment', [
  bind('IBT-179', '0..1', 'cbc:ID'),
  bind('IBT-180', '0..1', 'cbc:PaidAmount'),
  bind('IBT-181', '0..1', 'cbc:ReceivedDate'),
  bind('BTMY-017', '0..1', 'cbc:PaidTime'),
]);

/** Allowances and charges of the document. */
export const allowancesCharges: Row = allowanceCharge({
  group: 'X-allowance-charge',
  isCharge: 'X-is-charge',
  reasonCode: 'IBT-098',
  reason: 'IBT-097',
  percent: 'IBT-094',
  amount: 'IBT-092',
  base: 'IBT-093',
  tax: 'X-allowance-tax',
  category: {
    category: 'IBT-095',
    rate: 'IBT-096',
    exemptionCode: 'IBT-196',
    exemption: 'IBT-197',
    scheme: 'IBT-095-1',
  },
});

/** The exchange rate. */
export const exchangeRate: Row = group('X-exchange-rate', '0..1', 'cac:TaxExchangeRate', [
  bind('X-exchange-source', '1..1', 'cbc:SourceCurrencyCode'),
  bind('X-exchange-target', '1..1', 'cbc:TargetCurrencyCode'),
  bind('BTAE-04', '0..1', 'cbc:CalculationRate'),
]);

/** Tax totals and document totals. */
export const taxAndTotals: readonly Row[] = [
  group('X-tax-total', '0..n', 'cac:TaxTotal', [
    bind('IBT-110', '1..1', 'cbc:TaxAmount'),
    bind('IBT-200', '0..1', 'cbc:TaxIncludedIndicator'),
    group('IBG-23', '0..n', 'cac:TaxSubtotal', [
      bind('IBT-116', '0..1', 'cbc:TaxableAmount'),
      bind('IBT-117', '1..1', 'cbc:TaxAmount'),
      wrap(
        'tax_category',
        '1..1',
        'cac:TaxCategory',
        taxCategory({
          category: 'IBT-118',
          rate: 'IBT-119',
          exemptionCode: 'IBT-121',
          exemption: 'IBT-120',
          scheme: 'IBT-118-1',
        }),
      ),
    ]),
  ]),
  group('IBG-22', '1..1', 'cac:LegalMonetaryTotal', [
    bind('IBT-106', '0..1', 'cbc:LineExtensionAmount'),
    bind('IBT-109', '0..1', 'cbc:TaxExclusiveAmount'),
    bind('IBT-112', '0..1', 'cbc:TaxInclusiveAmount'),
    bind('IBT-107', '0..1', 'cbc:AllowanceTotalAmount'),
    bind('IBT-108', '0..1', 'cbc:ChargeTotalAmount'),
    bind('IBT-113', '0..1', 'cbc:PrepaidAmount'),
    bind('IBT-114', '0..1', 'cbc:PayableRoundingAmount'),
    bind('IBT-115', '1..1', 'cbc:PayableAmount'),
  ]),
];
