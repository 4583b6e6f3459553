import { expect, test } from 'vitest';
import { header, propose } from '../sample-documents.kit.ts';

test('a text that repeats the number of its document is no name of a line', () => {
  const lines = (at: number) => [
    { name: `N-${at} Pump`, product_name: `Pump ${at}`, quantity: at },
  ];
  expect(propose({ header, lines })('lines[].name')?.from?.column).toBe('product_name');
});

test('a copy of the number of the document is no reference of the buyer', () => {
  const referred = (of: (at: number) => string) => (at: number) => [
    { number: `N-${at}`, invoice_date: '2026-03-01', customer_reference: of(at) },
  ];
  const referenceOf = (of: (at: number) => string) =>
    propose({ header: referred(of) })('buyer_reference')?.from?.column;
  expect(referenceOf((at) => `N-${at}`)).toBeUndefined();
  expect(referenceOf((at) => `Mr ${at}`)).toBe('customer_reference');
});

test('the key of rows that counts as the number does is not the number', () => {
  const counted = (at: number) => [
    { id: `N-${at}`, transno: `N-${at}`, invoice_date: '2026-03-01' },
  ];
  expect(propose({ header: counted })('number')?.from?.column).toBe('transno');
});

test('the key of rows is the number where no other column has it', () => {
  const counted = (at: number) => [{ id: `N-${at}`, rank: 1, invoice_date: '2026-03-01' }];
  expect(propose({ header: counted })('number')?.from?.column).toBe('id');
});

test('a person looks at the number where documents are found by what is called an account', () => {
  const counted = (at: number) => [{ acct: `N-${at}`, invoice_date: '2026-03-01' }];
  expect(propose({ header: counted })('number')?.confidence).toBe(0.79);
});
