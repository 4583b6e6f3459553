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

describe('what lines come to before a discount', () => {
  const off = (at: number) => (at % 3 === 0 ? at : 0);
  const headerOf = (discount: (at: number) => number) => (at: number) => {
    const net = at * 40 - off(at);
    return [
      {
        number: `N-${at}`,
        item_total: at * 40,
        discount_total: discount(at),
        tax_total: net * 0.2,
        total: net * 1.2,
      },
    ];
  };
  const lines = (at: number) => [{ quantity: at, unit_price: 40 }];

  test.each([
    ['kept positive', off],
    ['kept negative', (at: number) => -off(at)],
  ])('is no total without tax, though most documents have no discount: %s', (_how, discount) => {
    const proposed = propose({ header: headerOf(discount), lines });
    expect(proposed('totals.net')).toBeUndefined();
    expect(proposed('totals.gross')?.from?.column).toBe('total');
    expect(proposed('totals.tax')?.from?.column).toBe('tax_total');
  });

  test('is one where the further column only says what was paid', () => {
    const header = (at: number) => [
      {
        number: `N-${at}`,
        net_total: at * 40,
        paid_total: off(at),
        tax_total: at * 8,
        total: at * 48,
        amount_due: at * 48 - off(at),
      },
    ];
    expect(propose({ header, lines })('totals.net')?.from?.column).toBe('net_total');
  });
});
