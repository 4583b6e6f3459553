import { describe, expect, test } from 'vitest';
import { propose } from './sample-documents.kit.ts';

describe('lines that keep an amount and no price', () => {
  const total = (at: number) => at * 30 + 40;
  const priced = (at: number) => [
    { number: `N-${at}`, invoice_date: '2026-03-01', tax: at, total: total(at) + at },
  ];

  test('have a price by their quantity, where the amounts come to the total without tax', () => {
    const lines = (at: number) => [
      { product_qty: at, net_revenue: at * 30, weight: 7 },
      { product_qty: 2, net_revenue: 40, weight: 9 },
    ];
    const field = propose({ header: priced, lines })('lines[].unit_price');
    expect(field?.from?.column).toBe('net_revenue');
    expect(field?.transforms?.[0]).toEqual({ kind: 'divide', by: { column: 'product_qty' } });
    expect(field?.confidence).toBeLessThan(0.8);
  });

  test('have one beside a list price that does not make the amounts', () => {
    const lines = (at: number) => [
      { product_qty: at, full_price: 33, credit_amount: at * 30, taxable: 1 + (at % 2) },
      { product_qty: 2, full_price: 25, credit_amount: 40, taxable: 2 },
    ];
    const field = propose({ header: priced, lines });
    expect(field('lines[].unit_price')?.from?.column).toBe('credit_amount');
    expect(field('lines[].net')).toBeUndefined();
  });

  test('are of one each, where no quantity is kept', () => {
    const lines = (at: number) => [
      { description: 'Hosting of a year', sum: at * 30 },
      { description: 'Setting it up', sum: 40 },
    ];
    const field = propose({ header: priced, lines });
    expect(field('lines[].unit_price')?.from?.column).toBe('sum');
    expect(field('lines[].qty')?.value).toBe('1');
  });

  test('have none, where the amounts come to nothing', () => {
    const lines = (at: number) => [
      { product_qty: at, net_revenue: at * 31 },
      { product_qty: 2, net_revenue: 47 },
    ];
    expect(propose({ header: priced, lines })('lines[].unit_price')).toBeUndefined();
  });
});
