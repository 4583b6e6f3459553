import { expect, test } from 'vitest';
import { header, propose } from '../sample-documents.kit.ts';

test('a rate that gives more tax than some documents have is not that of their lines', () => {
  const taxed = (at: number) => [
    { number: `N-${at}`, net_total: at * 10, tax_total: at % 2 === 0 ? at * 2 : 0 },
  ];
  const lines = (at: number) => [
    { quantity: at, unit_price: 10, amount: at * 10, tax_percent: 20 },
  ];
  expect(propose({ header: taxed, lines })('lines[].tax.rate')).toBeUndefined();
});

test('a letter that all lines have is no category of tax where they have several rates', () => {
  const lines = (at: number) => [
    { quantity: at, unit_price: 10, tax_type: 'Y', tax_percent: at % 2 === 0 ? 20 : 5 },
  ];
  expect(propose({ header, lines })('lines[].tax.category')?.from?.column).toBe('tax_percent');
});
