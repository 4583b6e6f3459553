import { expect, test } from 'vitest';
import { Together } from './together.ts';

function counting() {
  const together = new Together<number>();
  const open: (() => void)[] = [];
  let looks = 0;
  return {
    ask: (key = 'a') =>
      together.get(key, async () => {
        looks += 1;
        const mine = looks;
        await new Promise<void>((done) => open.push(done));
        return mine;
      }),
    fail: () => together.get('a', () => Promise.reject(new Error('away'))),
    answer: () => open.shift()!(),
    looks: () => looks,
  };
}

test('who asks while a look is under way shares the next one with all others', async () => {
  const { ask, answer, looks } = counting();
  const first = ask();
  const others = [ask(), ask(), ask()];
  answer();
  expect(await first).toBe(1);
  await new Promise(setImmediate);
  answer();
  expect(await Promise.all(others)).toEqual([2, 2, 2]);
  expect(looks()).toBe(2);
  const later = ask();
  answer();
  expect(await later).toBe(3);
});

test('keys do not wait for each other, and a failure is no one else’s', async () => {
  const { ask, fail, answer } = counting();
  const failing = fail();
  const after = ask();
  const other = ask('b');
  await expect(failing).rejects.toThrow('away');
  await new Promise(setImmediate);
  answer();
  answer();
  expect([await other, await after].toSorted((a, b) => a - b)).toEqual([1, 2]);
});
