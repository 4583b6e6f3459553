import { type CimObject, without } from '@drawbridge/cim/json.ts';

const seller: CimObject = {
  name: 'Setia Jaya Supplies Sdn Bhd',
  tin: 'C2584563222',
  trn: 'W10-1808-32000059',
  registration_id: '202001234567',
  industry_code: '46510',
  industry_name: 'Wholesale of computer hardware, software and peripherals',
  endpoint: 'C2584563222',
  address: {
    line1: 'Lot 66, Bangunan Merdeka',
    line2: 'Persiaran Jaya',
    city: 'Kuala Lumpur',
    post_code: '50480',
    subdivision: 'Wilayah Persekutuan Kuala Lumpur',
    country: 'MY',
  },
  contact: { phone: '+60 3-2031 4455', email: 'billing@setiajaya.example' },
};

const buyer: CimObject = {
  name: 'Hebat Group Berhad',
  trn: 'C2584563200',
  registration_id: '201901000005',
  endpoint: 'C2584563200',
  address: {
    line1: '18 Jalan Excellent',
    city: 'Petaling Jaya',
    post_code: '47500',
    subdivision: 'Selangor',
    country: 'MY',
  },
  contact: { phone: '03-7955 1234' },
};

/** A tax invoice as an ERP gives it: without the values that PINT-MY fixes or computes. */
export const invoice: CimObject = {
  number: 'SJ-2026-1187',
  issue_date: '2026-11-20',
  issue_time: '14:05:00+08:00',
  due_date: '2026-12-20',
  currency: 'MYR',
  seller,
  buyer,
  payment_means: [{ code: '30', account: { id: '514019459999' } }],
  payment_terms: [{ note: 'Net 30 days' }],
  lines: [
    {
      sku: 'LAP-14',
      description: 'Laptop 14 inch',
      qty: 5,
      unit: 'H87',
      unit_price: '3199.90',
      allowances: [{ percent: 5, reason: 'Volume discount' }],
      classifications: [{ code: '022' }],
      tax: { category: 'SA', rate: 10 },
    },
    {
      sku: 'INST',
      description: 'Installation and set-up',
      qty: 7.5,
      unit: 'HUR',
      unit_price: '120.00',
      classifications: [{ code: '022' }],
      tax: { category: 'SE', rate: 8 },
    },
  ],
};

/** An invoice in US dollars with the rate into ringgit. */
export const foreignInvoice: CimObject = {
  ...invoice,
  number: 'SJ-2026-1188',
  currency: 'USD',
  exchange_rate: { rate: '4.2150' },
};

/** A credit note; `uin` is LHDN's identifier of the invoice it corrects. */
export const creditNote: CimObject = {
  ...invoice,
  number: 'SJ-2026-CN-044',
  due_date: null,
  type_code: '381',
  preceding_invoices: [
    { number: 'SJ-2026-1187', uin: 'F9D425P6DS7D8IU0A1B2C3D4E5', issue_date: '2026-11-20' },
  ],
};

/**
 * A hotel bill: service tax by rate, tourism tax by night; the TIN is where PINT-MY requires it
 * then.
 */
export const hotelInvoice: CimObject = {
  ...invoice,
  number: 'SJ-2026-1189',
  seller: {
    ...without(seller, 'tin'),
    identifiers: [{ id: 'C2584563222' }],
    tax_registrations: [{ id: '123-4567-89012345', scheme: 'AAL' }],
  },
  lines: [
    {
      description: 'Room, two nights',
      qty: 2,
      unit: 'DAY',
      unit_price: '100.00',
      classifications: [{ code: '022' }],
      tax: [{ category: 'SE', rate: 8 }, { category: 'TTX' }],
      tax_totals: [
        {
          amount: '20.00',
          breakdown: [{ category: 'TTX', taxable: '200.00', amount: '20.00', per_unit: '10.00' }],
        },
      ],
    },
  ],
};
