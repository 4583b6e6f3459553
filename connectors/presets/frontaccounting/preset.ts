import type { Preset } from '../contract.ts';

/** FrontAccounting: one table for invoices, credit notes, receipts and deliveries, told apart by `type`. */
export const frontaccounting: Preset = {
  id: 'frontaccounting',
  title: 'FrontAccounting',
  runsOn: ['mysql'],
  source: 'FrontAccountingERP/FA: sql/en_US-new.sql, sql/alter2.4.sql',
  around: { before: /\d+_|/ },
  fingerprint: ['debtor_trans', 'debtor_trans_details', 'debtors_master'],
  tables: {
    debtor_trans:
      '*type: integer, *trans_no: integer, *debtor_no: integer, branch_code: integer, tran_date: date, due_date: date, ' +
      'reference: text, order_: integer, ov_amount: decimal, ov_gst: decimal, ov_freight: decimal, ov_freight_tax: decimal, ' +
      'ov_discount: decimal, alloc: decimal, prep_amount: decimal, rate: decimal, payment_terms: integer, tax_included: integer',
    debtor_trans_details:
      '*id: integer, debtor_trans_no: integer, debtor_trans_type: integer, stock_id: text, description: text, ' +
      'unit_price: decimal, unit_tax: decimal, quantity: decimal, discount_percent: decimal, standard_cost: decimal',
    debtors_master:
      '*debtor_no: integer, name: text, debtor_ref: text, address: text, tax_id: text, curr_code: text, notes: text',
    cust_branch:
      '*branch_code: integer, *debtor_no: integer, br_name: text, br_address: text, br_post_address: text, tax_group_id: integer',
    trans_tax_details:
      '*id: integer, trans_type: integer, trans_no: integer, tax_type_id: integer, rate: decimal, included_in_price: integer, ' +
      'net_amount: decimal, amount: decimal',
    stock_master:
      '*stock_id: text, tax_type_id: integer, description: text, long_description: text, units: text',
    payment_terms: '*terms_indicator: integer, terms: text, days_before_due: integer',
    sales_orders:
      '*order_no: integer, *trans_type: integer, customer_ref: text, comments: text, contact_phone: text, ' +
      'contact_email: text, delivery_date: date',
  },
  versions: [
    { version: '2.4', has: ['debtor_trans.prep_amount', 'debtor_trans.tax_included'] },
    { version: '2.3', has: [] },
  ],
  sections: {
    header: {
      table: 'debtor_trans',
      key: 'trans_no',
      match: 'reference',
      where: { type: '10' },
    },
    lines: {
      table: 'debtor_trans_details',
      key: 'id',
      match: 'debtor_trans_no',
      matchFrom: 'trans_no',
      where: { debtor_trans_type: '10' },
    },
    taxes: {
      table: 'trans_tax_details',
      key: 'id',
      match: 'trans_no',
      matchFrom: 'trans_no',
      where: { trans_type: '10' },
    },
    customer: {
      table: 'debtors_master',
      key: 'debtor_no',
      match: 'debtor_no',
      matchFrom: 'debtor_no',
    },
    customer_branch: {
      table: 'cust_branch',
      key: 'branch_code',
      match: 'branch_code',
      matchFrom: 'branch_code',
    },
    terms: {
      table: 'payment_terms',
      key: 'terms_indicator',
      match: 'terms_indicator',
      matchFrom: 'payment_terms',
    },
    order: {
      table: 'sales_orders',
      key: 'order_no',
      match: 'order_no',
      matchFrom: 'order_',
      where: { trans_type: '30' },
    },
    item: {
      table: 'stock_master',
      key: 'stock_id',
      match: 'stock_id',
      matchFrom: 'stock_id',
      of: 'lines',
    },
  },
  creditNotes: {
    sections: {
      header: { where: { type: '11' } },
      lines: { where: { debtor_trans_type: '11' } },
      taxes: { where: { trans_type: '11' } },
    },
    note: 'type 11, with positive amounts; cust_allocations names the invoice that is credited.',
  },
  cancellation:
    'A voided document keeps its row with amounts of zero, and has one in the table voided; zero is no invoice.',
  taxCodes: {
    note:
      'There are rates (tax_types) and no codes. tax_included tells for each document whether prices have tax in them; ' +
      'discount_percent is a fraction.',
    codes: {},
  },
  blindSpots: [
    'There is no time of change: documents are listed by number, and an edited one is found by reconciliation only.',
    'The company stands in sys_prefs as rows, not as columns.',
  ],
  writeBack:
    'No column is free for it, and upgrades alter the tables: confirmations go to the side table.',
};
