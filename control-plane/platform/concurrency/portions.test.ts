import fc from 'fast-check';
import { expect, test } from 'vitest';
import { portions } from './portions.ts';

const itself = (item: number) => item;

test.each([
  [[], []],
  [[1, 2, 3], [[1, 2, 3]]],
  [
    [9, 2, 8, 3],
    [[9], [2, 8], [3]],
  ],
  [
    [1, 50, 1],
    [[1], [50], [1]],
  ],
])('%j is divided into %j', (items, expected) => {
  expect([...portions(items, itself, 10)]).toEqual(expected);
});

test('nothing is lost or moved, and only a single item may be larger than a portion', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(30)), fc.integer({ min: 1, max: 40 }), (items, max) => {
      const all = [...portions(items, itself, max)];
      expect(all.flat()).toEqual(items);
      for (const portion of all) {
        const size = portion.reduce((sum, item) => sum + item, 0);
        expect(portion.length === 1 || size <= max).toBe(true);
      }
    }),
  );
});
