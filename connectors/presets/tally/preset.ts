import type { Preset } from '../contract.ts';

/** Tally Prime as tally-database-loader exports it: vouchers of all kinds in one table. */
export const tally: Preset = {
  id: 'tally',
  title: 'Tally Prime, exported',
  runsOn: ['mssql', 'mysql', 'postgres'],
  source: 'dhananjay1405/tally-database-loader: database-structure.sql',
  fingerprint: ['trn_voucher', 'trn_inventory', 'trn_accounting', 'mst_ledger'],
  tables: {
    trn_voucher:
      '*guid: text, date: date, voucher_type: text, voucher_number: text, reference_number: text, narration: text, ' +
      'party_name: text, place_of_supply: text, is_invoice: integer, is_accounting_voucher: integer, ' +
      'is_inventory_voucher: integer, is_order_voucher: integer',
    trn_inventory:
      'guid: text, item: text, quantity: decimal, rate: decimal, amount: decimal, additional_amount: decimal, ' +
      'discount_amount: decimal, godown: text, tracking_number: text, order_number: text, order_duedate: date',
    trn_accounting:
      'guid: text, ledger: text, amount: decimal, amount_forex: decimal, currency: text',
    mst_ledger:
      '*guid: text, name: text, parent: text, mailing_name: text, mailing_address: text, mailing_state: text, ' +
      'mailing_country: text, mailing_pincode: text, email: text, it_pan: text, gstn: text, tax_rate: decimal',
    mst_stock_item:
      '*guid: text, name: text, parent: text, uom: text, gst_hsn_code: text, gst_taxability: text',
  },
  versions: [{ version: '(full export)', has: [] }],
  sections: {
    header: {
      table: 'trn_voucher',
      key: 'guid',
      match: 'voucher_number',
      where: { voucher_type: 'Sales' },
    },
    lines: { table: 'trn_inventory', key: 'item', match: 'guid', matchFrom: 'guid' },
    ledger: { table: 'trn_accounting', key: 'ledger', match: 'guid', matchFrom: 'guid' },
    customer: { table: 'mst_ledger', key: 'guid', match: 'name', matchFrom: 'party_name' },
    item: { table: 'mst_stock_item', key: 'guid', match: 'name', matchFrom: 'item', of: 'lines' },
  },
  creditNotes: {
    sections: { header: { where: { voucher_type: 'Credit Note' } } },
    note: 'voucher_type Credit Note; amounts have the opposite sign of an invoice.',
  },
  cancellation: 'A cancelled voucher is not exported: it goes with the next export.',
  taxCodes: {
    note: 'Taxes are ledgers of the voucher (trn_accounting), such as "CGST 9%"; tax_rate of the ledger is the rate.',
    codes: {},
  },
  blindSpots: [
    'A company names kinds of vouchers as it likes: those whose parent in mst_vouchertype is Sales are invoices too.',
    'There is no time of change, and an export replaces all rows: changes and deletions are found by reconciliation.',
    'The amount of the customer is negative and that of a sale positive.',
  ],
  writeBack: 'None: the export is overwritten. Confirmations go to the side table.',
};
