import { describe, expect, test } from 'vitest';
import { header, propose } from '../sample-documents.kit.ts';

test('a discount of each piece is taken off as often as there are pieces', () => {
  const priced = (at: number) => [{ number: `N-${at}`, net_total: (at + 1) * (at % 2 ? 8 : 10) }];
  const lines = (at: number) => [
    { quantity: at + 1, unit_price: 10, discount_amount: at % 2 ? 2 : 0 },
  ];
  const field = propose({ header: priced, lines })('lines[].allowances[].amount');
  expect(field?.transforms).toEqual([{ kind: 'multiply', by: { column: 'quantity' } }]);
});

describe('what is left of a quantity or an amount', () => {
  const lines = (at: number) => [{ OpenQty: at % 2, Quantity: at + 1, Price: 2.5, OpenSum: at }];

  test('is none of the line where the whole stands beside it', () => {
    const proposed = propose({ header, lines });
    expect(proposed('lines[].qty')?.from?.column).toBe('Quantity');
    expect(proposed('lines[].net')?.from?.column).not.toBe('OpenSum');
  });

  test('is the quantity of the line where nothing else is', () => {
    const alone = (at: number) => [{ OpenQty: at, unit_price: 2.5 }];
    expect(propose({ header, lines: alone })('lines[].qty')?.from?.column).toBe('OpenQty');
  });
});
