import { describe, expect, test } from 'vitest';
import { header, propose } from '../sample-documents.kit.ts';

describe('a discount beside an amount that is quantity × price', () => {
  const lines = (off: (at: number) => number) => (at: number) => [
    {
      quantity: at + 1,
      unit_price: 10,
      ext_price: (at + 1) * 10,
      discount_percent: at % 2 === 0 ? 10 : 0,
      discount: at % 2 === 0 ? off(at) : 0,
    },
  ];
  const percentOf = (off: (at: number) => number) =>
    propose({ header, lines: lines(off) })('lines[].allowances[].percent');

  test('is still to be taken off, where it is a share of that amount', () => {
    expect(percentOf((at) => at + 1)).toMatchObject({ from: { column: 'discount_percent' } });
  });

  test('was taken off before, where it is not', () => {
    expect(percentOf((at) => (at + 1) * 1.25)).toBeUndefined();
  });
});

test('factors of 1 prove no product', () => {
  const lines = (at: number) => [
    { billed: at, price: 2.5 + at, qty_ratio: 1, price_ratio: 1, category_id: 1 },
  ];
  const proposed = propose({ header, lines });
  expect(proposed('lines[].qty')?.from?.column).toBe('billed');
  expect(proposed('lines[].unit_price')?.from?.column).toBe('price');
  expect(proposed('lines[].net')).toBeUndefined();
});

test('the amount of a line is the one that, with its tax, makes its total', () => {
  const lines = (at: number) => [
    {
      qty: at,
      rate: 10,
      amt: at * 10,
      disc: at % 2,
      taxable_amt: at * 10 - (at % 2),
      vat_amt: (at * 10 - (at % 2)) * 0.05,
      total: (at * 10 - (at % 2)) * 1.05,
    },
  ];
  expect(propose({ header, lines })('lines[].net')?.from?.column).toBe('taxable_amt');
});

test('quantities and amounts with three decimals are as large as they are written', () => {
  const lines = (at: number) => [
    { qty: `${at}.500`, price: `${at + 1}.250`, net: ((at + 0.5) * (at + 1.25)).toFixed(3) },
  ];
  const proposed = propose({ header, lines });
  expect(proposed('lines[].net')?.reason).toContain('quantity × price');
  expect(proposed('lines[].qty')?.transforms).toBeUndefined();
});

test('lines come to the total that tax is added to, and not to what there was before a discount', () => {
  const off = (at: number) => (at % 3 === 0 ? 0.9 : 1);
  const sum = (at: number) => (at + 1) * 20;
  const priced = (at: number) => [
    {
      ...header(at)[0],
      sum_amt: sum(at),
      subtotal_amount: sum(at) * off(at),
      tax_amount: sum(at) * off(at) * 0.2,
      total_amount: sum(at) * off(at) * 1.2,
    },
  ];
  const lines = (at: number) => [
    {
      qty: at + 1,
      list_price: 20,
      selling_unit_price: 20 * off(at),
      line_total: sum(at) * off(at),
    },
  ];
  const price = propose({ header: priced, lines })('lines[].unit_price');
  expect(price?.from?.column).toBe('selling_unit_price');
});

test('what was delivered is what is billed, where it makes more of the amounts than what was ordered', () => {
  const delivered = (at: number) => (at === 3 ? at - 1 : at);
  const lines = (at: number) => [
    {
      qty_ordered: at,
      qty_shipped: delivered(at),
      unit_price: 7.5,
      ext_amount: delivered(at) * 7.5,
    },
  ];
  expect(propose({ header, lines })('lines[].qty')?.from?.column).toBe('qty_shipped');
});

test('a discount is taken off where tax makes the total only of what is left, which no column has', () => {
  const before = (at: number) => at * 40;
  const off = (at: number) => (at % 3 === 0 ? before(at) * 0.1 : 0);
  const headers = (at: number) => [
    {
      ...header(at)[0],
      merchandise_total: before(at),
      discount_total: off(at),
      tax_total: (before(at) - off(at)) * 0.2,
      document_total: (before(at) - off(at)) * 1.2,
    },
  ];
  const lines = (at: number) => [
    { qty: at, unit_price: 40, discount: at % 3 === 0 ? 10 : 0, line_total: before(at) },
  ];
  const proposed = propose({ header: headers, lines });
  expect(proposed('lines[].allowances[].percent')).toMatchObject({
    from: { column: 'discount' },
    reason: expect.stringContaining('The amounts show it.'),
  });
  expect(proposed('lines[].net')).toBeUndefined();
  expect(proposed('totals.net')).toBeUndefined();
});

test('whether a discount is still to be taken off is left to a person where no sum tells', () => {
  const lines = (at: number) => [
    { qty: at, unit_price: 40, discount_percent: at % 3 === 0 ? 10 : 0, amount: at * 40 },
  ];
  const net = propose({ header, lines })('lines[].net');
  expect(net?.confidence).toBeLessThan(0.8);
  expect(net?.reason).toContain('discounts');
});

test.each([
  ['in whole cents', (at: number) => Math.round(at * 1237 * 0.23), true],
  ['in whole money', (at: number) => Math.round(at * 12.37) * 100, false],
])('taxes of lines tell whether amounts are %s', (_what, tax, areCents) => {
  const lines = (at: number) => [
    { qty: at, unit_price: 1237, subtotal: at * 1237, tax_total: tax(at) },
  ];
  const headers = (at: number) => [
    { ...header(at)[0], currency: 'EUR', total: at * 1237 + tax(at) },
  ];
  const price = propose({ header: headers, lines })('lines[].unit_price');
  expect(JSON.stringify(price?.transforms ?? []).includes('100')).toBe(areCents);
});

describe('an amount that is quantity × price, and makes the total with tax only less a discount', () => {
  const off = (at: number) => (at % 2 === 0 ? at : 0);
  const linesOf = (discount: (at: number) => number) => (at: number) => [
    {
      quantity: at + 1,
      unit_price: 30,
      sub_total: (at + 1) * 30,
      discount_total: discount(at),
      tax_total: ((at + 1) * 30 - off(at)) * 0.2,
      total: ((at + 1) * 30 - off(at)) * 1.2,
    },
  ];

  test.each([
    ['kept positive', off, undefined],
    ['kept negative', (at: number) => -off(at), [{ kind: 'negate' }]],
  ])('is no net amount: %s', (_how, discount, transforms) => {
    const proposed = propose({ header, lines: linesOf(discount) });
    expect(proposed('lines[].net')).toBeUndefined();
    expect(proposed('lines[].allowances[].amount')?.from?.column).toBe('discount_total');
    expect(proposed('lines[].allowances[].amount')?.transforms).toEqual(transforms);
  });
});
