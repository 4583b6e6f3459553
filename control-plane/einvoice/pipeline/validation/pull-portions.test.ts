import { expect, test } from 'vitest';
import { PullPortions } from './pull-portions.ts';

test.each([
  ['nothing is known of the source', [], 1, false],
  ['documents are small', [3_000, 2_000], 100, false],
  ['one of them is large', [3_000, 500_000], 8, true],
  ['they are very large', [20_000_000], 1, true],
  ['no document was found', [0], 100, false],
])('%s: %j bytes, then %i at a time', (_, bytes, count, isLarge) => {
  const portions = new PullPortions(100);
  if (bytes.length > 0) portions.note('con_1', bytes);
  portions.note('con_2', [3_000_000]);
  expect(portions.next('con_1')).toEqual({ count, isLarge });
});
