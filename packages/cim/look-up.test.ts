import { expect, test } from 'vitest';
import { lookUp } from './look-up.ts';

test.each(['constructor', 'toString', '__proto__', 'hasOwnProperty', ''])(
  '%j is in no table by itself',
  (key) => {
    expect(lookUp({ S: '1' }, key)).toBeUndefined();
    expect(lookUp({ [key]: '1' }, key)).toBe('1');
  },
);

test('an entry is found, and nothing without a table', () => {
  expect(lookUp({ S: '1' }, 'S')).toBe('1');
  expect(lookUp(undefined, 'S')).toBeUndefined();
});
