import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LaneQueue } from './lane-queue.ts';
import type { DueRow } from './lane-store.ts';

function due(seq: number, over: Partial<DueRow> = {}): DueRow {
  return {
    event_id: `evt_${seq}`,
    environment: 'live',
    seq,
    subject_id: `inv_${seq}`,
    attempt: 0,
    round_start: 0,
    is_test: false,
    payload: '{}',
    ...over,
  };
}
const retry = (seq: number, over: Partial<DueRow> = {}) => due(seq, { attempt: 3, ...over });

function queueOf(...rows: DueRow[]): LaneQueue {
  const queue = new LaneQueue();
  queue.beginFetch();
  queue.offer(rows);
  return queue;
}

/** Starts up to `count` and answers their numbers. */
function started(queue: LaneQueue, count: number): number[] {
  const seqs: number[] = [];
  for (let row = queue.peek(false); row && seqs.length < count; row = queue.peek(false)) {
    queue.start(row);
    seqs.push(row.seq);
  }
  return seqs;
}

test('new ones go before retries, four to one; tests before all', () => {
  const fresh = [1, 2, 3, 4, 5, 6].map((seq) => due(seq));
  const queue = queueOf(...[20, 21, 22].map((seq) => retry(seq)), ...fresh);
  expect(started(queue, 9)).toEqual([1, 2, 3, 4, 20, 5, 6, 21, 22]);
  queue.offer([due(30), due(31, { is_test: true })]);
  expect(queue.peek(true)?.seq).toBe(31);
  expect(started(queue, 2)).toEqual([31, 30]);
});

test('of one subject one is under way, and one that failed once keeps later ones back', () => {
  const same = { subject_id: 'inv_1' };
  const [first, second, other] = [due(1, same), due(2, same), due(3)];
  const queue = queueOf(first, second, other);
  expect(started(queue, 3)).toEqual([1, 3]);
  queue.finish(first, true);
  expect(started(queue, 1)).toEqual([]);
  expect(queue.offer([second])).toBe(0);
  queue.saved(first);
  queue.beginFetch();
  const again = due(1, { ...same, attempt: 1 });
  expect(queue.offer([again, due(4, same)])).toBe(1);
  expect(started(queue, 2)).toEqual([1]);
  queue.finish(again, true); // failed twice: nobody waits for it any longer
  expect(queue.offer([second])).toBe(1);
  expect(started(queue, 1)).toEqual([2]);
});

test('what is known or was written down while rows were read is not taken again', () => {
  const queue = queueOf(due(1));
  expect(started(queue, 1)).toEqual([1]);
  queue.beginFetch();
  expect(queue.offer([due(1)])).toBe(0);
  queue.beginFetch();
  queue.finish(due(1), false);
  queue.saved(due(1));
  expect(queue.offer([due(1)])).toBe(0);
  queue.beginFetch();
  expect(queue.offer([due(1)])).toBe(1); // it was asked to be sent again
});

test('a disabled endpoint keeps its tests, a deleted one nothing', () => {
  const queue = queueOf(due(1), retry(2), due(3, { is_test: true }));
  queue.clear(true);
  expect([queue.size, queue.known]).toEqual([1, 1]);
  queue.clear(false);
  expect([queue.size, queue.known]).toEqual([0, 0]);
});

test('whatever fails, all come out, and of a subject none before an earlier one that has not failed twice', () => {
  const subjects = fc.array(fc.nat(4), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(
      subjects,
      fc.array(fc.boolean(), { minLength: 400, maxLength: 400 }),
      (of, fails) => {
        const rows = of.map((subject, seq) => due(seq, { subject_id: `inv_${subject}` }));
        const stored = new Map(rows.map((row) => [row.seq, row]));
        const queue = new LaneQueue();
        for (let turn = 0; stored.size > 0; turn += 1) {
          queue.beginFetch();
          queue.offer([...stored.values()]);
          const row = queue.peek(false) ?? expect.fail('stuck');
          const earlier = [...stored.values()].filter(
            (other) => other.subject_id === row.subject_id && other.seq < row.seq,
          );
          if (row.attempt === 0) expect(earlier.every(({ attempt }) => attempt > 1)).toBe(true);
          queue.start(row);
          const isFailed = row.attempt < 3 && fails[turn % fails.length]!;
          queue.finish(row, isFailed);
          queue.saved(row);
          if (isFailed) stored.set(row.seq, { ...row, attempt: row.attempt + 1 });
          else stored.delete(row.seq);
        }
        expect(queue.known).toBe(0);
      },
    ),
    { numRuns: 50 },
  );
});
