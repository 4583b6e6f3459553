import { expect, test } from 'vitest';
import { history, negotiate, supported } from './version.ts';

test.each([
  { ours: [1, 1], theirs: [1, 1], agreed: 1 },
  { ours: [1, 3], theirs: [2, 5], agreed: 3 },
  { ours: [2, 5], theirs: [1, 3], agreed: 3 },
  { ours: [3, 4], theirs: [1, 2], agreed: undefined },
  { ours: [1, 2], theirs: [3, 4], agreed: undefined },
  { ours: [1, 4], theirs: [9, 2], agreed: undefined },
])('$ours and $theirs agree on $agreed', ({ ours, theirs, agreed }) => {
  const range = ([min, max]: number[]) => ({ min: min!, max: max! });
  expect(negotiate(range(ours), range(theirs))).toBe(agreed);
});

test('the versions of the history grow by one, and the newest is supported', () => {
  expect(history.map((row) => row.version)).toEqual(history.map((_, index) => index + 1));
  expect(supported.max).toBe(history.length);
});
