import { expect, test } from 'vitest';
import { rememberedByName, rememberedByObject } from './remembered.ts';

const one = { name: 'one' };

test.each<[string, (make: () => string | undefined) => readonly unknown[]]>([
  [
    'a name',
    (make) => {
      const made = rememberedByName(make);
      return [made('a'), made('a')];
    },
  ],
  [
    'a table',
    (make) => {
      const made = rememberedByObject(make);
      return [made(one), made(one)];
    },
  ],
])('what is made of %s is made once, also where that is nothing', (_, askTwice) => {
  for (const answer of ['made', undefined]) {
    let asked = 0;
    const make = () => {
      asked += 1;
      return answer;
    };
    expect(askTwice(make)).toEqual([answer, answer]);
    expect(asked).toBe(1);
  }
});

test('each name and each object has its own', () => {
  const length = rememberedByName((name) => name.length);
  expect([length('a'), length('bcd'), length('a')]).toEqual([1, 3, 1]);
  const name = rememberedByObject((given: { readonly name: string }) => given.name);
  expect([name(one), name({ name: 'two' })]).toEqual(['one', 'two']);
});
