import { describe, expect, test } from 'vitest';
import { documentCount, header, propose } from './sample-documents.kit.ts';

describe('codes of tax', () => {
  const taxed = (rateOf: (at: number) => number) => (at: number) => [
    {
      quantity: at,
      price: 10,
      total: at * 10,
      tax_amount: (at * rateOf(at)) / 10,
      item_id: at % 2,
    },
  ];
  const item = (at: number) => [
    { item_no: at % 2, tax_class: at % 2 === 0 ? 'BOOK' : 'GOODS', name: 'Pump' },
  ];
  const joins = { item: { parent: 'lines', column: 'item_no', parent_column: 'item_id' } };

  test('mean what the tax of their lines shows', () => {
    const proposed = propose({ header, lines: taxed((at) => (at % 2) * 5), item }, joins);
    const category = proposed('lines[].tax.category');
    expect(category).toMatchObject({
      from: { section: 'item', column: 'tax_class' },
      transforms: [{ kind: 'map', values: { BOOK: 'Z', GOODS: 'S' } }],
    });
    expect(category!.confidence).toBeLessThan(0.8);
  });

  test('mean nothing where lines with the same code have several rates', () => {
    const proposed = propose({ header, lines: taxed((at) => at % 3), item }, joins);
    expect(proposed('lines[].tax.category')).toBeUndefined();
  });

  test('may be a mark, which a person confirms', () => {
    const lines = (at: number) => [{ description: 'Pump', taxable_flag: at % 2 === 0 ? 'Y' : 'N' }];
    const category = propose({ header, lines })('lines[].tax.category');
    expect(category?.transforms).toEqual([{ kind: 'map', values: { Y: 'S', N: 'Z' } }]);
    expect(category!.confidence).toBeLessThan(0.8);
  });

  test('are few: a column of many numbers called "tax" has amounts', () => {
    const lines = (at: number) => [{ description: 'Pump', quantity: at, price: 2, tax: at + 0.25 }];
    const many = (at: number) => [...lines(at), ...lines(at + documentCount)];
    expect(propose({ header, lines: many })('lines[].tax.rate')).toBeUndefined();
  });
});
