import { describe, expect, test } from 'vitest';
import { header, propose, type Row } from './sample-documents.kit.ts';

describe('what is not proposed with confidence', () => {
  const line = { quantity: 2, unit_price: 50, total: 100 };
  const taxed = (at: number) => [
    { number: `N-${at}`, invoice_date: '2026-03-01', net_total: 100, vat_amount: 20, total: 120 },
  ];

  test('a rate that is 0 in all lines of documents with tax', () => {
    const lines = (at: number) => [{ ...line, tax_rate: 0, position: at }];
    expect(propose({ header: taxed, lines })('lines[].tax.rate')).toBeUndefined();
    expect(propose({ header, lines })('lines[].tax.rate')?.from?.column).toBe('tax_rate');
  });

  test.each([
    ['a small number that may be a key as a means of payment', { payment_method: 1 }, false],
    ['a code of the list as a means of payment', { payment_method: 30 }, true],
  ])('%s', (_what, cells, isSure) => {
    const field = propose({ header: (at) => [{ ...header(at)[0]!, ...cells }] });
    const confidence = field('payment_means[].code')?.confidence ?? 0;
    expect(confidence >= 0.8).toBe(isSure);
  });

  test("the document's own reference as that of the buyer", () => {
    const field = propose({ header: (at) => [{ ...header(at)[0]!, reference: `XK${at}` }] });
    expect(field('buyer_reference')?.confidence ?? 0).toBeLessThan(0.8);
  });

  test('the key of an item as its number', () => {
    const lines = (at: number) => [{ ...line, item: 5_000 + at }];
    expect(propose({ header, lines })('lines[].sku')?.confidence ?? 0).toBeLessThan(0.8);
  });
});

describe('what says nothing is not proposed', () => {
  test.each([
    ['exchange_rate.rate', 'a rate of 0', { exchange_rate: 0 }, { exchange_rate: 1.08 }],
    ['payment_means[].code', 'a mark', { payment_method: 1 }, { payment_method: 30 }],
  ])('as %s: %s', (target, _what, cells, others) => {
    const of = (more: Row) => propose({ header: (at) => [{ ...header(at)[0]!, ...more }] })(target);
    expect(of(cells)).toBeUndefined();
    expect(of(others)).toBeDefined();
  });

  test('as the rate of a document: that of its currency, which is the rate of today', () => {
    const rates = (at: number) => [{ code: 'EUR', conversion_rate: 1 + (at % 2) / 10 }];
    const field = propose({ header, header_currency: rates })('exchange_rate.rate');
    expect(field?.confidence ?? 0).toBeLessThan(0.6);
  });

  test('as the street of the seller: the key of an address', () => {
    const joined = (at: number) => [{ ...header(at)[0]!, company_address: 'Pumps-Billing' }];
    const address = () => [{ name: 'Pumps-Billing', address_line_1: 'Kai 9' }];
    const join = { parent: 'header', column: 'name', parent_column: 'company_address' };
    const proposed = propose({ header: joined, seller_address: address }, { seller_address: join });
    expect(proposed('seller.address.line1')?.from?.column).toBe('address_line_1');
  });
});
