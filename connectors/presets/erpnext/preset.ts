import type { Preset } from '../contract.ts';

/** ERPNext: a table for each kind of document, whose key is the number that people know. */
export const erpnext: Preset = {
  id: 'erpnext',
  title: 'ERPNext',
  runsOn: ['mysql', 'postgres'],
  source: 'frappe/erpnext: erpnext/accounts/doctype/sales_invoice, sales_invoice_item',
  fingerprint: ['tabSales Invoice', 'tabSales Invoice Item', 'tabCustomer'],
  tables: {
    'tabSales Invoice':
      '*name: text, docstatus: integer, naming_series: text, customer: text, customer_name: text, tax_id: text, company: text, ' +
      'company_tax_id: text, posting_date: date, posting_time: text, due_date: date, currency: text, conversion_rate: decimal, ' +
      'net_total: decimal, total_taxes_and_charges: decimal, grand_total: decimal, rounding_adjustment: decimal, ' +
      'rounded_total: decimal, is_return: integer, return_against: text, is_debit_note: integer, amended_from: text, ' +
      'customer_address: text, po_no: text, status: text, modified: timestamp',
    'tabSales Invoice Item':
      '*name: text, parent: text, idx: integer, item_code: text, item_name: text, description: text, qty: decimal, uom: text, ' +
      'price_list_rate: decimal, rate: decimal, amount: decimal, net_rate: decimal, net_amount: decimal, ' +
      'discount_amount: decimal, item_tax_template: text, item_tax_rate: text',
    'tabSales Taxes and Charges':
      '*name: text, parent: text, parenttype: text, idx: integer, charge_type: text, account_head: text, rate: decimal, ' +
      'tax_amount: decimal, tax_amount_after_discount_amount: decimal, included_in_print_rate: integer',
    tabCustomer: '*name: text, customer_name: text, tax_id: text, email_id: text, mobile_no: text',
    tabAddress:
      '*name: text, address_line1: text, address_line2: text, city: text, state: text, country: text, pincode: text, ' +
      'email_id: text, phone: text',
  },
  versions: [{ version: '13 or later', has: [] }],
  sections: {
    header: {
      table: 'tabSales Invoice',
      key: 'name',
      match: 'name',
      where: { docstatus: '1', is_return: '0' },
    },
    lines: {
      table: 'tabSales Invoice Item',
      key: 'name',
      match: 'parent',
      matchFrom: 'name',
      orderBy: 'idx',
    },
    taxes: {
      table: 'tabSales Taxes and Charges',
      key: 'name',
      match: 'parent',
      matchFrom: 'name',
      orderBy: 'idx',
      where: { parenttype: 'Sales Invoice' },
    },
    customer: { table: 'tabCustomer', key: 'name', match: 'name', matchFrom: 'customer' },
    customer_address: {
      table: 'tabAddress',
      key: 'name',
      match: 'name',
      matchFrom: 'customer_address',
    },
  },
  creditNotes: {
    sections: { header: { where: { is_return: '1' } } },
    note: 'is_return 1, with negative quantities and totals; return_against is the invoice.',
  },
  cancellation:
    'docstatus 2 (0 is a draft). An amended invoice is a new row whose name ends in -1, and amended_from the old one.',
  taxCodes: {
    note:
      'Taxes stand for the document by account (account_head); a line has rates by account as JSON in item_tax_rate. ' +
      'included_in_print_rate tells that prices have tax in them.',
    codes: {},
  },
  changes: { column: 'modified', key: 'name' },
  blindSpots: [
    'modified is in the time zone of the site, without naming it.',
    'Several companies stand in one table (company): add it as a filter.',
    'country of an address is a name, not a code.',
  ],
  writeBack:
    'Custom fields that may be edited after submission, by REST: PUT /api/resource/Sales Invoice/{name}.',
};
