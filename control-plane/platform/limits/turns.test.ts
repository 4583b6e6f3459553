import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Db } from '../db/database.ts';
import { TurnDesk } from './turn-desk.ts';
import type { TurnRow, TurnWish } from './turn-store.ts';
import { createTurns } from './turns.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'Date'] });
});
afterEach(() => void vi.useRealTimers());

const limit = { max: 5, windowMs: 1_000 };
const patience = { waitMs: 2_500, signal: new AbortController().signal };
/** The database's clock is ahead of the stopwatch by so much. */
const aheadMs = 7_000;

/** Turns by a database that gives what it is told to, in milliseconds from the beginning. */
function world(give: (wish: TurnWish, now: number) => readonly number[] = () => []) {
  const began = Date.now();
  const stopwatch = () => Date.now() - began;
  const asked: (readonly TurnWish[])[] = [];
  const rows = async (_sql: string, [json]: readonly string[]): Promise<TurnRow[]> => {
    const wishes = JSON.parse(json!) as TurnWish[];
    asked.push(wishes);
    const now_us = (stopwatch() + aheadMs) * 1_000;
    return wishes.map((wish) => {
      const goes_at = give(wish, stopwatch()).map((at) => (at + aheadMs) * 1_000);
      return { key: wish.key, goes_at, retry_us: 150_000, now_us };
    });
  };
  const db = { system: (work: (tx: object) => unknown) => work({ rows }) } as unknown as Db;
  const told = () =>
    asked.flat().flatMap(({ told_goes, told_until }) =>
      told_goes.map((goes, at) => {
        const until = told_until[at]!;
        return [goes / 1_000 - aheadMs, until === 0 ? 'free' : until / 1_000 - aheadMs];
      }),
    );
  return { db, turns: createTurns(db, stopwatch), stopwatch, asked, told };
}

/** Up to two at a time, 30 ms apart, in about 100 ms. */
function two({ wanted }: TurnWish, now: number): number[] {
  const first = Math.floor(now / 50) * 50 + 100;
  return [first, first + 30].slice(0, wanted);
}

test('they are given in the order in which they are asked for, and nothing goes before its time', async () => {
  const { turns, stopwatch, asked } = world(two);
  const went: [string, number][] = [];
  for (const name of ['a', 'b', 'c']) {
    void turns
      .next('k', limit, patience)
      .then((turn) => turn!.run(async () => void went.push([name, stopwatch()])));
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
  const { turns, stopwatch, told } = world(two);
  const answerIn = async (ms: number) => {
    const turn = (await turns.next('k', limit, patience))!;
    await turn.run(() => new Promise((done) => setTimeout(done, ms)));
    return stopwatch();
  };
  const first = answerIn(40);
  await vi.advanceTimersByTimeAsync(200);
  // Nothing is known of the way yet, so all of it counts; and a millisecond of caution.
  const [[goes, until]] = told() as [[number, number]];
  expect(goes).toBe(100);
  expect(until).toBeCloseTo((await first) + 1 + 1_000, 1);
  for (let count = 1; count < 64; count += 1) {
    void answerIn(40);
    await vi.advanceTimersByTimeAsync(200);
  }
  const late = answerIn(75);
  await vi.advanceTimersByTimeAsync(300);
  expect(told().at(-1)![1]).toBeCloseTo((await late) - 40 + 1 + 1_000, 1);
});

test('one that nobody uses is free for another at once', async () => {
  const { turns, told } = world(two);
  const passed = turns.next('k', limit, patience).then((turn) => turn!.pass());
  await vi.advanceTimersByTimeAsync(100);
  await passed;
  expect(told()).toEqual([[100, 'free']]);
});

test('one that was missed is given up, and what waited for it goes by another', async () => {
  const { turns, stopwatch, told } = world(two);
  const taken = turns.next('k', limit, patience);
  await vi.advanceTimersByTimeAsync(1_500);
  let wentAt = 0;
  void (await taken)!.run(async () => void (wentAt = stopwatch()));
  await vi.advanceTimersByTimeAsync(500);
  expect(told()[0]).toEqual([100, 'free']);
  expect(wentAt).toBe(1_600);
});

test('none is waited for too long, or when that was called off, or behind too many', async () => {
  const { turns } = world();
  const calling = new AbortController();
  const waiting = Array.from({ length: 10 }, (_, at) =>
    turns.next('k', limit, at === 9 ? { waitMs: 60_000, signal: calling.signal } : patience),
  );
  expect(await turns.next('k', limit, patience)).toBeUndefined();
  const ended: number[] = [];
  waiting.forEach((each, at) => void each.then((turn) => turn ?? ended.push(at)));
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
  const { turns } = world((wish, now) => {
    if (isDown) throw new Error('down');
    return two(wish, now);
  });
  const [failed] = await Promise.all([
    turns.next('k', limit, patience).catch((error: Error) => error.message),
    vi.advanceTimersByTimeAsync(10),
  ]);
  expect(failed).toBe('down');
  isDown = false;
  const [given] = await Promise.all([
    turns.next('k', limit, patience),
    vi.advanceTimersByTimeAsync(10),
  ]);
  expect(given).toBeDefined();
});

test('keys that are asked for together go in one statement', async () => {
  const { turns, asked } = world(two);
  const all = ['a', 'b', 'c', 'd'].map((key) => turns.next(key, limit, patience));
  await vi.advanceTimersByTimeAsync(10);
  await Promise.all(all);
  expect(asked.map((wishes) => wishes.map(({ key }) => key))).toEqual([['a', 'b', 'c', 'd']]);
});

test('who asks for a key a second time is answered too', async () => {
  const { db, stopwatch } = world(two);
  const desk = new TurnDesk(db, stopwatch);
  const both = Promise.all([desk.take('k', limit, 1), desk.take('k', limit, 2)]);
  await vi.advanceTimersByTimeAsync(10);
  expect((await both).map(({ goesAt }) => goesAt.length)).toEqual([1, 2]);
});
