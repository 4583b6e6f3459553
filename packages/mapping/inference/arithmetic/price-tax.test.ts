import { expect, test } from 'vitest';
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
