import { expect, test } from 'vitest';
import { FairQueue } from './fair-queue.ts';

test('keys are taken in turn, and each in the order of arrival', () => {
  const queue = new FairQueue<string>();
  for (const item of ['a1', 'a2', 'a3', 'b1', 'c1', 'b2']) queue.push(item[0]!, item);
  const taken = [queue.shift(), queue.shift()];
  queue.push('d', 'd1');
  for (let item = queue.shift(); item !== undefined; item = queue.shift()) taken.push(item);
  expect(taken).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'd1', 'a3']);
});
