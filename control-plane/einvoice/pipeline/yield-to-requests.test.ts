import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createYieldToRequests } from './yield-to-requests.ts';

const longEnough = 1_000_000;

test('documents wait until no request is under way, and go one at a time', async () => {
  const gates: PromiseWithResolvers<void>[] = [];
  const yieldToRequests = createYieldToRequests(() => {
    gates.push(Promise.withResolvers<void>());
    return gates.at(-1)!.promise;
  }, longEnough);
  const passed: string[] = [];
  const first = yieldToRequests().then(() => passed.push('first'));
  const second = yieldToRequests().then(() => passed.push('second'));
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
  const yieldToRequests = createYieldToRequests(async () => {}, longEnough);
  const order: string[] = [];
  setImmediate(() => order.push('request'));
  await yieldToRequests();
  order.push('document');
  expect(order).toEqual(['request', 'document']);
});

test('the wait has a limit when requests never stop', async () => {
  await createYieldToRequests(() => new Promise(() => {}), 1)();
});
