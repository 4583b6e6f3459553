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
  const turn = () => new Promise(setImmediate);
  const open = async () => {
    gates.shift()!();
    await turn();
  };
  return { gathered, lots, open, turn };
}

test('what comes while a lot is written goes together in the next, as many as it takes', async () => {
  const { gathered, lots, open, turn } = recorder();
  const put = (...items: string[]) => items.map((item) => gathered.put('key', item));
  const first = put('a', 'b');
  await turn();
  const later = put('c', 'd', 'e', 'f');
  expect(lots).toEqual([['a', 'b']]);
  for (let lot = 0; lot < 3; lot += 1) await open();
  expect(lots).toEqual([['a', 'b'], ['c', 'd', 'e'], ['f']]);
  expect(await Promise.all([...first, ...later])).toEqual(['A', 'B', 'C', 'D', 'E', 'F']);
});

test('keys do not wait for each other', async () => {
  const { gathered, lots, turn } = recorder();
  void gathered.put('one', 'a');
  void gathered.put('two', 'b');
  await turn();
  expect(lots).toEqual([['a'], ['b']]);
});

test('one that cannot be written fails alone', async () => {
  const { gathered, lots, open, turn } = recorder();
  const first = gathered.put('key', 'a');
  await turn();
  const rest = Promise.allSettled(['b', 'bad', 'c'].map((item) => gathered.put('key', item)));
  for (let lot = 0; lot < 5; lot += 1) await open();
  expect(lots).toEqual([['a'], ['b', 'bad', 'c'], ['b'], ['bad'], ['c']]);
  expect(await first).toBe('A');
  expect((await rest).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});
