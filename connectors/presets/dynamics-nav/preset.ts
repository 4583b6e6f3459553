import type { Preset } from '../contract.ts';

/**
 * Microsoft Dynamics NAV and Business Central on a server of one's own: the company stands before the names of
 * its tables, and in Business Central the id of the base application after them.
 */
export const dynamicsNav: Preset = {
  id: 'dynamics-nav',
  title: 'Dynamics NAV / Business Central',
  runsOn: ['mssql'],
  source:
    'microsoft/BCApps: BaseApp/Sales/History/SalesInvoiceHeader.Table.al, SalesInvoiceLine.Table.al',
  around: { before: /[^$]+\$/, after: /\$437dbf0e-84ff-417a-965d-ed2bb9650972|/ },
  fingerprint: ['Sales Invoice Header', 'Sales Invoice Line', 'Customer'],
  tables: {
    'Sales Invoice Header':
      '*No_: text, Sell-to Customer No_: text, Bill-to Customer No_: text, Bill-to Name: text, Bill-to Address: text, ' +
      'Bill-to Address 2: text, Bill-to City: text, Bill-to Post Code: text, Bill-to County: text, ' +
      'Bill-to Country_Region Code: text, Posting Date: timestamp, Document Date: timestamp, Due Date: timestamp, ' +
      'Currency Code: text, Currency Factor: decimal, Prices Including VAT: integer, VAT Registration No_: text, ' +
      'External Document No_: text, Your Reference: text, Order No_: text, Payment Terms Code: text, ' +
      'Payment Method Code: text, Payment Reference: text, Document Exchange Identifier: text, $systemModifiedAt: timestamp',
    'Sales Invoice Line':
      '*Document No_: text, *Line No_: integer, Type: integer, No_: text, Description: text, Description 2: text, ' +
      'Quantity: decimal, Unit of Measure Code: text, Unit Price: decimal, VAT _: decimal, Line Discount _: decimal, ' +
      'Line Discount Amount: decimal, Inv_ Discount Amount: decimal, Amount: decimal, Amount Including VAT: decimal, ' +
      'VAT Base Amount: decimal, Line Amount: decimal, VAT Identifier: text, VAT Bus_ Posting Group: text, ' +
      'VAT Prod_ Posting Group: text',
    'Sales Cr_Memo Header':
      '*No_: text, Bill-to Customer No_: text, Bill-to Name: text, Posting Date: timestamp, Document Date: timestamp, ' +
      'Currency Code: text, Prices Including VAT: integer, Payment Terms Code: text',
    'Sales Cr_Memo Line':
      '*Document No_: text, *Line No_: integer, Type: integer, No_: text, Description: text, Quantity: decimal, ' +
      'Unit Price: decimal, VAT _: decimal, Amount: decimal, Amount Including VAT: decimal',
    Customer:
      '*No_: text, Name: text, Address: text, City: text, Post Code: text, Country_Region Code: text, Phone No_: text, ' +
      'E-Mail: text, VAT Registration No_: text',
    'Payment Terms': '*Code: text, Description: text',
  },
  versions: [
    { version: '(Business Central 15 or later)', has: ['Sales Invoice Header.$systemModifiedAt'] },
    { version: '(NAV, Business Central 14)', has: [] },
  ],
  sections: {
    header: { table: 'Sales Invoice Header', key: 'No_', match: 'No_' },
    lines: {
      table: 'Sales Invoice Line',
      key: 'Line No_',
      match: 'Document No_',
      matchFrom: 'No_',
      orderBy: 'Line No_',
    },
    customer: {
      table: 'Customer',
      key: 'No_',
      match: 'No_',
      matchFrom: 'Bill-to Customer No_',
    },
    terms: { table: 'Payment Terms', key: 'Code', match: 'Code', matchFrom: 'Payment Terms Code' },
  },
  creditNotes: {
    sections: {
      header: { table: 'Sales Cr_Memo Header' },
      lines: { table: 'Sales Cr_Memo Line' },
    },
    note: 'Tables of their own (Sales Cr_Memo Header and Line), with positive amounts.',
  },
  cancellation:
    'Nothing in the header says so: the table "Cancelled Document" names cancelled invoices (Source ID 112).',
  taxCodes: {
    note:
      'VAT Bus_ and VAT Prod_ Posting Group of a line together name a row of "VAT Posting Setup", whose Tax Category is ' +
      'the letter of UNCL5305.',
    codes: {},
  },
  blindSpots: [
    'Totals of the header are computed by the program and are no columns: they are the sums of the lines.',
    'Lines of Type 0 are comments, and have no quantity.',
    "An empty Currency Code is the company's own currency.",
    'Listed by number; posted invoices hardly change. Where numbers do not grow, use the column timestamp (rowversion).',
  ],
  writeBack:
    'Document Exchange Identifier of the header takes 50 characters; changing other columns needs AL.',
};
