import type { CimObject } from '@drawbridge/cim/json.ts';

/**
 * A Belgian invoice as an ERP gives it: without the values that the profile fixes or computes.
 */
export const invoice: CimObject = {
  number: '2026/00871',
  issue_date: '2026-03-02',
  due_date: '2026-04-01',
  currency: 'EUR',
  buyer_reference: 'PO 4500123',
  seller: {
    name: 'Brouwerij De Sluis BV',
    trn: 'BE0403019261',
    registration_id: '0403019261',
    registration_scheme: '0208',
    endpoint: '0403019261',
    endpoint_scheme: '0208',
    address: { line1: 'Vaartdijk 12', city: 'Mechelen', post_code: '2800', country: 'BE' },
  },
  buyer: {
    name: 'Horeca Groothandel Noord NV',
    trn: 'BE0884303369',
    registration_id: '0884303369',
    registration_scheme: '0208',
    endpoint: '0884303369',
    endpoint_scheme: '0208',
    address: { line1: 'Havenlaan 86', city: 'Brussel', post_code: '1000', country: 'BE' },
  },
  payment_means: [{ code: '30', account: { id: 'BE71096123456769' } }],
  payment_terms: [{ note: '30 days net' }],
  allowances: [{ percent: '2.5', reason: 'Loyalty', tax: { category: 'S', rate: 21 } }],
  lines: [
    {
      sku: 'TRIPEL-24',
      name: 'Tripel, crate of 24',
      qty: 30,
      unit: 'XCR',
      unit_price: '38.15',
      tax: { category: 'S', rate: 21 },
    },
    {
      sku: 'GLASS',
      name: 'Glasses',
      qty: 144,
      unit: 'H87',
      unit_price: '21.00',
      base_qty: 12,
      tax: { category: 'S', rate: 21 },
    },
    { sku: 'DEP', name: 'Deposit', qty: 30, unit_price: '2.10', tax: { category: 'E' } },
  ],
  tax_breakdown: [
    { category: 'S', rate: 21 },
    { category: 'E', exemption: 'Deposit on reusable packaging' },
  ],
};

/** A credit note for the same sale. */
export const creditNote: CimObject = {
  ...invoice,
  number: '2026/C0012',
  due_date: null,
  type_code: '381',
  preceding_invoices: [{ number: '2026/00871', issue_date: '2026-03-02' }],
};
