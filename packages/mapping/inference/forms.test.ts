import { describe, expect, test } from 'vitest';
import { propose } from './sample-documents.kit.ts';

describe('a number of a taxpayer in the document', () => {
  const customer = (at: number) => [{ name: `Firm ${at}` }];
  const numbered = (of: (at: number) => string) => (at: number) => [
    { number: `N-${at}`, invoice_date: '2026-03-01', cnumber: of(at) },
  ];
  const sellerOf = (of: (at: number) => string) =>
    propose({ header: numbered(of), customer })('seller.trn')?.from?.column;

  test('is that of the seller, where it is the same whoever buys', () => {
    expect(sellerOf(() => 'DE811111111')).toBe('cnumber');
  });

  test('is another one, where it differs', () => {
    expect(sellerOf((at) => `DE81111111${at % 10}`)).toBeUndefined();
  });
});
