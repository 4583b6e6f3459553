import { expect, test } from 'vitest';
import { sentOf, withField, withMeanings } from './mapping-change.ts';
import type { Mapping } from './queries.ts';

const country = { section: 'customer', column: 'CTRY' };
const mapping = {
  fields: [
    { target: 'number', from: { section: 'header', column: 'NO' }, status: 'approved', sample: 7 },
    { target: 'currency', value: 'AED', status: 'proposed', confidence: 0.9, reason: 'So.' },
  ],
  joins: { item: { parent: 'lines', column: 'ID', parent_column: 'ITEM' } },
} as unknown as Mapping;

test('what the API only shows is not sent back', () => {
  const { fields, joins, ...rest } = sentOf(mapping);
  expect(fields[0]).not.toHaveProperty('sample');
  expect([joins, rest]).toEqual([mapping.joins, {}]);
});

test('a field that is changed is a proposal without the evidence of before, in its place', () => {
  const { fields } = withField(mapping, 'number', { value: 'X', transforms: [] });
  expect(fields.map(({ target }) => target)).toEqual(['number', 'currency']);
  expect(fields[0]).toEqual({ target: 'number', value: 'X', status: 'proposed' });
  const changed = withField(mapping, 'currency', { from: country }).fields[1];
  expect(changed).toEqual({ target: 'currency', from: country, status: 'proposed' });
});

test('a field is added, and taken out', () => {
  const added = withField(mapping, 'buyer.address.country', { from: country });
  expect(added.fields).toHaveLength(3);
  expect(withField(mapping, 'currency', undefined).fields).toHaveLength(1);
});

const field = { target: 'c', from: country, status: 'proposed' } as const;

test.each([
  [
    'to a field without a map, other values stay as they are',
    undefined,
    [{ kind: 'map', unmapped: 'keep', values: { UAE: 'AE' } }],
  ],
  [
    'to a map, beside what it says',
    [{ kind: 'trim' }, { kind: 'map', list: 'countries', values: { X: 'BE' } }],
    [{ kind: 'trim' }, { kind: 'map', list: 'countries', values: { X: 'BE', UAE: 'AE' } }],
  ],
] as const)('meanings are added %s', (_, transforms, expected) => {
  const made = withMeanings({ ...field, transforms: transforms as never }, { UAE: 'AE' });
  expect(made).toEqual({ from: country, transforms: expected });
});
