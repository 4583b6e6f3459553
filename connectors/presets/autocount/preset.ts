import type { Preset } from '../contract.ts';

/** AutoCount Accounting: a database for each company (AED_…), a table for each kind of document. */
export const autocount: Preset = {
  id: 'autocount',
  title: 'AutoCount',
  runsOn: ['mssql'],
  source: 'CommanderThrow/AutocountAPI: Data/AedAccountsoftContext.cs',
  fingerprint: ['IV', 'IVDTL', 'Debtor'],
  tables: {
    IV:
      '*DocKey: integer, DocNo: text, DocDate: timestamp, DebtorCode: text, DebtorName: text, InvAddr1: text, InvAddr2: text, ' +
      'InvAddr3: text, InvAddr4: text, Phone1: text, Ref: text, YourPONo: text, DisplayTerm: text, CurrencyCode: text, ' +
      'CurrencyRate: decimal, Total: decimal, TotalExTax: decimal, TaxableAmt: decimal, Tax: decimal, NetTotal: decimal, ' +
      'LocalNetTotal: decimal, RoundAdj: decimal, FinalTotal: decimal, InclusiveTax: text, Cancelled: text, DocStatus: text, ' +
      'LastModified: timestamp, EInvoiceUuid: text, EInvoiceStatus: text',
    IVDTL:
      '*DtlKey: integer, DocKey: integer, Seq: integer, ItemCode: text, Description: text, UOM: text, Qty: decimal, ' +
      'UnitPrice: decimal, Discount: text, DiscountAmt: decimal, SubTotal: decimal, SubTotalExTax: decimal, TaxCode: text, ' +
      'TaxRate: decimal, Tax: decimal, Classification: text, ParentDtlKey: integer, AddToSubTotal: text',
    CN:
      '*DocKey: integer, DocNo: text, DocDate: timestamp, DebtorCode: text, DebtorName: text, CurrencyCode: text, ' +
      'Total: decimal, Tax: decimal, NetTotal: decimal, Cancelled: text, LastModified: timestamp',
    CNDTL:
      '*DtlKey: integer, DocKey: integer, Seq: integer, ItemCode: text, Description: text, UOM: text, Qty: decimal, ' +
      'UnitPrice: decimal, SubTotal: decimal, TaxCode: text, TaxRate: decimal, Tax: decimal, AddToSubTotal: text',
    Debtor:
      '*AccNo: text, CompanyName: text, RegisterNo: text, TaxEntityID: integer, Address1: text, Address2: text, ' +
      'PostCode: text, EmailAddress: text, Phone1: text',
    TaxEntity:
      '*TaxEntityID: integer, Name: text, IdentityType: text, IdentityNo: text, TIN: text, SSTRegisterNo: text, ' +
      'MSICCode: text, City: text, StateCode: text, PostCode: text, CountryCode: text',
    TaxCode: '*TaxCode: text, TaxRate: decimal, GovtTaxCode: text, SupplyPurchase: text',
  },
  versions: [
    { version: '2 with e-invoicing', has: ['IV.EInvoiceUuid', 'IV.EInvoiceStatus'] },
    { version: '2', has: [] },
  ],
  sections: {
    header: { table: 'IV', key: 'DocKey', match: 'DocNo', where: { Cancelled: 'F' } },
    lines: {
      table: 'IVDTL',
      key: 'DtlKey',
      match: 'DocKey',
      matchFrom: 'DocKey',
      orderBy: 'Seq',
      where: { AddToSubTotal: 'T' },
    },
    customer: { table: 'Debtor', key: 'AccNo', match: 'AccNo', matchFrom: 'DebtorCode' },
    customer_tax: {
      table: 'TaxEntity',
      key: 'TaxEntityID',
      match: 'TaxEntityID',
      matchFrom: 'TaxEntityID',
      of: 'customer',
    },
    lines_tax: {
      table: 'TaxCode',
      key: 'TaxCode',
      match: 'TaxCode',
      matchFrom: 'TaxCode',
      of: 'lines',
    },
  },
  creditNotes: {
    sections: { header: { table: 'CN' }, lines: { table: 'CNDTL' } },
    note: 'Tables of their own (CN, CNDTL), with positive amounts; debit notes in DN, cash sales in CS.',
  },
  cancellation: 'Cancelled is T; those are left out.',
  taxCodes: {
    note: 'TaxCode of a line is a code of the table TaxCode, whose GovtTaxCode is the official one.',
    codes: { SR: 'S', ZRL: 'Z', ZRE: 'Z', ES: 'E', OS: 'O' },
  },
  changes: { column: 'LastModified', key: 'DocKey' },
  blindSpots: [
    'An edited line may not move LastModified of its invoice: reconciliation finds it.',
    'A discount is a text such as 5%+2; DiscountAmt is its amount.',
    'InclusiveTax says for each document whether prices have tax in them.',
    'Leave invoices alone that AutoCount itself submits (EInvoiceUuid is set, or they stand in EInvoiceQueue).',
  ],
  writeBack:
    'EInvoiceUuid, EInvoiceValidationLink and others, by its own API: a trigger counts changes of the table.',
};
