import type { CimObject } from '@drawbridge/cim/json.ts';

/** Documents that satisfy every rule, one for each VAT category and each kind of document. */

/** VAT categories of the UAE. */
export type Category = 'S' | 'E' | 'Z' | 'O' | 'AE' | 'N';

/** Rates on lines, on allowances and charges, and in the breakdown, where a rule allows one. */
const rates: Readonly<Record<Category, { line?: number; allowance?: number; breakdown?: number }>> =
  {
    S: { line: 5, allowance: 5, breakdown: 5 },
    E: { allowance: 0 },
    Z: { line: 0, allowance: 0, breakdown: 0 },
    O: {},
    AE: { line: 5, allowance: 0, breakdown: 0 },
    N: { line: 5, breakdown: 5 },
  };

const seller: CimObject = {
  endpoint: '1002345678',
  endpoint_scheme: '0235',
  address: { line1: 'Bay Square 7', city: 'Dubai', subdivision: 'DXB', country: 'AE' },
  tax_registrations: [
    { id: '100234567801003', scheme: 'VAT' },
    { id: '1002345678', scheme: 'TIN' },
  ],
  name: 'Al Noor Trading LLC',
  registration_id: 'CN-1183764',
  registration_type: 'TL',
  registration_authority: 'Dubai Economy and Tourism',
};

const buyer: CimObject = {
  endpoint: '1008765432',
  endpoint_scheme: '0235',
  address: { line1: 'Mussafah M-14', city: 'Abu Dhabi', subdivision: 'AUH', country: 'AE' },
  tax_registrations: [{ id: '100876543201003', scheme: 'VAT' }],
  name: 'Gulf Star Contracting LLC',
  registration_id: 'CN-2047716',
  registration_type: 'TL',
  registration_authority: 'Abu Dhabi Department of Economic Development',
};

const head: CimObject = {
  specification_id: 'urn:peppol:pint:billing-1@ae-1',
  business_process: 'urn:peppol:bis:billing',
  transaction_type: '00000000',
  number: 'AN-2026-00418',
  uuid: '0f6bd4a2-2f5f-4b8c-9d1f-6f5c3a3c7b11',
  issue_date: '2026-09-14',
  notes: ['As agreed'],
  currency: 'AED',
  period: { start: '2026-09-01', end: '2026-09-30', code: 'MTH' },
  seller,
  buyer,
  tax_representative: {
    name: 'Fiscal House',
    address: { line1: 'Corniche 1', city: 'Sharjah', subdivision: 'SHJ', country: 'AE' },
    tax_registrations: [{ id: '100555666701003', scheme: 'VAT' }],
  },
  delivery: { terms: [{ incoterms: 'FOB' }] },
  payment_means: [{ code: '30', account: { id: 'AE070331234567890123456' } }],
};

/** An invoice with a line, an allowance and a charge of the category, and a line of category S. */
export function invoiceOf(category: Category): CimObject {
  const two = category === 'S' ? '200.00' : '100.00';
  const standard = { taxable: two, amount: category === 'S' ? '10.00' : '5.00' };
  const tax = standard.amount;
  const own = { taxable: '100.00', amount: '0.00', category, rate: rates[category].breakdown };
  return {
    ...head,
    type_code: '380',
    tax_point_date: '2026-09-13',
    due_date: '2026-10-14',
    allowances_charges: [allowanceCharge(false, category), allowanceCharge(true, category)],
    tax_totals: [
      {
        amount: tax,
        breakdown: [...(category === 'S' ? [] : [own]), { ...standard, category: 'S', rate: 5 }],
      },
    ],
    totals: {
      lines: '200.00',
      net: '200.00',
      gross: category === 'S' ? '210.00' : '205.00',
      allowances: '10.00',
      charges: '10.00',
      due: category === 'S' ? '210.00' : '205.00',
    },
    lines: [line('1', category), line('2', 'S')],
  };
}

/** A document with only one line, of one category. */
function documentOf(category: Category, tax: string, gross: string): CimObject {
  return {
    ...head,
    type_code: '380',
    due_date: '2026-10-14',
    tax_totals: [
      {
        amount: tax,
        breakdown: [{ taxable: '100.00', amount: tax, category, rate: rates[category].breakdown }],
      },
    ],
    totals: { lines: '100.00', net: '100.00', gross, due: gross },
    lines: [line('1', category)],
  };
}

/** An invoice under the margin scheme, where everything is of category N. */
export const marginScheme: CimObject = {
  ...documentOf('N', '0.00', '100.00'),
  transaction_type: '00100000',
};

/** Out of scope of VAT. */
export const outOfScope: CimObject = { ...documentOf('O', '0.00', '100.00'), type_code: '480' };

/** In dollars, with the rate into dirhams and the totals in them. */
export const foreign: CimObject = {
  ...documentOf('S', '5.00', '105.00'),
  currency: 'USD',
  tax_currency: 'AED',
  exchange_rate: { source: 'USD', target: 'AED', rate: '3.6725' },
  documents: [{ id: 'AED', type_code: 'aedtotal-incl-vat', description: '385.61' }],
  tax_totals: [
    { amount: '5.00', breakdown: [{ taxable: '100.00', amount: '5.00', category: 'S', rate: 5 }] },
    { amount: { value: '18.36', currencyID: 'AED' } },
  ],
};

const { due_date: _, ...creditable } = documentOf('S', '5.00', '105.00');

/** A credit note. */
export const creditNote: CimObject = {
  ...creditable,
  type_code: '381',
  credit_reasons: [{ code: 'DL8.61.1.A' }],
  preceding_invoices: [{ number: 'AN-2026-00400' }],
};

function line(id: string, category: Category): CimObject {
  return {
    id,
    qty: { value: '10', unitCode: 'H87' },
    net: '100.00',
    allowances_charges: [
      { is_charge: false, reason: 'Second choice', amount: '2.00' },
      { is_charge: true, reason: 'Packing', amount: '2.00' },
    ],
    description: 'Centrifugal pump 50 m3/h',
    name: 'Pump',
    standard_id: { value: '06291041500213', schemeID: '0160' },
    additional_ids: [{ id: { value: '998719', schemeID: 'SAC' } }],
    classifications: [
      { nature: 'DL8.48.8.1', item_type: 'B', code: { value: '84137000', listID: 'HS' } },
    ],
    tax: {
      category,
      rate: rates[category].line,
      ...(category === 'E' ? { exemption_code: 'DL8.46.1' } : {}),
    },
    unit_price: '10.00',
    base_qty: '1',
    price_allowances: [{ discount: '2.00', gross_price: '12.00' }],
    accounting: {
      amount: '105.00',
      ...(category === 'E'
        ? {}
        : { tax_totals: [{ amount: category === 'S' || category === 'N' ? '5.00' : '0.00' }] }),
    },
  };
}

function allowanceCharge(isCharge: boolean, category: Category): CimObject {
  return {
    is_charge: isCharge,
    reason_code: isCharge ? 'FC' : '95',
    amount: '10.00',
    base: '100.00',
    percent: '10',
    tax: { category, rate: rates[category].allowance },
  };
}
