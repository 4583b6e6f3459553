import { expect, test } from 'vitest';
import { parseJsonPath, valueAt } from './json-path.ts';

const value = { data: { items: [{ id: 7, 'odd name': 'x' }], null: null } };

test.each([
  ['$', value],
  ['$.data.items[0].id', 7],
  ["$.data.items[0]['odd name']", 'x'],
  ['$.data.items[1]', undefined],
  ['$.data.null', null],
  ['$.data.null.deeper', undefined],
  ['$.constructor', undefined],
  ['$.data.__proto__', undefined],
  ['$.data.items.length', 1],
])('%s', (path, found) => {
  expect(valueAt(value, parseJsonPath(path)!)).toEqual(found);
});

test.each(['', 'data', '$.', '$..a', '$.*', '$[*]', '$[?(@.a)]', "$['a", '$[1:2]', '$.a b'])(
  '%j names no one place',
  (path) => {
    expect(parseJsonPath(path)).toBeUndefined();
  },
);
