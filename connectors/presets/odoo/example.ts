import type { PresetExample } from '../contract.suite.ts';

const move = {
  state: 'posted',
  invoice_date: '2026-03-02',
  invoice_date_due: '2026-04-01',
  partner_id: 7,
  currency_id: 1,
  company_id: 1,
  write_date: '2026-03-02 09:30:00',
};
const line = { product_id: 4, quantity: 1, product_uom_id: 1, display_type: 'product' };

/** An invoice with a section title, its tax line, a draft, a bill of a supplier and a refund. */
export const example: PresetExample = {
  rows: {
    account_move: [
      { id: 1, name: 'INV/2026/00001', move_type: 'out_invoice', ...move, amount_total: 120 },
      { id: 2, name: 'RINV/2026/00001', move_type: 'out_refund', ...move, amount_total: 24 },
      { id: 3, name: 'BILL/2026/03/0001', move_type: 'in_invoice', ...move, amount_total: 12 },
      { id: 4, name: '/', move_type: 'out_invoice', ...move, state: 'draft', amount_total: 9 },
    ],
    account_move_line: [
      { id: 1, move_id: 1, sequence: 10, name: 'Pumps', display_type: 'line_section' },
      { id: 2, move_id: 1, sequence: 20, name: 'Pump', price_unit: 100, ...line },
      { id: 3, move_id: 1, sequence: 100, name: '20%', tax_line_id: 5, display_type: 'tax' },
      { id: 4, move_id: 2, sequence: 10, name: 'Pump', price_unit: 20, ...line },
    ],
    account_move_line_account_tax_rel: [
      { account_move_line_id: 2, account_tax_id: 5 },
      { account_move_line_id: 4, account_tax_id: 5 },
    ],
    account_tax: [{ id: 5, name: '{"en_US":"20%"}', amount: 20, amount_type: 'percent' }],
    res_partner: [{ id: 7, name: 'Hafen Logistik GmbH', vat: 'DE123456788', country_id: 57 }],
    res_country: [{ id: 57, code: 'DE' }],
    res_currency: [{ id: 1, name: 'EUR' }],
    product_product: [{ id: 4, default_code: 'P1' }],
    uom_uom: [{ id: 1, name: '{"en_US":"Units"}' }],
  },
  invoice: { ref: 'INV/2026/00001', lines: 1, customer: 'DE123456788' },
  creditNote: { ref: 'RINV/2026/00001', lines: 1, customer: 'Hafen Logistik GmbH' },
};
