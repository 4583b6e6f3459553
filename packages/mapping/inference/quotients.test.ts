import { describe, expect, test } from 'vitest';
import { header, propose } from './sample-documents.kit.ts';

describe('a numerator beside its denominator', () => {
  const lines = (at: number) => [
    {
      quantity_num: at * 100,
      quantity_denom: 100,
      price_num: at * 125,
      price_denom: 10 ** (at % 3),
    },
  ];

  test('is divided by it, and looked at by a person', () => {
    const qty = propose({ header, lines })('lines[].qty');
    expect(qty?.from?.column).toBe('quantity_num');
    expect(qty?.transforms).toEqual([{ kind: 'divide', by: { column: 'quantity_denom' } }]);
    expect(qty?.confidence).toBeLessThan(0.8);
    expect(propose({ header, lines })('lines[].unit_price')).toMatchObject({
      from: { column: 'price_num' },
      transforms: [{ kind: 'divide', by: { column: 'price_denom' } }],
    });
  });

  test('is a number of its own where none is', () => {
    const alone = (at: number) => [{ quantity: at, unit_price: at * 1.25, item_num: `P-${at}` }];
    expect(propose({ header, lines: alone })('lines[].qty')?.transforms).toBeUndefined();
  });
});
