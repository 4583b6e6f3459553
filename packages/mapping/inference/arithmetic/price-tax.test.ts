import { describe, expect, test } from 'vitest';
import { header, propose } from '../sample-documents.kit.ts';

test('a line that keeps its amount with tax shows that no tax is in the price', () => {
  const lines = (withTax: (at: number) => number) => (at: number) => [
    { quantity: at, unit_price: 10, amount: at * 10, tax_rate: 20, gross_amount: withTax(at) },
  ];
  const sureOf = (withTax: (at: number) => number) =>
    (propose({ header, lines: lines(withTax) })('lines[].unit_price')?.confidence ?? 0) >= 0.8;
  expect(sureOf((at) => at * 12)).toBe(true);
  expect(sureOf((at) => at * 11)).toBe(false);
});

describe('an invoice that keeps its gross total only', () => {
  const headerOf = (at: number) => [
    { number: `N-${at}`, invoice_date: '2026-03-01', order_id: at, amount: at * 12 + 24 },
  ];
  const lines = (at: number) => [
    { quantity: at, price: 12, tax_rate: 20 },
    { quantity: 2, price: 12, tax_rate: 20 },
  ];
  const joins = { header_order: { parent: 'header', parent_column: 'order_id', column: 'id' } };
  const proposed = (net: (at: number) => number) =>
    propose(
      {
        header: headerOf,
        lines,
        header_order: (at) => [{ id: at, order_total: at * 12 + 24, order_total_net: net(at) }],
      },
      joins,
    );

  test('has tax in its prices, where its order has the total without', () => {
    const found = proposed((at) => at * 10 + 20);
    expect(found('lines[].unit_price')?.transforms?.[0]).toMatchObject({
      kind: 'divide',
      by: { column: 'tax_rate' },
    });
    expect(found('totals.net')?.from).toEqual({
      section: 'header_order',
      column: 'order_total_net',
    });
  });

  test('has no total without tax in what its order comes to otherwise', () => {
    const found = proposed((at) => at * 7 + 3);
    expect(found('totals.net')?.from?.section).not.toBe('header_order');
    expect(found('lines[].unit_price')?.confidence).toBeLessThan(0.8);
  });
});
