import { expect, test } from 'vitest';
import { header, propose } from './sample-documents.kit.ts';

test('a day that means none is no date of the document', () => {
  const dated = (at: number) => [
    { number: `N-${at}`, document_date: '1900-01-01', invoice_date: `2026-03-${at + 10}` },
  ];
  expect(propose({ header: dated })('issue_date')?.from?.column).toBe('invoice_date');
});

test('the address of whoever pays is that of the buyer, and that of the delivery is none', () => {
  const paid = (at: number) => [
    {
      number: `N-${at}`,
      payment_company: `Firm ${at} Ltd`,
      payment_address_1: `Road ${at}`,
      payment_city: 'Berlin',
      payment_postcode: `1011${at % 10}`,
      payment_country: 'Germany',
      shipping_city: 'Bonn',
    },
  ];
  const proposed = propose({ header: paid });
  expect(proposed('buyer.address.city')?.from?.column).toBe('payment_city');
  expect(proposed('buyer.name')?.from?.column).toBe('payment_company');
});

test('what each column of a line is called after says nothing of it', () => {
  const lines = (at: number) => [{ fQuantity: at, product_unit_price: 2.5, i_discount: at % 2 }];
  const proposed = propose({ header, lines });
  expect(proposed('lines[].qty')?.from?.column).toBe('fQuantity');
  expect(proposed('lines[].unit_price')?.from?.column).toBe('product_unit_price');
  expect(proposed('lines[].allowances[].percent')?.from?.column).toBe('i_discount');
});
