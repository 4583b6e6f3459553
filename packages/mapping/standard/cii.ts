import { type StandardRow, type StandardSyntax, within } from './syntax.ts';

/** Days are `20260131` (format 102). */
const day = { kind: 'date', format: 'YYYYMMDD' } as const;

const transaction = 'SupplyChainTradeTransaction.';
const agreement = `${transaction}ApplicableHeaderTradeAgreement.`;
const delivery = `${transaction}ApplicableHeaderTradeDelivery.`;
const settlement = `${transaction}ApplicableHeaderTradeSettlement.`;
const lines = `${transaction}IncludedSupplyChainTradeLineItem`;

const address: readonly StandardRow[] = [
  ['line1', 'LineOne'],
  ['line2', 'LineTwo'],
  ['line3', 'LineThree'],
  ['city', 'CityName'],
  ['post_code', 'PostcodeCode'],
  ['subdivision', 'CountrySubDivisionName'],
  ['country', 'CountryID'],
];

const party: readonly StandardRow[] = [
  ['name', 'Name'],
  ['trading_name', 'SpecifiedLegalOrganization.TradingBusinessName'],
  ['registration_id', 'SpecifiedLegalOrganization.ID'],
  ['registration_scheme', 'SpecifiedLegalOrganization.ID@schemeID'],
  ['identifiers[].id', 'GlobalID'],
  ['identifiers[].scheme', 'GlobalID@schemeID'],
  ['endpoint', 'URIUniversalCommunication.URIID'],
  ['endpoint_scheme', 'URIUniversalCommunication.URIID@schemeID'],
  ['trn', 'SpecifiedTaxRegistration[VA].ID'],
  ['contact.name', 'DefinedTradeContact.PersonName'],
  ['contact.phone', 'DefinedTradeContact.TelephoneUniversalCommunication.CompleteNumber'],
  ['contact.email', 'DefinedTradeContact.EmailURIUniversalCommunication.URIID'],
  ...within('address.', 'PostalTradeAddress.', address),
];

const period: readonly StandardRow[] = [
  ['start', 'StartDateTime.DateTimeString', day],
  ['end', 'EndDateTime.DateTimeString', day],
];

const charge: readonly StandardRow[] = [
  ['is_charge', 'ChargeIndicator.Indicator'],
  ['amount', 'ActualAmount'],
  ['base', 'BasisAmount'],
  ['percent', 'CalculationPercent'],
  ['reason', 'Reason'],
  ['reason_code', 'ReasonCode'],
];

/** Cross Industry Invoice (UN/CEFACT D16B), the syntax of Factur-X, ZUGFeRD 2 and XRechnung. */
export const cii: StandardSyntax = {
  name: 'Cross Industry Invoice',
  title: 'Cross Industry Invoices (CII: Factur-X, ZUGFeRD, XRechnung)',
  root: 'CrossIndustryInvoice',
  namespace: 'urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100',
  lines,
  listElements: [
    'IncludedSupplyChainTradeLineItem',
    'ApplicableHeaderTradeSettlement.ApplicableTradeTax',
    'SpecifiedTradeAllowanceCharge',
    'SpecifiedTradeSettlementPaymentMeans',
    'IncludedNote',
  ],
  elementKeys: { SpecifiedTaxRegistration: 'ID@schemeID' },
  marks: ['ExchangedDocument.ID', `${settlement}InvoiceCurrencyCode`],
  header: [
    ['number', 'ExchangedDocument.ID'],
    ['issue_date', 'ExchangedDocument.IssueDateTime.DateTimeString', day],
    ['type_code', 'ExchangedDocument.TypeCode'],
    ['buyer_reference', `${agreement}BuyerReference`],
    ['purchase_order', `${agreement}BuyerOrderReferencedDocument.IssuerAssignedID`],
    ['sales_order', `${agreement}SellerOrderReferencedDocument.IssuerAssignedID`],
    ['contract_reference', `${agreement}ContractReferencedDocument.IssuerAssignedID`],
    ...within('seller.', `${agreement}SellerTradeParty.`, party),
    ['seller.tin', `${agreement}SellerTradeParty.SpecifiedTaxRegistration[FC].ID`],
    ...within('buyer.', `${agreement}BuyerTradeParty.`, party),
    [
      'delivery.date',
      `${delivery}ActualDeliverySupplyChainEvent.OccurrenceDateTime.DateTimeString`,
      day,
    ],
    ['delivery.party_name', `${delivery}ShipToTradeParty.Name`],
    ...within('delivery.address.', `${delivery}ShipToTradeParty.PostalTradeAddress.`, address),
    ['despatch_advice', `${delivery}DespatchAdviceReferencedDocument.IssuerAssignedID`],
    ['currency', `${settlement}InvoiceCurrencyCode`],
    ['payee.name', `${settlement}PayeeTradeParty.Name`],
    ['due_date', `${settlement}SpecifiedTradePaymentTerms.DueDateDateTime.DateTimeString`, day],
    ['payment_terms[].note', `${settlement}SpecifiedTradePaymentTerms.Description`],
    ['payment_means[].remittance', `${settlement}PaymentReference`],
    ...within('period.', `${settlement}BillingSpecifiedPeriod.`, period),
    ...within('preceding_invoices[].', `${settlement}InvoiceReferencedDocument.`, [
      ['number', 'IssuerAssignedID'],
      ['issue_date', 'FormattedIssueDateTime.DateTimeString', day],
    ]),
    ...within('totals.', `${settlement}SpecifiedTradeSettlementHeaderMonetarySummation.`, [
      ['net', 'TaxBasisTotalAmount'],
      ['tax', 'TaxTotalAmount'],
      ['gross', 'GrandTotalAmount'],
      ['prepaid', 'TotalPrepaidAmount'],
      ['rounding', 'RoundingAmount'],
      ['due', 'DuePayableAmount'],
    ]),
  ],
  line: [
    ['id', 'AssociatedDocumentLineDocument.LineID'],
    ['name', 'SpecifiedTradeProduct.Name'],
    ['description', 'SpecifiedTradeProduct.Description'],
    ['sku', 'SpecifiedTradeProduct.SellerAssignedID'],
    ['buyer_item_id', 'SpecifiedTradeProduct.BuyerAssignedID'],
    ['standard_id', 'SpecifiedTradeProduct.GlobalID'],
    ['standard_id_scheme', 'SpecifiedTradeProduct.GlobalID@schemeID'],
    ['origin_country', 'SpecifiedTradeProduct.OriginTradeCountry.ID'],
    ...within('', 'SpecifiedLineTradeAgreement.NetPriceProductTradePrice.', [
      ['unit_price', 'ChargeAmount'],
      ['base_qty', 'BasisQuantity'],
      ['base_unit', 'BasisQuantity@unitCode'],
    ]),
    ['qty', 'SpecifiedLineTradeDelivery.BilledQuantity'],
    ['unit', 'SpecifiedLineTradeDelivery.BilledQuantity@unitCode'],
    ['tax.category', 'SpecifiedLineTradeSettlement.ApplicableTradeTax.CategoryCode'],
    ['tax.rate', 'SpecifiedLineTradeSettlement.ApplicableTradeTax.RateApplicablePercent'],
    ...within('period.', 'SpecifiedLineTradeSettlement.BillingSpecifiedPeriod.', period),
    [
      'net',
      'SpecifiedLineTradeSettlement.SpecifiedTradeSettlementLineMonetarySummation.LineTotalAmount',
    ],
  ],
  sections: [
    {
      name: 'notes',
      path: 'ExchangedDocument.IncludedNote',
      list: 'notes[]',
      rows: [['', 'Content']],
    },
    {
      name: 'payment_means',
      path: `${settlement}SpecifiedTradeSettlementPaymentMeans`,
      list: 'payment_means[]',
      rows: [
        ['.code', 'TypeCode'],
        ['.name', 'Information'],
        ['.account.id', 'PayeePartyCreditorFinancialAccount.IBANID'],
        ['.account.name', 'PayeePartyCreditorFinancialAccount.AccountName'],
        ['.account.branch', 'PayeeSpecifiedCreditorFinancialInstitution.BICID'],
      ],
    },
    {
      name: 'allowances',
      path: `${settlement}SpecifiedTradeAllowanceCharge`,
      list: 'allowances_charges[]',
      rows: [
        ...within('.', '', charge),
        ['.tax.category', 'CategoryTradeTax.CategoryCode'],
        ['.tax.rate', 'CategoryTradeTax.RateApplicablePercent'],
      ],
    },
    {
      name: 'taxes',
      path: `${settlement}ApplicableTradeTax`,
      list: 'tax_breakdown[]',
      rows: [
        ['.category', 'CategoryCode'],
        ['.rate', 'RateApplicablePercent'],
        ['.exemption', 'ExemptionReason'],
        ['.exemption_code', 'ExemptionReasonCode'],
      ],
    },
    {
      name: 'line_allowances',
      path: `${lines}.SpecifiedLineTradeSettlement.SpecifiedTradeAllowanceCharge`,
      list: 'lines[].allowances_charges[]',
      rows: within('.', '', charge),
      isWithinLines: true,
    },
  ],
};
