import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PendingDeliveries, type PendingDelivery } from './pending-deliveries.ts';

function due(seq: number, over: Partial<PendingDelivery> = {}): PendingDelivery {
  return {
    event_id: `evt_${seq}`,
    seq,
    subject_id: `inv_${seq}`,
    is_test: false,
    is_fresh: true,
    ...over,
  };
}
const retry = (seq: number, over: Partial<PendingDelivery> = {}) =>
  due(seq, { is_fresh: false, ...over });

function queueOf(...rows: PendingDelivery[]): PendingDeliveries<PendingDelivery> {
  const queue = new PendingDeliveries<PendingDelivery>();
  queue.beginFetch();
  queue.offer(rows);
  return queue;
}

/** Starts up to `count` deliveries and returns their numbers. */
function started(queue: PendingDeliveries<PendingDelivery>, count: number): number[] {
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

test('of one subject one is under way at a time, and one that failed keeps later ones back', () => {
  const same = { subject_id: 'inv_1' };
  const [first, second, other] = [due(1, same), due(2, same), due(3)];
  const queue = queueOf(second, first, other);
  expect(started(queue, 3)).toEqual([1, 3]);
  queue.finish(first, true);
  expect(queue.offer([second])).toBe(0);
  queue.saved(first);
  expect(queue.offer([second])).toBe(0); // it was read before that was written
  queue.beginFetch();
  expect(queue.offer([retry(1, same), second])).toBe(2);
  expect(started(queue, 2)).toEqual([1]);
  queue.finish(retry(1, same), false); // delivered, given up or set aside
  expect(started(queue, 1)).toEqual([2]);
});

test('of two with the same number the one with the lower id goes first', () => {
  const same = { subject_id: 'inv_1', seq: 7 };
  const queue = queueOf(
    retry(7, { ...same, event_id: 'evt_b' }),
    retry(7, { ...same, event_id: 'evt_a' }),
  );
  expect(queue.peek(false)?.event_id).toBe('evt_a');
});

test('a delivery that is known, or was saved while rows were read, is not added again', () => {
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

type Fate = 'delivered' | 'failed' | 'set aside';

test('all are sent whatever fails, and none before an earlier one of its subject that is not set aside', () => {
  const subjects = fc.array(fc.nat(4), { minLength: 1, maxLength: 60 });
  const fate = fc.constantFrom<Fate>('delivered', 'delivered', 'failed', 'failed', 'set aside');
  const step = fc.record({ fate, underWay: fc.nat(6), isReadLate: fc.boolean() });
  fc.assert(
    fc.property(subjects, fc.infiniteStream(step), (of, steps) => {
      const rows = of.map((subject, seq) => due(seq, { subject_id: `inv_${subject}` }));
      const stored = new Map(rows.map((row) => [row.seq, row]));
      const aside = new Set<number>();
      const tries = new Map<number, number>();
      const queue = new PendingDeliveries<PendingDelivery>();
      /** What the database lets go: neither what is behind one that failed, nor what is not there. */
      const readable = () =>
        [...stored.values()].filter((row) => {
          const earlier = [...stored.values()].filter(
            (other) => other.subject_id === row.subject_id && other.seq < row.seq,
          );
          return earlier.every((other) => other.is_fresh || aside.has(other.seq));
        });
      const underWay: PendingDelivery[] = [];
      for (let turn = 0; stored.size > 0; turn += 1) {
        expect(turn).toBeLessThan(5_000);
        const { fate: drawn, underWay: most, isReadLate } = steps.next().value;
        queue.beginFetch();
        const read = readable();
        if (!isReadLate) queue.offer(read);
        for (let row = queue.peek(false); row && underWay.length <= most; row = queue.peek(false)) {
          queue.start(row);
          underWay.push(row);
        }
        const row = underWay.shift();
        if (row !== undefined) {
          const tried = (tries.get(row.seq) ?? 0) + 1;
          tries.set(row.seq, tried);
          const outcome: Fate = tried > 5 ? 'delivered' : drawn;
          if (outcome === 'delivered') {
            const earlier = [...stored.keys()].filter(
              (seq) => seq < row.seq && stored.get(seq)!.subject_id === row.subject_id,
            );
            expect(earlier.filter((seq) => !aside.has(seq))).toEqual([]);
            stored.delete(row.seq);
          } else {
            if (outcome === 'set aside') aside.add(row.seq);
            stored.set(row.seq, { ...row, is_fresh: false });
          }
          queue.finish(row, outcome === 'failed' && !aside.has(row.seq));
          queue.saved(row);
        }
        if (isReadLate) queue.offer(read); // read before that was written
      }
      expect(queue.known).toBe(0);
    }),
    { numRuns: 200 },
  );
});
