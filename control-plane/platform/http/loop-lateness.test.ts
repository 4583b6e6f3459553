import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { eventually } from '../../../test/kit/eventually.ts';
import { type LoopLateness, watchLoop } from './loop-lateness.ts';

let watched: LoopLateness;
afterEach(() => watched.stop());

function hold(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

async function holdAgain(times: number): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    hold(150);
    await turn();
  }
}

test('a loop that is held again and again is late, and is not once it is free', async () => {
  watched = watchLoop({ lateMs: 50, spanMs: 100 });
  expect(watched.isLate()).toBe(false);
  await holdAgain(8);
  expect(watched.isLate()).toBe(true);
  await eventually(() => expect(watched.isLate()).toBe(false));
});

test('one long turn is no reason to refuse anybody', async () => {
  watched = watchLoop({ lateMs: 100, spanMs: 100 });
  hold(400);
  await turn();
  await turn();
  expect(watched.isLate()).toBe(false);
});

test('0 means never', async () => {
  watched = watchLoop({ lateMs: 0, spanMs: 100 });
  await holdAgain(5);
  expect(watched.isLate()).toBe(false);
});
