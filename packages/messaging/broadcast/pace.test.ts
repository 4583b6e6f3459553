import { expect, test } from 'vitest';
import { fullPace, shareAt, slowDown } from './pace.ts';

const at = 1_000_000;

test('a complaint lowers the share, and seconds without one raise it again', () => {
  const slow = slowDown(fullPace, at, 0);
  expect(shareAt(slow, at)).toBeCloseTo(0.7);
  expect(shareAt(slow, at + 5_000)).toBeCloseTo(0.9);
  expect(shareAt(slow, at + 60_000)).toBe(1);
});

test('complaints within a second count once, those of the next second again', () => {
  const once = slowDown(slowDown(fullPace, at, 0), at + 500, 0);
  expect(shareAt(once, at + 500)).toBeCloseTo(0.7);
  expect(shareAt(slowDown(once, at + 1_000, 0), at + 1_000)).toBeCloseTo(0.72 * 0.7);
});

test('it rests as long as the network says, up to a limit', () => {
  expect(slowDown(fullPace, at, 7_000).restsUntil).toBe(at + 7_000);
  expect(slowDown(fullPace, at, 3_600_000).restsUntil).toBe(at + 60_000);
  const longer = slowDown(slowDown(fullPace, at, 7_000), at + 10, 1_000);
  expect(longer.restsUntil).toBe(at + 7_000);
});

test('the share never falls to zero, however many complaints come', () => {
  let pace = fullPace;
  for (let second = 0; second < 100; second += 1) pace = slowDown(pace, at + second * 1_000, 0);
  expect(shareAt(pace, at + 99_000)).toBeGreaterThanOrEqual(0.02);
});
