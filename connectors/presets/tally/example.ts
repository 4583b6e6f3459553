import type { PresetExample } from '../contract.suite.ts';

const voucher = { date: '2026-03-02', party_name: 'Patel Foods', place_of_supply: 'Gujarat' };
const line = { item: 'Pump', rate: 50, amount: 100, quantity: 2 };

/** A company with an invoice, a receipt and a credit note. */
export const example: PresetExample = {
  rows: {
    trn_voucher: [
      { guid: 'v1', voucher_type: 'Sales', voucher_number: 'S-1', ...voucher },
      { guid: 'v2', voucher_type: 'Credit Note', voucher_number: 'C-1', ...voucher },
      { guid: 'v3', voucher_type: 'Receipt', voucher_number: 'R-1', ...voucher },
    ],
    trn_inventory: [
      { guid: 'v1', ...line },
      { guid: 'v2', ...line, quantity: 1, amount: -50 },
    ],
    trn_accounting: [
      { guid: 'v1', ledger: 'Patel Foods', amount: -118 },
      { guid: 'v1', ledger: 'IGST 18%', amount: 18 },
    ],
    mst_ledger: [
      { guid: 'l1', name: 'Patel Foods', mailing_name: 'Patel Foods Ltd', gstn: '24AAACP1234C1Z5' },
      { guid: 'l2', name: 'IGST 18%', tax_rate: 18 },
    ],
    mst_stock_item: [{ guid: 's1', name: 'Pump', uom: 'Nos', gst_hsn_code: '8413' }],
  },
  invoice: { ref: 'S-1', lines: 1, customer: '24AAACP1234C1Z5' },
  creditNote: { ref: 'C-1', lines: 1, customer: 'Patel Foods Ltd' },
};
