import { expect, test } from 'vitest';
import { Pairs, Quota } from './quota.ts';

test('no span has more than its maximum, and each wait is as long as announced', () => {
  const quota = new Quota(3, 1_000);
  const grants: number[] = [];
  for (let now = 0; now < 5_000; now += 7) {
    const wait = quota.take(now);
    if (wait === 0) grants.push(now);
    else expect(quota.take(now + wait - 1)).toBeGreaterThan(0);
  }
  for (const at of grants) {
    expect(grants.filter((each) => each >= at && each < at + 1_000).length).toBeLessThanOrEqual(3);
  }
  expect(grants.length).toBeGreaterThanOrEqual(14);
});

test('a changed maximum counts earlier grants; 0 grants everything', () => {
  const quota = new Quota(2, 1_000);
  expect([quota.take(0), quota.take(0), quota.take(0)]).toEqual([0, 0, 1_000]);
  quota.count = 3;
  expect([quota.take(1), quota.take(1)]).toEqual([0, 999]);
  quota.count = 0;
  expect([quota.take(1), quota.take(1)]).toEqual([0, 0]);
});

test('a pair may send some messages ahead, and others do not wait for it', () => {
  const pairs = new Pairs(6_000, 45);
  for (let count = 0; count < 45; count += 1) expect(pairs.take('a', 0)).toBe(0);
  expect(pairs.take('a', 0)).toBe(6_000);
  expect(pairs.take('b', 0)).toBe(0);
  expect(pairs.take('a', 6_000)).toBe(0);
});
