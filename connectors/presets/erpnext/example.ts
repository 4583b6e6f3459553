import type { PresetExample } from '../contract.suite.ts';

const invoice = {
  docstatus: 1,
  customer: 'Gulf Star',
  customer_name: 'Gulf Star LLC',
  company: 'Mill',
  posting_date: '2026-03-02',
  due_date: '2026-04-01',
  currency: 'AED',
  is_return: 0,
  customer_address: 'Gulf Star-Billing',
  modified: '2026-03-02 09:30:00',
};
const line = { idx: 1, item_code: 'P1', item_name: 'Pump', uom: 'Nos' };
const tax = { parenttype: 'Sales Invoice', idx: 1, account_head: 'VAT 5% - M', rate: 5 };

/** An invoice, a draft, a cancelled one and a return; the taxes of a quotation have the same parent's form. */
export const example: PresetExample = {
  rows: {
    'tabSales Invoice': [
      { name: 'ACC-SINV-2026-00001', ...invoice, net_total: 100, grand_total: 105 },
      { name: 'ACC-SINV-2026-00002', ...invoice, docstatus: 0, grand_total: 50 },
      { name: 'ACC-SINV-2026-00003', ...invoice, docstatus: 2, grand_total: 50 },
      { name: 'ACC-SINV-2026-00004', ...invoice, is_return: 1, grand_total: -21 },
    ],
    'tabSales Invoice Item': [
      { name: 'a1', parent: 'ACC-SINV-2026-00001', ...line, qty: 2, rate: 40, amount: 80 },
      { name: 'a2', parent: 'ACC-SINV-2026-00001', ...line, idx: 2, qty: 1, rate: 20, amount: 20 },
      { name: 'a3', parent: 'ACC-SINV-2026-00004', ...line, qty: -1, rate: 20, amount: -20 },
    ],
    'tabSales Taxes and Charges': [
      { name: 't1', parent: 'ACC-SINV-2026-00001', ...tax, tax_amount: 5 },
      { name: 't2', parent: 'ACC-SINV-2026-00001', ...tax, parenttype: 'Quotation', tax_amount: 7 },
    ],
    tabCustomer: [{ name: 'Gulf Star', customer_name: 'Gulf Star LLC', tax_id: '100200300400003' }],
    tabAddress: [{ name: 'Gulf Star-Billing', address_line1: 'Bay Sq 3', city: 'Dubai' }],
  },
  invoice: { ref: 'ACC-SINV-2026-00001', lines: 2, customer: 'Bay Sq 3' },
  creditNote: { ref: 'ACC-SINV-2026-00004', lines: 1, customer: '100200300400003' },
};
