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

test('numbers that may be negative where there is none are keys, and no codes of items', () => {
  const lines = (at: number) => [
    { item_id: at % 5 === 0 ? -99 : 300 + at, item_number: `P-${at}`, quantity: 2, price: 2.5 },
  ];
  expect(propose({ header, lines })('lines[].sku')?.from?.column).toBe('item_number');
});

test('positions, units and levels of prices make no product where amounts have their points', () => {
  const lines = (at: number) =>
    [1, 2, 3].map((line) => ({
      line_number: line,
      units: (at % 3) + 1,
      price_level: line === 2 ? -1 : 1,
      quantity: at + line,
      price: 2.25 + line,
      amount: (at + line) * (2.25 + line),
    }));
  const proposed = propose({ header, lines });
  expect(proposed('lines[].qty')?.from?.column).toBe('quantity');
  expect(proposed('lines[].net')?.from?.column).toBe('amount');
});
