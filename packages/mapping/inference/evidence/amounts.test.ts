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

test('what a piece costs the seller is no price of it where another column is one', () => {
  const lines = (at: number) => [{ quantity: at, item_cost_price: at, item_unit_price: at * 2 }];
  expect(propose({ header, lines })('lines[].unit_price')?.from?.column).toBe('item_unit_price');
  const alone = (at: number) => [{ quantity: at, cost: at }];
  expect(propose({ header, lines: alone })('lines[].unit_price')?.from?.column).toBe('cost');
});

test('freight is no total of the document where another column is one', () => {
  const totals = (at: number) => [
    { ...header(at)[0], carr_net: 5, carr_tax: 1, invoice_net: at * 10, invoice_tax: at * 2 },
  ];
  const lines = (at: number) => [{ qty: at, price: 10, amount: at * 10 }];
  const proposed = propose({ header: totals, lines });
  expect(proposed('totals.net')?.from?.column).toBe('invoice_net');
  expect(proposed('totals.tax')?.from?.column).toBe('invoice_tax');
});

test('the only quantity of a line is its quantity, whatever was done with it', () => {
  const lines = (at: number) => [{ quantity_purchased: at, unit_price: 2.5 }];
  expect(propose({ header, lines })('lines[].qty')?.confidence).toBeGreaterThanOrEqual(0.75);
  const several = (at: number) => [{ qty_purchased: at, qty_packed: at * 6, unit_price: 2.5 }];
  expect(propose({ header, lines: several })('lines[].qty')?.confidence ?? 0).toBeLessThan(0.75);
});

test('the price with tax is not the one before a discount', () => {
  const lines = (at: number) => [
    { qty: at, price_excl: 10, price_incl: 12, amount: at * 10, rate_of_tax: 20 },
  ];
  const proposed = propose({ header, lines });
  expect(proposed('lines[].unit_price')?.from?.column).toBe('price_excl');
  expect(proposed('lines[].gross_price')).toBeUndefined();
});

test('a total of tax is proposed where no total with tax shows it', () => {
  const totals = (at: number) => [
    { ...header(at)[0], subtotal: (at + 1) * 10, sales_tax_total: at + 1.5 },
  ];
  const lines = (at: number) => [{ qty: at + 1, price: 10, amount: (at + 1) * 10 }];
  const tax = propose({ header: totals, lines })('totals.tax');
  expect(tax?.from?.column).toBe('sales_tax_total');
  expect(tax?.confidence).toBeLessThan(0.8);
});

test('a discount that is written with a sign is taken off as a percentage', () => {
  const lines = (at: number) => [
    {
      qty: at,
      price: 10,
      disc: at % 2 === 0 ? '10%' : '',
      amount: at % 2 === 0 ? at * 9 : at * 10,
      taxrate: '20%',
    },
  ];
  const proposed = propose({ header, lines });
  const split = [{ kind: 'split', separator: '%', part: 1 }];
  expect(proposed('lines[].allowances[].percent')?.transforms).toEqual(split);
  expect(proposed('lines[].tax.rate')?.transforms).toEqual(split);
});
