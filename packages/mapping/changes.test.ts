import { expect, test } from 'vitest';
import { approvedAfter, changesOf } from './changes.ts';
import type { MappingField } from './mapping.ts';

const field = (target: string, value: string, status: MappingField['status']): MappingField => ({
  target,
  value,
  status,
});
const number = field('number', '1', 'approved');
const currency = field('currency', 'AED', 'approved');
const approved = { fields: [number, currency] };

test.each([
  ['all is approved: it is all', [number], [number]],
  [
    'a change waits: what was approved stays beside it',
    [number, field('currency', 'EUR', 'proposed')],
    [number, currency],
  ],
  ['one was taken out while another waits', [field('number', '2', 'proposed')], [number, currency]],
  [
    'a change is approved',
    [field('currency', 'EUR', 'approved')],
    [field('currency', 'EUR', 'approved')],
  ],
] as const)('last approved, where %s', (_, fields, expected) => {
  expect(approvedAfter(approved, { fields: [...fields] }).fields).toEqual(expected);
});

test('without anything approved before, what is approved now counts', () => {
  expect(approvedAfter(undefined, { fields: [number, field('note', 'x', 'proposed')] })).toEqual({
    fields: [number],
  });
});

const euro = field('currency', 'EUR', 'proposed');
const note = field('notes[]', 'one', 'proposed');

test.each([
  ['changed', [number, euro], [{ target: 'currency', was: currency, now: euro }]],
  ['new', [number, currency, note], [{ target: 'notes[]', now: note }]],
  ['taken out', [number], [{ target: 'currency', was: currency }]],
  ['as before, and not approved anew', [{ ...number, status: 'proposed' }, currency], []],
] as const)('a field that is %s', (_, fields, expected) => {
  expect(changesOf(approved, { fields: [...fields] })).toEqual(expected);
});

test('where nothing was ever approved there is nothing to compare with', () => {
  expect(changesOf(undefined, approved)).toEqual([]);
  expect(changesOf({ fields: [] }, approved)).toEqual([]);
});
