import { expect, test } from 'vitest';
import { documentOf } from './document.ts';

test('what is no text where the page shows one is left out', () => {
  const document = documentOf({
    number: { value: 'R-1', scheme: 'x' },
    currency: ['EUR', 'USD'],
    notes: 'one',
    seller: 'nobody',
    buyer: { name: 'Acme', tax_registrations: { id: { value: 'BE1' }, scheme: 'VAT' } },
    lines: [{ name: 'Beer', qty: 2, tax: { rate: 21 } }, 'no line'],
    tax_totals: [{ amount: '21.00' }],
    totals: { gross: '121.00', due: { amount: '121.00' } },
  });
  expect(document).toEqual({
    number: 'R-1',
    notes: ['one'],
    seller: { tax_registrations: [], address: {} },
    buyer: { name: 'Acme', tax_registrations: [{ id: 'BE1', scheme: 'VAT' }], address: {} },
    lines: [{ name: 'Beer', qty: '2', tax: { rate: '21' } }, { tax: {} }],
    totals: { tax: '21.00', gross: '121.00' },
  });
});
