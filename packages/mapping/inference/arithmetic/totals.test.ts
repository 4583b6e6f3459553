import { describe, expect, test } from 'vitest';
import { propose } from '../sample-documents.kit.ts';

describe('totals with charges', () => {
  const charged = (at: number) => [
    {
      number: `N-${at}`,
      total_products: at * 10,
      total_shipping_tax_excl: 5,
      total_tax_excl: at * 10 + 5,
      total_tax_incl: at * 12 + 6,
    },
  ];
  const lines = (at: number) => [{ quantity: at, unit_price: 10, amount: at * 10 }];

  test('are not what lines come to, nor the tax of the charge', () => {
    const proposed = propose({ header: charged, lines });
    expect(proposed('totals.net')?.from?.column).toBe('total_tax_excl');
    expect(proposed('totals.gross')?.from?.column).toBe('total_tax_incl');
    expect(proposed('totals.tax')).toBeUndefined();
  });
});
