import { expect, test } from 'vitest';
import type { Contact } from '../contacts/queries.ts';
import { contestedBetween } from './values.ts';

const contact: Contact = {
  id: 'con_1',
  name: null,
  phone: null,
  segments: [],
  attributes: {},
  channel_identifiers: [],
  created_at: '2026-01-01T00:00:00Z',
  updated_at: '2026-01-01T00:00:00Z',
};

test('a person chooses where both say something, and not the same', () => {
  const own = { ...contact, name: 'Mei', phone: '+601', attributes: { a: 1, b: 'x', c: 'own' } };
  const other = { ...contact, name: 'Ling', attributes: { a: 2, b: 'x', d: 'other' } };
  expect(contestedBetween(own, other)).toEqual([
    { name: 'name', own: 'Mei', others: 'Ling' },
    { name: 'attributes.a', own: '1', others: '2' },
  ]);
});

test('what every object has is no value of the other contact', () => {
  const own = { ...contact, attributes: { constructor: 'Ng' } as Contact['attributes'] };
  expect(contestedBetween(own, contact)).toEqual([]);
});
