import { expect, test } from 'vitest';
import { Gathered } from './gathered.ts';

function recorder(lotMax = 3) {
  const lots: string[][] = [];
  const gates: (() => void)[] = [];
  const gathered = new Gathered<string, string>(async (items) => {
    lots.push([...items]);
    await new Promise<void>((open) => gates.push(open));
    if (items.includes('bad')) throw new Error('cannot be written');
    return items.map((item) => item.toUpperCase());
  }, lotMax);
  const open = async () => {
    gates.shift()!();
    await new Promise(setImmediate);
  };
  return { gathered, lots, open };
}

test('what comes while a lot is written goes together in the next, as many as it takes', async () => {
  const { gathered, lots, open } = recorder();
  const put = ['a', 'b', 'c', 'd', 'e'].map((item) => gathered.put('key', item));
  expect(lots).toEqual([['a']]);
  await open();
  await open();
  await open();
  expect(lots).toEqual([['a'], ['b', 'c', 'd'], ['e']]);
  expect(await Promise.all(put)).toEqual(['A', 'B', 'C', 'D', 'E']);
});

test('keys do not wait for each other', () => {
  const { gathered, lots } = recorder();
  void gathered.put('one', 'a');
  void gathered.put('two', 'b');
  expect(lots).toEqual([['a'], ['b']]);
});

test('one that cannot be written fails alone', async () => {
  const { gathered, lots, open } = recorder();
  const first = gathered.put('key', 'a');
  const rest = Promise.allSettled(['b', 'bad', 'c'].map((item) => gathered.put('key', item)));
  for (let lot = 0; lot < 5; lot += 1) await open();
  expect(lots).toEqual([['a'], ['b', 'bad', 'c'], ['b'], ['bad'], ['c']]);
  expect(await first).toBe('A');
  expect((await rest).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});
