import { expect, test } from 'vitest';
import type { Invoice } from './invoice.ts';
import { type CimObject, groupsOf, textOf } from './json.ts';

test('the typed form has the usual members, and is assignable to the loose form', () => {
  const invoice: Invoice = {
    number: 'INV-1001',
    issue_date: '2026-09-14',
    currency: 'AED',
    seller: { name: 'Al Noor Trading LLC', trn: '100234567801003' },
    buyer: { name: 'Gulf Star Contracting LLC', trn: '100876543201003' },
    lines: [{ sku: 'P-1', qty: 2, unit_price: '10.00', tax: { category: 'S', rate: 5 } }],
    totals: { net: '20.00', tax: '1.00', gross: '21.00' },
  };
  const loose: CimObject = invoice;
  expect(textOf(loose.number)).toBe('INV-1001');
  expect(groupsOf(loose.lines).map((line) => textOf(line.qty))).toEqual(['2']);
});

test('an amount is a string and an indicator a boolean', () => {
  const refused: Invoice = {
    // @ts-expect-error a number is not exact
    totals: { net: 20.1 },
    // @ts-expect-error not an indicator
    tax_included: 'yes',
  };
  // @ts-expect-error no such member
  const misspelt: Invoice = { nmae: 'x' };
  expect([refused, misspelt]).toHaveLength(2);
});
