import { expect, test } from 'vitest';
import { propose } from '../sample-documents.kit.ts';

test('a currency that differs between documents is theirs, one that is the same in all that of the books', () => {
  const kept = (at: number) => [
    { number: `N-${at}`, currency_code: 'EUR', order_currency: at % 3 === 0 ? 'USD' : 'EUR' },
  ];
  const field = propose({ header: kept })('currency');
  expect(field?.from?.column).toBe('order_currency');
});

test('a rate of exchange for a hundred units is divided', () => {
  const rated = (at: number) => [
    { number: `N-${at}`, exchange_rate: at % 3 === 0 ? '92.5' : '100' },
  ];
  expect(propose({ header: rated })('exchange_rate.rate')?.transforms).toEqual([
    { kind: 'divide', by: { value: '100' } },
  ]);
});

test.each([
  ['€', { '€': 'EUR' }, 0.8, 1],
  ['$', { $: 'USD' }, 0.5, 0.79],
])(
  'the sign %s is read as its code, and looked at where several currencies have it',
  (sign, values, min, max) => {
    const signed = (at: number) => [{ number: `N-${at}`, currency: sign }];
    const field = propose({ header: signed })('currency');
    expect(field?.transforms).toEqual([{ kind: 'map', values, unmapped: 'keep' }]);
    expect(field?.confidence).toBeGreaterThanOrEqual(min);
    expect(field?.confidence).toBeLessThanOrEqual(max);
  },
);
