import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { courtesy } from './courtesy.ts';

const longEnough = 1_000_000;

test('it waits until it is quiet, and lets one through at a time', async () => {
  const gates: PromiseWithResolvers<void>[] = [];
  const giveWay = courtesy(() => {
    gates.push(Promise.withResolvers<void>());
    return gates.at(-1)!.promise;
  }, longEnough);
  const passed: string[] = [];
  const first = giveWay().then(() => passed.push('first'));
  const second = giveWay().then(() => passed.push('second'));
  while (gates.length === 0) await turn();
  expect(passed).toEqual([]);
  gates[0]!.resolve();
  await first;
  while (gates.length === 1) await turn();
  expect(passed).toEqual(['first']);
  gates[1]!.resolve();
  await second;
});

test('other work gets a turn of the event loop before each document', async () => {
  const giveWay = courtesy(async () => {}, longEnough);
  const order: string[] = [];
  setImmediate(() => order.push('request'));
  await giveWay();
  order.push('document');
  expect(order).toEqual(['request', 'document']);
});

test('it waits no longer than it may where it is never quiet', async () => {
  await courtesy(() => new Promise(() => {}), 1)();
});
