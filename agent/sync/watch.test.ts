import type { Connector } from '@drawbridge/connectors/contract.ts';
import { expect, test } from 'vitest';
import type { Sources } from './sources.ts';
import { untilChanged } from './watch.ts';

const never = new AbortController().signal;

/** Sources that notice a change when `notice` settles; those without it tell nothing by themselves. */
function sourcesOf(notices: Readonly<Record<string, Promise<void> | undefined>>) {
  const use = async (name: string, work: (connector: Connector) => Promise<unknown>) => {
    const notice = notices[name];
    const changed = notice === undefined ? {} : { changed: () => notice };
    return { kind: 'used', value: await work(changed as unknown as Connector) };
  };
  return { sources: { use: use as Sources['use'] }, watched: () => Object.keys(notices) };
}

/** Pauses that last until they are aborted, but for the first. */
function pauses() {
  const lengths: number[] = [];
  const pause = async (ms: number, signal: AbortSignal) => {
    lengths.push(ms);
    if (lengths.length === 1 || signal.aborted) return;
    const over = Promise.withResolvers<void>();
    signal.addEventListener('abort', () => over.resolve());
    await over.promise;
  };
  return { lengths, pause };
}

test('a pause ends when a source notices a change, and not before the least time', async () => {
  const { lengths, pause } = pauses();
  await untilChanged(sourcesOf({ sql: undefined, files: Promise.resolve() }), 30_000, pause, never);
  expect(lengths).toEqual([1_000, 29_000]);
});

test('a pause goes on while no source notices anything, until it is stopped', async () => {
  const { pause } = pauses();
  const stop = new AbortController();
  let isOver = false;
  const waiting = untilChanged(
    sourcesOf({ sql: undefined, files: new Promise(() => undefined) }),
    30_000,
    pause,
    stop.signal,
  ).then(() => {
    isOver = true;
  });
  for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
  expect(isOver).toBe(false);
  stop.abort();
  await waiting;
});
