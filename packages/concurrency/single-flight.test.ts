import { expect, test } from 'vitest';
import { SingleFlight } from './single-flight.ts';

function lookUps() {
  const gates: PromiseWithResolvers<string>[] = [];
  const look = () => {
    const gate = Promise.withResolvers<string>();
    gates.push(gate);
    return gate.promise;
  };
  return { gates, look };
}

test('callers who join share the look-up under way; a later caller starts another', async () => {
  const { gates, look } = lookUps();
  const flights = new SingleFlight<string>();
  const both = [flights.join('key', look), flights.join('key', look)];
  expect(gates).toHaveLength(1);
  gates[0]!.resolve('first');
  expect(await Promise.all(both)).toEqual(['first', 'first']);
  const next = flights.join('key', look);
  gates[1]!.resolve('second');
  expect(await next).toBe('second');
});

test('a fresh look-up begins after the question, and all who wait share it', async () => {
  const { gates, look } = lookUps();
  const flights = new SingleFlight<string>();
  const first = flights.fresh('key', look);
  const later = [flights.fresh('key', look), flights.fresh('key', look)];
  expect(gates).toHaveLength(1);
  gates[0]!.resolve('old');
  expect(await first).toBe('old');
  await new Promise(setImmediate);
  expect(gates).toHaveLength(2);
  gates[1]!.resolve('new');
  expect(await Promise.all(later)).toEqual(['new', 'new']);
});

test('keys do not share; an error goes to all who share it, and is not kept', async () => {
  const { gates, look } = lookUps();
  const flights = new SingleFlight<string>();
  const one = [flights.join('one', look), flights.join('one', look)];
  const two = flights.fresh('two', look);
  const twoLater = flights.fresh('two', look);
  gates[0]!.reject(new Error('cannot'));
  gates[1]!.reject(new Error('nor this'));
  for (const each of one) await expect(each).rejects.toThrow('cannot');
  await expect(two).rejects.toThrow('nor this');
  const again = flights.join('one', look);
  gates[2]!.resolve('two');
  gates[3]!.resolve('one');
  expect(await Promise.all([again, twoLater])).toEqual(['one', 'two']);
});
