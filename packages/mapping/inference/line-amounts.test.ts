import { describe, expect, test } from 'vitest';
import { header, propose, type Row } from './sample-documents.kit.ts';

describe('one amount beside the quantity', () => {
  const lines = (amountOf: (at: number) => number) => (at: number) =>
    [1, 2, 3].map((product) => ({
      product_id: product,
      quantity: ((at * product) % 5) + 1,
      amount: amountOf(at) * product,
    }));

  test('is a price, where an item has the same whatever its quantity', () => {
    const proposed = propose({ header, lines: lines(() => 10) });
    expect(proposed('lines[].unit_price')).toMatchObject({ from: { column: 'amount' } });
  });

  test('is none, where it grows with the quantity', () => {
    const growing = (at: number) =>
      lines(() => 10)(at).map((row) => ({ ...row, amount: row.amount * row.quantity }));
    expect(propose({ header, lines: growing })('lines[].unit_price')).toBeUndefined();
  });

  test('is what a piece costs, where no column is named for a price', () => {
    const cost = (more: Row) => (at: number) => [
      { product_key: 'P', qty: at, cost: 2.5 + at, ...more },
    ];
    expect(propose({ header, lines: cost({}) })('lines[].unit_price')?.from?.column).toBe('cost');
    const priced = propose({ header, lines: cost({ price: 4 }) })('lines[].unit_price');
    expect(priced?.from?.column).toBe('price');
  });
});
