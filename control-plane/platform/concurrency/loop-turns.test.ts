import { expect, test } from 'vitest';
import { LoopTurns } from './loop-turns.ts';

test('work that comes at once is spread over turns, tenants in turn', async () => {
  const turns = new LoopTurns({ stopwatch: () => 0 });
  const done: string[] = [];
  const work = async (name: string) => {
    await turns.next(name[0]!);
    done.push(name);
  };
  const all = ['a1', 'a2', 'a3', 'b1'].map(work);
  let others = 0;
  const other = () => {
    others += 1;
    done.push('-');
    if (others < 4) setImmediate(other);
  };
  setImmediate(other);
  await Promise.all(all);
  expect(done.join(' ')).toMatch(/^a1 - b1 - a2 - a3/);
});

test('who comes later has a turn too', async () => {
  const turns = new LoopTurns({ stopwatch: () => 0 });
  await turns.next('a');
  await new Promise(setImmediate);
  await new Promise(setImmediate);
  await turns.next('a');
});

test('after what takes long there is a pause, so that all together take a part of the time', async () => {
  let nowMs = 0;
  const turns = new LoopTurns({ stopwatch: () => nowMs });
  const work = async () => {
    await turns.next('a');
    nowMs += 1;
  };
  let others = 0;
  let isOver = false;
  const other = () => {
    others += 1;
    if (!isOver) setImmediate(other);
  };
  setImmediate(other);
  const begunAt = performance.now();
  await Promise.all([work(), work(), work(), work()]);
  isOver = true;
  expect(performance.now() - begunAt).toBeGreaterThan(6); // timers may be a little early
  expect(others).toBeGreaterThan(4);
});
