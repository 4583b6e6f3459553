import type { CimObject } from '@drawbridge/cim/json.ts';

const seller: CimObject = {
  name: 'Al Noor Trading LLC',
  trn: '100234567801003',
  registration_id: 'CN-1183764',
  registration_type: 'TL',
  registration_authority: 'Dubai Economy and Tourism',
  address: {
    line1: 'Office 1204, Bay Square 7',
    line2: 'Business Bay',
    city: 'Dubai',
    subdivision: 'DXB',
    country: 'AE',
  },
  contact: { name: 'Accounts receivable', phone: '+97144123456', email: 'ar@alnoor.example' },
};

const buyer: CimObject = {
  name: 'Gulf Star Contracting LLC',
  trn: '100876543201003',
  registration_id: 'CN-2047716',
  registration_type: 'TL',
  registration_authority: 'Abu Dhabi Department of Economic Development',
  address: { line1: 'Mussafah M-14', city: 'Abu Dhabi', subdivision: 'AUH', country: 'AE' },
};

/** A tax invoice as an ERP gives it: without the values that PINT-AE fixes or computes. */
export const invoice: CimObject = {
  number: 'AN-2026-00418',
  issue_date: '2026-09-14',
  due_date: '2026-10-14',
  currency: 'AED',
  seller,
  buyer,
  payment_means: [{ code: '30', account: { id: 'AE070331234567890123456' } }],
  lines: [
    {
      sku: 'PUMP-50',
      description: 'Centrifugal pump 50 m3/h',
      qty: 4,
      unit: 'H87',
      unit_price: '1250.00',
      allowances: [{ percent: 10, reason: 'Project discount' }],
      tax: { category: 'S', rate: 5 },
    },
    {
      sku: 'SVC-COMM',
      description: 'Commissioning on site, hours',
      qty: 12.5,
      unit: 'HUR',
      unit_price: '180.335',
      tax: { category: 'S', rate: 5 },
    },
  ],
};

/** An export in US dollars: zero-rated, with the rate into dirhams. */
export const exportInvoice: CimObject = {
  ...invoice,
  number: 'AN-2026-00419',
  currency: 'USD',
  transaction_type: '00000001',
  exchange_rate: { rate: '3.6725' },
  buyer: {
    name: 'Harbour Pumps Ltd',
    registration_id: '0443210',
    registration_type: 'TL',
    registration_authority: 'Companies House',
    address: { line1: '4 Quay Street', city: 'Bristol', subdivision: 'Avon', country: 'GB' },
  },
  delivery: {
    address: { line1: '4 Quay Street', city: 'Bristol', subdivision: 'Avon', country: 'GB' },
  },
  lines: [
    {
      sku: 'PUMP-50',
      description: 'Centrifugal pump 50 m3/h',
      qty: 3,
      unit: 'H87',
      unit_price: '412.49',
      tax: { category: 'Z', rate: 0 },
    },
  ],
};

/** A credit note for part of the first invoice. */
export const creditNote: CimObject = {
  number: 'AN-2026-CN-0031',
  issue_date: '2026-09-20',
  type_code: '381',
  currency: 'AED',
  credit_reasons: [{ code: 'DL8.61.1.C' }],
  preceding_invoices: [{ number: 'AN-2026-00418', issue_date: '2026-09-14' }],
  seller,
  buyer,
  lines: [
    {
      sku: 'PUMP-50',
      description: 'Centrifugal pump 50 m3/h, returned',
      qty: 1,
      unit: 'H87',
      unit_price: '1125.00',
      tax: { category: 'S', rate: 5 },
    },
  ],
};
