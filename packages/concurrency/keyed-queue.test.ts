import { expect, test } from 'vitest';
import { KeyedQueue } from './keyed-queue.ts';

function gatedWork() {
  const begun: string[] = [];
  const gates = new Map<string, PromiseWithResolvers<void>>();
  const work = (name: string) => async () => {
    begun.push(name);
    const gate = Promise.withResolvers<void>();
    gates.set(name, gate);
    await gate.promise;
    return name.toUpperCase();
  };
  return { begun, gates, work };
}

const settled = () => new Promise(setImmediate);

test('work of a key runs in order, one at a time; keys do not wait for each other', async () => {
  const { begun, gates, work } = gatedWork();
  const queue = new KeyedQueue();
  const results = ['a', 'b', 'c'].map((name) => queue.run('key', work(name)));
  const other = queue.run('other', work('x'));
  await settled();
  expect(begun).toEqual(['a', 'x']);
  for (const name of ['a', 'x', 'b', 'c']) {
    gates.get(name)!.resolve();
    await settled();
  }
  expect(begun).toEqual(['a', 'x', 'b', 'c']);
  expect(await Promise.all([...results, other])).toEqual(['A', 'B', 'C', 'X']);
});

test('failed work rejects for its caller only, and later work still runs', async () => {
  const queue = new KeyedQueue();
  const failing = queue.run('key', () => Promise.reject(new Error('cannot')));
  const next = queue.run('key', async () => 'done');
  await expect(failing).rejects.toThrow('cannot');
  expect(await next).toBe('done');
});

test('it counts the unfinished work of a key, so that a caller can limit it', async () => {
  const { gates, work } = gatedWork();
  const queue = new KeyedQueue();
  const both = ['a', 'b'].map((name) => queue.run('key', work(name)));
  expect([queue.size('key'), queue.size('other')]).toEqual([2, 0]);
  await settled();
  gates.get('a')!.resolve();
  await settled();
  expect(queue.size('key')).toBe(1);
  const ended = queue.ended('key');
  gates.get('b')!.resolve();
  await ended;
  expect(queue.size('key')).toBe(0);
  await Promise.all(both);
  await queue.drain();
  expect(queue.size('key')).toBe(0);
});

test('draining waits for all keys, and for work added meanwhile', async () => {
  const { gates, work } = gatedWork();
  const queue = new KeyedQueue();
  void queue.run('one', work('a'));
  void queue.run('two', work('b'));
  let isDrained = false;
  const drained = queue.drain().then(() => (isDrained = true));
  await settled();
  void queue.run('three', work('c'));
  await settled();
  for (const name of ['a', 'b', 'c']) {
    expect(isDrained).toBe(false);
    gates.get(name)!.resolve();
    await settled();
  }
  await drained;
});
