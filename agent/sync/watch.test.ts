import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Connector, ListOutcome } from '@drawbridge/connectors/contract.ts';
import { expect, test } from 'vitest';
import { eventually } from '../../test/kit/eventually.ts';
import { Health } from '../health.ts';
import { openQueue } from '../store/queue.ts';
import { createStore } from '../store/store.ts';
import type { Sources } from './sources.ts';
import { untilChanged, watch } from './watch.ts';

const never = new AbortController().signal;

/** A source that notices a change when `notice` settles; without it, it tells nothing by itself. */
function sourceWith(notice: Promise<void> | undefined): Pick<Sources, 'use'> {
  const changed = notice === undefined ? {} : { changed: () => notice };
  return sourcesOf({ erp: changed as Partial<Connector> });
}

function sourcesOf(connectors: Readonly<Record<string, Partial<Connector>>>): Pick<Sources, 'use'> {
  return {
    use: async (name, work) => ({
      kind: 'used',
      value: await work(connectors[name] as Connector),
    }),
  };
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
  await untilChanged(sourceWith(Promise.resolve()), 'erp', 30_000, pause, never);
  expect(lengths).toEqual([1_000, 29_000]);
});

test('a pause goes on while no source notices anything, until it is stopped', async () => {
  const { pause } = pauses();
  const stop = new AbortController();
  let isOver = false;
  const silent = sourceWith(new Promise(() => undefined));
  const waiting = untilChanged(silent, 'erp', 30_000, pause, stop.signal).then(() => {
    isOver = true;
  });
  for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
  expect(isOver).toBe(false);
  stop.abort();
  await waiting;
});

test('a source that does not answer, or has much to tell, holds up no other', async () => {
  const home = mkdtempSync(join(tmpdir(), 'drawbridge-watch-'));
  const clock = () => new Date('2026-11-30T08:00:00Z');
  const queue = openQueue(home, clock);
  if (queue.kind !== 'open') throw new Error(queue.kind);
  const store = createStore(queue.database, clock);
  const stop = new AbortController();
  const slow = Promise.withResolvers<ListOutcome>();
  let rounds = 0;
  let pages = 0;
  const sources = sourcesOf({
    slow: { list: () => slow.promise },
    large: {
      async list() {
        pages += 1;
        await new Promise(setImmediate);
        return { kind: 'page', refs: [], cursor: `${pages}`, more: !stop.signal.aborted };
      },
    },
    quick: {
      async list() {
        rounds += 1;
        return { kind: 'page', refs: [], cursor: 'c', more: false };
      },
    },
  });
  const health = new Health({ home, clock, monotonicMs: () => 0 });
  const watching = watch(
    {
      store,
      sources,
      health,
      clock,
      room: { look: () => true, isFull: () => false },
      watchMs: 1,
      reconcileMs: 0,
      watched: () => ['slow', 'large', 'quick'],
      more: never,
      refusals: new Map(),
      newId: () => 'e1',
      queued() {},
      report() {},
    },
    stop.signal,
  );
  await eventually(async () => expect(rounds).toBeGreaterThan(3));
  stop.abort();
  slow.resolve({ kind: 'page', refs: [], cursor: 'c', more: false });
  await watching;
  store.close();
  rmSync(home, { recursive: true });
});
