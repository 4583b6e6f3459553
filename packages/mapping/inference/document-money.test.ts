import { describe, expect, test } from 'vitest';
import { header, propose } from './sample-documents.kit.ts';

describe('amounts in the currency of the books', () => {
  const lines = (twin: string) => (at: number) => [
    { quantity: at, price: 2.5, [twin]: at * 2.5, base_total: at * 2.5 },
  ];

  test('are not those of the document that stand beside them', () => {
    const field = propose({ header, lines: lines('total') })('lines[].net');
    expect(field?.from?.column).toBe('total');
  });

  test('are, where there is nothing beside them', () => {
    const field = propose({ header, lines: lines('remark') })('lines[].net');
    expect(field?.from?.column).toBe('base_total');
  });
});

describe('amounts in the currency of the document', () => {
  const lines = (doc: (at: number) => number) => (at: number) => [
    { quantity: at, UnitPrice: at * 2 + 0.5, DocUnitPrice: doc(at) },
  ];

  test('are named for it', () => {
    const field = propose({ header, lines: lines((at) => at + 0.25) })('lines[].unit_price');
    expect(field?.from?.column).toBe('DocUnitPrice');
  });

  test('stand elsewhere, where those are mostly empty', () => {
    const field = propose({ header, lines: lines((at) => (at > 9 ? at : 0)) })(
      'lines[].unit_price',
    );
    expect(field?.from?.column).toBe('UnitPrice');
  });
});

describe('an amount that a document has twice', () => {
  const lines = (twin: string) => (at: number) => [
    { quantity: at, unit_price: 2.5, [twin]: at % 3 === 0 ? 2.7 : 2.5 },
  ];

  test.each([
    ['multicurrency_unit_price', 'multicurrency_unit_price'],
    ['unit_price_fc', 'unit_price_fc'],
    ['unit_price_usd', 'unit_price'],
    ['unit_price_lcy', 'unit_price'],
  ])('is told by its name: beside %s it is %s', (twin, column) => {
    expect(propose({ header, lines: lines(twin) })('lines[].unit_price')?.from?.column).toBe(
      column,
    );
  });

  const rated = (at: number) => [
    {
      number: `N-${at}`,
      invoice_date: '2026-03-01',
      exchange_rate: at % 3 === 0 ? 1.08 : 1,
    },
  ];
  const kept = (other: (at: number) => number) => (at: number) => [
    { quantity: at, unit_price: 2.5, total: at * 2.5, second: other(at) },
  ];
  const sureOf = (other: (at: number) => number) =>
    (propose({ header: rated, lines: kept(other) })('lines[].net')?.confidence ?? 0) >= 0.8;

  test('is looked at by a person, where only the rate shows that it is', () => {
    expect(sureOf((at) => at * 2.5 * (at % 3 === 0 ? 1.08 : 1))).toBe(false);
    expect(sureOf((at) => at * 1.25)).toBe(true);
  });

  test('is looked at too, where the other one is filled for foreign currencies only', () => {
    const sparse = (at: number) => [
      { quantity: at, price: 2.5, amount: at * 2.5, amount_fc: at % 3 === 0 ? at * 2.7 : 0 },
    ];
    const field = propose({ header, lines: sparse })('lines[].net');
    expect(field?.from?.column).toBe('amount');
    expect(field?.confidence).toBeLessThan(0.8);
  });
});

describe('amounts of the books', () => {
  const isForeign = (at: number) => at % 3 === 0;
  const header = (at: number) => [
    {
      number: `N-${at}`,
      invoice_date: '2026-03-01',
      currency: isForeign(at) ? 'USD' : 'EUR',
      net_total: isForeign(at) ? at * 9 : at * 10,
    },
  ];
  const lines = (at: number) => [{ quantity: at, unit_price: 10 }];

  test('are told by lines that come to them in one currency only', () => {
    expect(propose({ header, lines })('totals.net')).toBeUndefined();
    expect(propose({ header, lines })('lines[].unit_price')?.from?.column).toBe('unit_price');
  });

  test('are told by those beside them that only documents in other currencies hold', () => {
    const twice = (at: number) => [
      { ...header(at)[0]!, DocTotal: at * 10, DocTotalFC: isForeign(at) ? at * 11 : 0 },
    ];
    expect(propose({ header: twice, lines })('totals.gross')).toBeUndefined();
  });
});
