import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Db } from '../db/database.ts';
import { createArrivalLimits } from './arrival-limits.ts';
import type { SlotRequest, SlotRow } from './arrival-slot-store.ts';
import { ArrivalSlots } from './arrival-slots.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'Date'] });
});
afterEach(() => void vi.useRealTimers());

const limit = { max: 5, windowMs: 1_000 };
const patience = { waitMs: 2_500, signal: new AbortController().signal };
/** The database's clock is ahead of the stopwatch by so much. */
const aheadMs = 7_000;

/** Turns by a database that gives what it is told to, in milliseconds from the beginning. */
function world(give: (request: SlotRequest, now: number) => readonly number[] = () => []) {
  const began = Date.now();
  const stopwatch = () => Date.now() - began;
  const asked: (readonly SlotRequest[])[] = [];
  const rows = async (_sql: string, [json]: readonly string[]): Promise<SlotRow[]> => {
    const requests = JSON.parse(json!) as SlotRequest[];
    asked.push(requests);
    const now_us = (stopwatch() + aheadMs) * 1_000;
    return requests.map((request) => {
      const goes_at = give(request, stopwatch()).map((at) => (at + aheadMs) * 1_000);
      return { key: request.key, goes_at, retry_us: 150_000, now_us };
    });
  };
  const db = { system: (work: (tx: object) => unknown) => work({ rows }) } as unknown as Db;
  const reported = () =>
    asked.flat().flatMap(({ reported_goes, reported_until }) =>
      reported_goes.map((goes, at) => {
        const until = reported_until[at]!;
        return [goes / 1_000 - aheadMs, until === 0 ? 'free' : until / 1_000 - aheadMs];
      }),
    );
  return { db, turns: createArrivalLimits(db, stopwatch), stopwatch, asked, reported };
}

/** Up to two at a time, 30 ms apart, in about 100 ms. */
function two({ wanted }: SlotRequest, now: number): number[] {
  const first = Math.floor(now / 50) * 50 + 100;
  return [first, first + 30].slice(0, wanted);
}

test('they are given in the order in which they are asked for, and nothing goes before its time', async () => {
  const { turns, stopwatch, asked } = world(two);
  const went: [string, number][] = [];
  for (const name of ['a', 'b', 'c']) {
    void turns
      .reserve('k', limit, patience)
      .then((slot) => slot!.run(async () => void went.push([name, stopwatch()])));
  }
  await vi.advanceTimersByTimeAsync(400);
  // The first two by the first statement, the third when the database had said.
  expect(asked[0]).toMatchObject([{ key: 'k', most: 5, window_us: 1_000_000, wanted: 3 }]);
  expect(went).toEqual([
    ['a', 100],
    ['b', 130],
    ['c', 250],
  ]);
});

test('one counts for a window from its answer, less the shortest way of the latest', async () => {
  const { turns, stopwatch, reported } = world(two);
  const answerIn = async (ms: number) => {
    const slot = (await turns.reserve('k', limit, patience))!;
    await slot.run(() => new Promise((done) => setTimeout(done, ms)));
    return stopwatch();
  };
  const first = answerIn(40);
  await vi.advanceTimersByTimeAsync(200);
  // Nothing is known of the way yet, so all of it counts; and a millisecond of caution.
  const [[goes, until]] = reported() as [[number, number]];
  expect(goes).toBe(100);
  expect(until).toBeCloseTo((await first) + 1 + 1_000, 1);
  for (let count = 1; count < 64; count += 1) {
    void answerIn(40);
    await vi.advanceTimersByTimeAsync(200);
  }
  const late = answerIn(75);
  await vi.advanceTimersByTimeAsync(300);
  expect(reported().at(-1)![1]).toBeCloseTo((await late) - 40 + 1 + 1_000, 1);
});

test('one that nobody uses is free for another at once', async () => {
  const { turns, reported } = world(two);
  const passed = turns.reserve('k', limit, patience).then((slot) => slot!.release());
  await vi.advanceTimersByTimeAsync(100);
  await passed;
  expect(reported()).toEqual([[100, 'free']]);
});

test('one that was missed is given up, and what waited for it goes by another', async () => {
  const { turns, stopwatch, reported } = world(two);
  const taken = turns.reserve('k', limit, patience);
  await vi.advanceTimersByTimeAsync(1_500);
  let wentAt = 0;
  void (await taken)!.run(async () => void (wentAt = stopwatch()));
  await vi.advanceTimersByTimeAsync(500);
  expect(reported()[0]).toEqual([100, 'free']);
  expect(wentAt).toBe(1_600);
});

test('none is waited for too long, or when that was called off, or behind too many', async () => {
  const { turns } = world();
  const calling = new AbortController();
  const waiting = Array.from({ length: 10 }, (_, at) =>
    turns.reserve('k', limit, at === 9 ? { waitMs: 60_000, signal: calling.signal } : patience),
  );
  expect(await turns.reserve('k', limit, patience)).toBeUndefined();
  const ended: number[] = [];
  waiting.forEach((each, at) => void each.then((slot) => slot ?? ended.push(at)));
  await vi.advanceTimersByTimeAsync(2_400);
  expect(ended).toEqual([]);
  await vi.advanceTimersByTimeAsync(300);
  expect(ended).toHaveLength(9);
  calling.abort();
  await vi.advanceTimersByTimeAsync(300);
  expect(ended).toHaveLength(10);
});

test('a database that fails gives an error and not a turn, and is asked again', async () => {
  let isDown = true;
  const { turns } = world((request, now) => {
    if (isDown) throw new Error('down');
    return two(request, now);
  });
  const [failed] = await Promise.all([
    turns.reserve('k', limit, patience).catch((error: Error) => error.message),
    vi.advanceTimersByTimeAsync(10),
  ]);
  expect(failed).toBe('down');
  isDown = false;
  const [given] = await Promise.all([
    turns.reserve('k', limit, patience),
    vi.advanceTimersByTimeAsync(10),
  ]);
  expect(given).toBeDefined();
});

test('keys that are asked for together go in one statement', async () => {
  const { turns, asked } = world(two);
  const all = ['a', 'b', 'c', 'd'].map((key) => turns.reserve(key, limit, patience));
  await vi.advanceTimersByTimeAsync(10);
  await Promise.all(all);
  expect(asked.map((requests) => requests.map(({ key }) => key))).toEqual([['a', 'b', 'c', 'd']]);
});

test('who asks for a key a second time is answered too', async () => {
  const { db, stopwatch } = world(two);
  const slots = new ArrivalSlots(db, stopwatch);
  const both = Promise.all([slots.take('k', limit, 1), slots.take('k', limit, 2)]);
  await vi.advanceTimersByTimeAsync(10);
  expect((await both).map(({ departsAt: goesAt }) => goesAt.length)).toEqual([1, 2]);
});
