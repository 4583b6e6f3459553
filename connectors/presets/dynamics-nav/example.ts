import type { PresetExample } from '../contract.suite.ts';

const header = {
  'Bill-to Customer No_': '10000',
  'Bill-to Name': 'Horn Bau KG',
  'Posting Date': '2026-03-02',
  'Document Date': '2026-03-02',
  'Currency Code': '',
  'Prices Including VAT': 0,
  'Payment Terms Code': '30D',
};
const line = { Type: 2, No_: 'P1', Description: 'Pump', 'Unit Price': 50, 'VAT _': 19 };

/** The company C1 of Business Central, with an invoice and a credit memo. */
export const example: PresetExample = {
  before: 'C1$',
  after: '$437dbf0e-84ff-417a-965d-ed2bb9650972',
  rows: {
    'Sales Invoice Header': [{ No_: '103001', ...header, 'Due Date': '2026-04-01' }],
    'Sales Invoice Line': [
      { 'Document No_': '103001', 'Line No_': 10_000, ...line, Quantity: 2, Amount: 100 },
      { 'Document No_': '103001', 'Line No_': 20_000, Type: 0, Description: 'as agreed' },
    ],
    'Sales Cr_Memo Header': [{ No_: '104001', ...header }],
    'Sales Cr_Memo Line': [
      { 'Document No_': '104001', 'Line No_': 10_000, ...line, Quantity: 1, Amount: 50 },
    ],
    Customer: [{ No_: '10000', Name: 'Horn Bau KG', 'VAT Registration No_': 'DE123456788' }],
    'Payment Terms': [{ Code: '30D', Description: '30 days' }],
  },
  invoice: { ref: '103001', lines: 2, customer: 'DE123456788' },
  creditNote: { ref: '104001', lines: 1, customer: 'Horn Bau KG' },
};
