import { afterEach, expect, test, vi } from 'vitest';
import { eventually } from '../../../test/kit/eventually.ts';
import { startReloading } from './reloading.ts';

afterEach(() => {
  vi.useRealTimers();
});

/** A table whose readings end when the test says so, and the channel that tells of its changes. */
async function open() {
  const readings: PromiseWithResolvers<void>[] = [];
  const warned: string[] = [];
  let notify: (payload: string) => void = () => {};
  const reloading = await startReloading({
    db: {
      listen: async (_, hear) => {
        notify = hear;
        return { stop: async () => {} };
      },
    },
    log: { warn: (_: unknown, text?: string) => void warned.push(text ?? '') } as never,
    channel: 'things',
    what: 'the things',
    load: () => {
      readings.push(Promise.withResolvers());
      return readings.at(-1)!.promise;
    },
  });
  return { reloading, readings, warned, notify: () => notify('') };
}

test('each notification is followed by a reading that begins after it, and never by two at once', async () => {
  const { reloading, readings, notify } = await open();
  notify();
  notify();
  notify();
  expect(readings).toHaveLength(1);
  readings[0]!.resolve();
  await eventually(() => expect(readings).toHaveLength(2));
  const known = reloading.reload();
  readings[1]!.resolve();
  await eventually(() => expect(readings).toHaveLength(3));
  readings[2]!.resolve();
  await known;
  await reloading.close();
});

test('what no notification told is found out, and a failed reading is told and tried again', async () => {
  vi.useFakeTimers();
  const { reloading, readings, warned } = await open();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(readings).toHaveLength(1);
  readings[0]!.reject(new Error('the database is away'));
  await vi.advanceTimersByTimeAsync(5_000);
  expect([readings.length, warned]).toEqual([
    2,
    ['the things were not read; this will be retried'],
  ]);
  await reloading.close();
  await vi.advanceTimersByTimeAsync(20_000);
  expect(readings).toHaveLength(2);
});
