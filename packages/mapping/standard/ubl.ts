import { type StandardRow, type StandardSyntax, within } from './syntax.ts';

const address: readonly StandardRow[] = [
  ['line1', 'StreetName'],
  ['line2', 'AdditionalStreetName'],
  ['line3', 'AddressLine.Line'],
  ['city', 'CityName'],
  ['post_code', 'PostalZone'],
  ['subdivision', 'CountrySubentity'],
  ['country', 'Country.IdentificationCode'],
];

const party: readonly StandardRow[] = [
  ['name', 'PartyLegalEntity.RegistrationName'],
  ['trading_name', 'PartyName.Name'],
  ['registration_id', 'PartyLegalEntity.CompanyID'],
  ['registration_scheme', 'PartyLegalEntity.CompanyID@schemeID'],
  ['identifiers[].id', 'PartyIdentification.ID'],
  ['identifiers[].scheme', 'PartyIdentification.ID@schemeID'],
  ['endpoint', 'EndpointID'],
  ['endpoint_scheme', 'EndpointID@schemeID'],
  ['registration_type', 'PartyLegalEntity.CompanyID@schemeAgencyID'],
  ['registration_authority', 'PartyLegalEntity.CompanyID@schemeAgencyName'],
  ['industry_code', 'IndustryClassificationCode'],
  ['industry_name', 'IndustryClassificationCode@name'],
  ['tin', 'PartyTaxScheme[TIN].CompanyID'],
  ['trn', 'PartyTaxScheme[VAT].CompanyID'],
  // Where the scheme is no part of the name there is one, which is that of VAT nearly always.
  ['trn', 'PartyTaxScheme.CompanyID'],
  ['contact.name', 'Contact.Name'],
  ['contact.phone', 'Contact.Telephone'],
  ['contact.email', 'Contact.ElectronicMail'],
  ...within('address.', 'PostalAddress.', address),
];

const charge: readonly StandardRow[] = [
  ['is_charge', 'ChargeIndicator'],
  ['amount', 'Amount'],
  ['base', 'BaseAmount'],
  ['percent', 'MultiplierFactorNumeric'],
  ['reason', 'AllowanceChargeReason'],
  ['reason_code', 'AllowanceChargeReasonCode'],
];

const header: readonly StandardRow[] = [
  ['transaction_type', 'ProfileExecutionID'],
  ['number', 'ID'],
  ['uuid', 'UUID'],
  ['issue_date', 'IssueDate'],
  ['issue_time', 'IssueTime'],
  ['notes[]', 'Note'],
  ['tax_point_date', 'TaxPointDate'],
  ['currency', 'DocumentCurrencyCode'],
  ['tax_currency', 'TaxCurrencyCode'],
  ['buyer_reference', 'BuyerReference'],
  ['accounting_reference', 'AccountingCost'],
  ['period.start', 'InvoicePeriod.StartDate'],
  ['period.end', 'InvoicePeriod.EndDate'],
  ['purchase_order', 'OrderReference.ID'],
  ['sales_order', 'OrderReference.SalesOrderID'],
  ['preceding_invoices[].number', 'BillingReference.InvoiceDocumentReference.ID'],
  ['preceding_invoices[].issue_date', 'BillingReference.InvoiceDocumentReference.IssueDate'],
  ['exchange_rate.rate', 'TaxExchangeRate.CalculationRate'],
  ['credit_reasons[].code', 'DiscrepancyResponse.ResponseCode'],
  ['despatch_advice', 'DespatchDocumentReference.ID'],
  ['contract_reference', 'ContractDocumentReference.ID'],
  ...within('seller.', 'AccountingSupplierParty.Party.', party),
  ...within('buyer.', 'AccountingCustomerParty.Party.', party),
  ['payee.name', 'PayeeParty.PartyName.Name'],
  ['delivery.date', 'Delivery.ActualDeliveryDate'],
  ['delivery.party_name', 'Delivery.DeliveryParty.PartyName.Name'],
  ...within('delivery.address.', 'Delivery.DeliveryLocation.Address.', address),
  ['payment_means[].code', 'PaymentMeans.PaymentMeansCode'],
  ['payment_means[].remittance', 'PaymentMeans.PaymentID'],
  ['payment_means[].account.id', 'PaymentMeans.PayeeFinancialAccount.ID'],
  ['payment_means[].account.name', 'PaymentMeans.PayeeFinancialAccount.Name'],
  [
    'payment_means[].account.branch',
    'PaymentMeans.PayeeFinancialAccount.FinancialInstitutionBranch.ID',
  ],
  ['payment_terms[].note', 'PaymentTerms.Note'],
  ['totals.tax', 'TaxTotal.TaxAmount'],
  ['totals.net', 'LegalMonetaryTotal.TaxExclusiveAmount'],
  ['totals.gross', 'LegalMonetaryTotal.TaxInclusiveAmount'],
  ['totals.prepaid', 'LegalMonetaryTotal.PrepaidAmount'],
  ['totals.rounding', 'LegalMonetaryTotal.PayableRoundingAmount'],
  ['totals.due', 'LegalMonetaryTotal.PayableAmount'],
];

const line: readonly StandardRow[] = [
  ['id', 'ID'],
  ['note', 'Note'],
  ['net', 'LineExtensionAmount'],
  ['name', 'Item.Name'],
  ['description', 'Item.Description'],
  ['sku', 'Item.SellersItemIdentification.ID'],
  ['buyer_item_id', 'Item.BuyersItemIdentification.ID'],
  ['standard_id', 'Item.StandardItemIdentification.ID'],
  ['standard_id_scheme', 'Item.StandardItemIdentification.ID@schemeID'],
  ['origin_country', 'Item.OriginCountry.IdentificationCode'],
  ['classifications[].code', 'Item.CommodityClassification.ItemClassificationCode'],
  ['classifications[].list', 'Item.CommodityClassification.ItemClassificationCode@listID'],
  ['classifications[].nature', 'Item.CommodityClassification.NatureCode'],
  ['classifications[].item_type', 'Item.CommodityClassification.CommodityCode'],
  ['tax.category', 'Item.ClassifiedTaxCategory.ID'],
  ['tax.rate', 'Item.ClassifiedTaxCategory.Percent'],
  ['unit_price', 'Price.PriceAmount'],
  ['base_qty', 'Price.BaseQuantity'],
  ['base_unit', 'Price.BaseQuantity@unitCode'],
];

/** UBL 2.1 as Peppol and PINT use it; an invoice and a credit note have names of their own for some elements. */
function syntaxOf(root: 'Invoice' | 'CreditNote'): StandardSyntax {
  const lines = `${root}Line`;
  const quantity = root === 'Invoice' ? 'InvoicedQuantity' : 'CreditedQuantity';
  return {
    name: 'UBL 2.1',
    title: root === 'Invoice' ? 'UBL invoices' : 'UBL credit notes',
    root,
    namespace: `urn:oasis:names:specification:ubl:schema:xsd:${root}-2`,
    lines,
    elementKeys: { PartyTaxScheme: 'TaxScheme.ID' },
    marks: [`${root}TypeCode`, 'LegalMonetaryTotal.PayableAmount'],
    header: [
      ...header,
      ['type_code', `${root}TypeCode`],
      ['due_date', root === 'Invoice' ? 'DueDate' : 'PaymentMeans.PaymentDueDate'],
    ],
    line: [...line, ['qty', quantity], ['unit', `${quantity}@unitCode`]],
    sections: [
      {
        name: 'allowances',
        path: 'AllowanceCharge',
        list: 'allowances_charges[]',
        rows: [
          ...within('.', '', charge),
          ['.tax.category', 'TaxCategory.ID'],
          ['.tax.rate', 'TaxCategory.Percent'],
        ],
      },
      {
        name: 'taxes',
        path: 'TaxTotal.TaxSubtotal',
        list: 'tax_breakdown[]',
        rows: [
          ['.category', 'TaxCategory.ID'],
          ['.rate', 'TaxCategory.Percent'],
          ['.exemption', 'TaxCategory.TaxExemptionReason'],
          ['.exemption_code', 'TaxCategory.TaxExemptionReasonCode'],
        ],
      },
      {
        name: 'line_allowances',
        path: `${lines}.AllowanceCharge`,
        list: 'lines[].allowances_charges[]',
        rows: within('.', '', charge),
        isWithinLines: true,
      },
    ],
  };
}

export const ublInvoice = syntaxOf('Invoice');
export const ublCreditNote = syntaxOf('CreditNote');
