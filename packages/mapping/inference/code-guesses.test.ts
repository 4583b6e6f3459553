import { expect, test } from 'vitest';
import { header, propose } from './sample-documents.kit.ts';

test('words in the names of taxes say their category', () => {
  const lines = (at: number) => [
    { quantity: 1, unit_price: 5, tax_code: at % 2 === 0 ? 'XX VAT STD' : 'XX VAT ZERO' },
  ];
  const field = propose({ header, lines })('lines[].tax.category');
  expect(field?.transforms?.[0]).toMatchObject({
    kind: 'map',
    values: { 'XX VAT STD': 'S', 'XX VAT ZERO': 'Z' },
  });
});

test('emirates become their codes, other places stay', () => {
  const places = ['Dubai', 'Abu Dhabi', 'Bavaria'];
  const customer = (at: number) => [
    { name: `Firm ${at}`, city: 'Town', emirate: places[at % 3]!, country: 'AE' },
  ];
  expect(propose({ header, customer })('buyer.address.subdivision')?.transforms).toEqual([
    { kind: 'map', values: { Dubai: 'DXB', 'Abu Dhabi': 'AUH' }, unmapped: 'keep' },
  ]);
});
