import { expect, test } from 'vitest';
import { Batcher, type BatcherOptions } from './batcher.ts';

function recorder(options: Partial<BatcherOptions<string, string>> = {}) {
  const batches: string[][] = [];
  const gates: (() => void)[] = [];
  const batcher = new Batcher<string, string>({
    batchMax: 3,
    write: async (items) => {
      batches.push([...items]);
      await new Promise<void>((open) => gates.push(open));
      if (items.includes('bad')) throw new Error('cannot be written');
      return items.map((item) => item.toUpperCase());
    },
    ...options,
  });
  const turn = () => new Promise(setImmediate);
  const open = async () => {
    gates.shift()!();
    await turn();
  };
  return { batcher, batches, open, turn };
}

test('items added while a batch is written go in the next, in order and up to the limit', async () => {
  const { batcher, batches, open, turn } = recorder();
  const add = (...items: string[]) => items.map((item) => batcher.add('key', item));
  const first = add('a', 'b');
  await turn();
  const later = add('c', 'd', 'e', 'f');
  expect(batches).toEqual([['a', 'b']]);
  for (let batch = 0; batch < 3; batch += 1) await open();
  expect(batches).toEqual([['a', 'b'], ['c', 'd', 'e'], ['f']]);
  expect(await Promise.all([...first, ...later])).toEqual(['A', 'B', 'C', 'D', 'E', 'F']);
});

test('items are written together up to a size, and a larger one alone', async () => {
  const sizes = { of: (item: string) => item.length, max: 4 };
  const { batcher, batches, open, turn } = recorder({ batchMax: 10, sizes });
  for (const item of ['aa', 'bb', 'c', 'ddddd', 'e', 'fff', 'g']) void batcher.add('key', item);
  await turn();
  for (let batch = 0; batch < 5; batch += 1) await open();
  expect(batches).toEqual([['aa', 'bb'], ['c'], ['ddddd'], ['e', 'fff'], ['g']]);
});

test('keys do not wait for each other', async () => {
  const { batcher, batches, turn } = recorder();
  void batcher.add('one', 'a');
  void batcher.add('two', 'b');
  await turn();
  expect(batches).toEqual([['a'], ['b']]);
});

test('an item that cannot be written fails alone', async () => {
  const { batcher, batches, open, turn } = recorder();
  const first = batcher.add('key', 'a');
  await turn();
  const rest = Promise.allSettled(['b', 'bad', 'c'].map((item) => batcher.add('key', item)));
  for (let batch = 0; batch < 5; batch += 1) await open();
  expect(batches).toEqual([['a'], ['b', 'bad', 'c'], ['b'], ['bad'], ['c']]);
  expect(await first).toBe('A');
  expect((await rest).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});

test('a shared error fails the whole batch at once, and the next batch is tried', async () => {
  const { batcher, batches, open, turn } = recorder({ isSharedError: () => true });
  const both = Promise.allSettled(['a', 'bad'].map((item) => batcher.add('key', item)));
  await turn();
  const next = batcher.add('key', 'b');
  await open();
  await open();
  expect((await both).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await next).toBe('B');
  expect(batches).toEqual([['a', 'bad'], ['b']]);
});

test('the first of a series waits for others for `gatherMs`', async () => {
  const { batcher, batches, open, turn } = recorder({ gatherMs: 20 });
  const first = batcher.add('key', 'a');
  for (let turns = 0; turns < 3; turns += 1) await turn();
  const second = batcher.add('key', 'b');
  expect(batches).toEqual([]);
  await expect.poll(() => batches).toEqual([['a', 'b']]);
  await open();
  expect(await Promise.all([first, second])).toEqual(['A', 'B']);
});

test('draining waits for all keys, failures included', async () => {
  const { batcher, open, turn } = recorder();
  await batcher.drain();
  const failing = batcher.add('one', 'bad').catch(() => 'failed');
  const other = batcher.add('two', 'a');
  let isDrained = false;
  const drained = batcher.drain().then(() => (isDrained = true));
  await turn();
  await open();
  expect([isDrained, await failing]).toEqual([false, 'failed']);
  await open();
  await drained;
  expect(await other).toBe('A');
});
