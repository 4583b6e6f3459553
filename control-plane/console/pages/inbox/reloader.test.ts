import { expect, test } from 'vitest';
import { createReloader } from './reloader.ts';

/** Loads that are answered, and time that passes, when the test says so. */
function start() {
  const loads: PromiseWithResolvers<void>[] = [];
  const timers: { readonly ms: number; readonly call: () => void }[] = [];
  let waitMs = 100;
  const reloader = createReloader({
    load: () => {
      const load = Promise.withResolvers<void>();
      loads.push(load);
      return load.promise;
    },
    waitMs: () => (waitMs += 1),
    after: (ms, call) => {
      const timer = { ms, call };
      timers.push(timer);
      return () => void timers.splice(timers.indexOf(timer), 1);
    },
  });
  return { reloader, loads, timers, pass: () => timers.shift()!.call() };
}

test('however often it is wanted before it loads, it loads once, after its own wait', () => {
  const { reloader, loads, timers, pass } = start();
  for (let at = 0; at < 50; at += 1) reloader.want();
  expect(loads).toHaveLength(0);
  expect(timers.map(({ ms }) => ms)).toEqual([101]);
  pass();
  expect(loads).toHaveLength(1);
});

test.each(['resolve', 'reject'] as const)(
  'what is wanted while it loads is one further load, after an answer to %s',
  async (answer) => {
    const { reloader, loads, timers, pass } = start();
    reloader.want();
    pass();
    for (let at = 0; at < 50; at += 1) reloader.want();
    expect([loads.length, timers.length]).toEqual([1, 0]);
    loads[0]![answer]();
    await expect.poll(() => timers.map(({ ms }) => ms)).toEqual([102]);
    pass();
    expect(loads).toHaveLength(2);
    loads[1]!.resolve();
    await loads[1]!.promise;
    expect(timers).toEqual([]);
  },
);

test('it loads no more once it is stopped', async () => {
  const { reloader, loads, timers, pass } = start();
  reloader.want();
  reloader.stop();
  expect(timers).toEqual([]);
  const other = start();
  other.reloader.want();
  other.pass();
  other.reloader.want();
  other.reloader.stop();
  other.loads[0]!.resolve();
  await other.loads[0]!.promise;
  other.reloader.want();
  expect([loads.length, other.loads.length, other.timers.length]).toEqual([0, 1, 0]);
  expect(pass).toThrow();
});
