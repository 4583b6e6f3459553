import { expect, test } from 'vitest';
import { FairSemaphore } from './fair-semaphore.ts';
import { busy } from './semaphore.ts';

const never = () => new AbortController().signal;

/** Works that end when they are told to, and which of them have begun, as `key` and number. */
function slowWorks(semaphore: FairSemaphore) {
  const running: { key: string; end: () => void }[] = [];
  const begin = (key: string, count = 1) =>
    Array.from({ length: count }, () =>
      semaphore.run(key, () => {
        const { promise, resolve } = Promise.withResolvers<void>();
        running.push({ key, end: resolve });
        return promise;
      }),
    );
  const held = () => {
    const counts: Record<string, number> = {};
    for (const { key } of running) counts[key] = (counts[key] ?? 0) + 1;
    return counts;
  };
  const endOne = async (key: string) => {
    const at = running.findIndex((work) => work.key === key);
    running.splice(at, 1)[0]!.end();
    await new Promise((seen) => setImmediate(seen));
  };
  return { begin, held, endOne };
}

test.each([
  { max: 2, held: { a: 1, b: 1 } },
  { max: 4, held: { a: 3, b: 1 } },
  { max: 8, held: { a: 6, b: 1, c: 1 } },
  { max: 20, held: { a: 15, b: 3, c: 1, d: 1 } },
])('of $max permits keys that want all hold $held', ({ max, held }) => {
  const works = slowWorks(new FairSemaphore(max, never));
  for (const key of ['a', 'b', 'c', 'd']) works.begin(key, 30);
  expect(works.held()).toEqual(held);
});

test('keys that go on wanting all come to hold equally many, and leave some', async () => {
  const works = slowWorks(new FairSemaphore(20, never));
  for (const key of ['a', 'b', 'c']) works.begin(key, 200);
  for (let turn = 0; turn < 60; turn += 1) {
    await works.endOne(['a', 'b', 'c'][turn % 3]!);
  }
  const counts = works.held();
  for (const count of Object.values(counts)) expect([5, 6]).toContain(count);
  works.begin('d');
  expect(works.held()).toEqual({ ...counts, d: 1 });
});

test('a permit that becomes free goes to the key that holds the fewest, then by arrival', async () => {
  const semaphore = new FairSemaphore(4, never);
  const works = slowWorks(semaphore);
  works.begin('a', 5);
  works.begin('b', 2);
  works.begin('c');
  expect(semaphore.waiting).toBe(4);
  await works.endOne('a');
  expect(works.held()).toEqual({ a: 2, b: 1, c: 1 });
  expect(semaphore.waiting).toBe(3);
});

test('whoever waits too long gets no permit, now or later, and holds up nobody', async () => {
  const giveUp = new AbortController();
  const semaphore = new FairSemaphore(2, () => giveUp.signal);
  const works = slowWorks(semaphore);
  const [, late] = works.begin('a', 2);
  giveUp.abort();
  expect(await late).toBe(busy);
  expect(semaphore.waiting).toBe(0);
  await works.endOne('a');
  works.begin('b');
  expect(works.held()).toEqual({ b: 1 });
});

test('a work that fails gives its permit back', async () => {
  const semaphore = new FairSemaphore(2, never);
  const failing = () => semaphore.run('a', () => Promise.reject(new Error('no')));
  await expect(failing()).rejects.toThrow('no');
  await expect(failing()).rejects.toThrow('no');
});
