import type { Preset } from '../contract.ts';

/** Odoo: one table for all journal entries; names of taxes and units are JSON by language from 16 on. */
export const odoo: Preset = {
  id: 'odoo',
  title: 'Odoo',
  runsOn: ['postgres'],
  source: 'odoo/odoo: addons/account/models/account_move.py, account_move_line.py',
  fingerprint: ['account_move', 'account_move_line', 'res_partner'],
  tables: {
    account_move:
      '*id: integer, name: text, ref: text, move_type: text, state: text, invoice_date: date, invoice_date_due: date, ' +
      'date: date, partner_id: integer, commercial_partner_id: integer, company_id: integer, currency_id: integer, ' +
      'journal_id: integer, amount_untaxed: decimal, amount_tax: decimal, amount_total: decimal, amount_residual: decimal, ' +
      'payment_reference: text, reversed_entry_id: integer, create_date: timestamp, write_date: timestamp',
    account_move_line:
      '*id: integer, move_id: integer, sequence: integer, product_id: integer, name: text, quantity: decimal, ' +
      'price_unit: decimal, discount: decimal, price_subtotal: decimal, price_total: decimal, display_type: text, ' +
      'tax_line_id: integer, product_uom_id: integer, deductible_amount: decimal',
    account_move_line_account_tax_rel: '*account_move_line_id: integer, *account_tax_id: integer',
    account_tax:
      '*id: integer, name: text, amount: decimal, amount_type: text, price_include: boolean',
    res_partner:
      '*id: integer, name: text, vat: text, company_registry: text, street: text, street2: text, city: text, zip: text, ' +
      'country_id: integer, state_id: integer, email: text, phone: text',
    res_country: '*id: integer, code: text',
    res_currency: '*id: integer, name: text',
    product_product: '*id: integer, default_code: text',
    uom_uom: '*id: integer, name: text',
  },
  versions: [
    { version: '18', has: ['account_move_line.deductible_amount'] },
    { version: '16 or 17', has: [] },
  ],
  sections: {
    header: {
      table: 'account_move',
      key: 'id',
      match: 'name',
      where: { move_type: 'out_invoice', state: 'posted' },
    },
    lines: {
      table: 'account_move_line',
      key: 'id',
      match: 'move_id',
      matchFrom: 'id',
      orderBy: 'sequence',
      where: { display_type: 'product' },
    },
    customer: { table: 'res_partner', key: 'id', match: 'id', matchFrom: 'partner_id' },
    currency: { table: 'res_currency', key: 'id', match: 'id', matchFrom: 'currency_id' },
    customer_country: {
      table: 'res_country',
      key: 'id',
      match: 'id',
      matchFrom: 'country_id',
      of: 'customer',
    },
    item: {
      table: 'product_product',
      key: 'id',
      match: 'id',
      matchFrom: 'product_id',
      of: 'lines',
    },
    lines_unit: {
      table: 'uom_uom',
      key: 'id',
      match: 'id',
      matchFrom: 'product_uom_id',
      of: 'lines',
    },
    lines_taxes: {
      table: 'account_move_line_account_tax_rel',
      key: 'account_tax_id',
      match: 'account_move_line_id',
      matchFrom: 'id',
      of: 'lines',
    },
    lines_tax: {
      table: 'account_tax',
      key: 'id',
      match: 'id',
      matchFrom: 'account_tax_id',
      of: 'lines_taxes',
    },
  },
  creditNotes: {
    sections: { header: { where: { move_type: 'out_refund' } } },
    note: 'move_type out_refund, with positive amounts; reversed_entry_id is the invoice.',
  },
  cancellation: 'state cancel; drafts have state draft and no number. Only posted ones are read.',
  taxCodes: {
    note: 'A line has its taxes by a table of pairs; amount is the rate in percent where amount_type is percent.',
    codes: {},
  },
  changes: { column: 'write_date', key: 'id' },
  blindSpots: [
    'write_date is when the transaction began: what is committed late is found by reconciliation.',
    'A change of a line moves write_date of the line, and of the entry only when its totals change.',
    'Names of units and taxes are JSON by language: {"en_US": "Units"}.',
    'Several companies stand in one table (company_id): add it as a filter.',
    'Before 16 lines are told by exclude_from_invoice_tab = false, and this preset says what differs.',
  ],
  writeBack:
    'Fields of account_move by JSON-RPC only: SQL passes by computed fields and the log of changes.',
};
