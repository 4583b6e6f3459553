import fc from 'fast-check';
import { expect, test } from 'vitest';
import { arrivals } from './arrivals.ts';
import { spacing } from './spacing.ts';

const windowMs = 1_000;
const tripMs = 2;

interface FarEnd {
  /** While they last, it reads nothing. */
  readonly pauses?: readonly { readonly from: number; readonly ms: number }[];
  /** How long a message and its answer are on their way, each. */
  readonly tripAt?: (ms: number) => number;
  readonly isGuarded?: boolean;
}

/** When the far end reads each message. */
function readTimes(max: number, count: number, farEnd: FarEnd = {}): number[] {
  const { pauses = [], tripAt = () => tripMs, isGuarded = true } = farEnd;
  const own = arrivals(max, windowMs);
  const even = spacing(max, windowMs);
  const readAt = (at: number) => {
    const pause = pauses.find(({ from, ms }) => at >= from && at < from + ms);
    return pause === undefined ? at : pause.from + pause.ms;
  };
  const read: number[] = [];
  const underWay: { message: number; answeredAt: number }[] = [];
  for (let now = 0; read.length < count; now += 1) {
    for (const each of underWay.filter(({ answeredAt }) => answeredAt <= now)) {
      own.answered(each.message, now);
      underWay.splice(underWay.indexOf(each), 1);
    }
    while (even.waitMs(now) === 0 && (!isGuarded || own.waitMs(now) === 0)) {
      even.left(now);
      const at = readAt(now + tripAt(now));
      read.push(at);
      underWay.push({ message: own.left(now), answeredAt: at + tripAt(at) });
    }
  }
  return read.sort((a, b) => a - b);
}

function mostInWindow(times: readonly number[]): number {
  let first = 0;
  let most = 0;
  for (const [place, at] of times.entries()) {
    while (times[first]! <= at - windowMs) first += 1;
    most = Math.max(most, place - first + 1);
  }
  return most;
}

test('a far end that stood still reads no more in any second than it may get', () => {
  const pauses = [
    { from: 700, ms: 400 },
    { from: 2_500, ms: 900 },
  ];
  expect(mostInWindow(readTimes(50, 300, { pauses, isGuarded: false }))).toBeGreaterThan(60);
  expect(mostInWindow(readTimes(50, 300, { pauses }))).toBeLessThanOrEqual(50);
});

test('whatever the pauses, no window has more, and all messages leave', () => {
  const pause = fc.record({
    from: fc.integer({ min: 0, max: 4_000 }),
    ms: fc.integer({ min: 1, max: 1_500 }),
  });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 30 }), fc.array(pause, { maxLength: 4 }), (max, all) => {
      // Pauses one after the other.
      let free = 0;
      const pauses = all.map(({ from, ms }) => {
        const begin = Math.max(from, free);
        free = begin + ms + 1;
        return { from: begin, ms };
      });
      expect(mostInWindow(readTimes(max, max * 4, { pauses }))).toBeLessThanOrEqual(max);
    }),
    { numRuns: 60 },
  );
});

test('with even round trips the rate is reached', () => {
  const times = readTimes(100, 1_000);
  expect(times.at(-1)! - times[0]!).toBeLessThanOrEqual(9_000 + 40);
});

test('a far end that is slow to begin reads no more in any second than it may get', () => {
  // As connections open: 300 ms each way at first, 2 ms after two seconds.
  const tripAt = (ms: number) => Math.max(tripMs, Math.round(300 - ms * 0.15));
  expect(mostInWindow(readTimes(50, 500, { tripAt, isGuarded: false }))).toBeGreaterThan(55);
  expect(mostInWindow(readTimes(50, 500, { tripAt }))).toBeLessThanOrEqual(50);
});

test('with long round trips the rate is reached, once they are known', () => {
  const times = readTimes(100, 3_000, { tripAt: () => 100 });
  const settled = times.filter((at) => at > 8_000);
  const perSecond = ((settled.length - 1) / (settled.at(-1)! - settled[0]!)) * 1_000;
  expect(perSecond).toBeGreaterThan(98);
});

test('a message without an answer does not hold others back for ever', () => {
  const own = arrivals(1, windowMs);
  own.left(0);
  expect(own.waitMs(15_500)).toBeGreaterThan(0);
  expect(own.waitMs(16_000)).toBe(0);
});
