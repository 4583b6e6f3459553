import { expect, test } from 'vitest';
import { firstRows, newestFirst, oldestFirst } from './keyset.ts';

const forward = { ...firstRows(3), key: 'k' };
const backward = { ...forward, isBackward: true };

test.each([
  ['the newest', newestFirst(forward), 'id < $2', 'desc'],
  ['what is newer', newestFirst(backward), 'id >= $2', 'asc'],
  ['the oldest', oldestFirst(forward), 'id > $2', 'asc'],
  ['what is older', oldestFirst(backward), 'id <= $2', 'desc'],
  // A key that sorts after all others would not in every collation.
  ['the newest of all', newestFirst(firstRows(3)), '$2::text is null', 'desc'],
  ['the oldest of all', oldestFirst(firstRows(3)), '$2::text is null', 'asc'],
])('%s: %s', (_, { where, order, rowsMax }, condition, expected) => {
  expect([where('id', '$2'), order, rowsMax]).toEqual([condition, expected, 3]);
});
