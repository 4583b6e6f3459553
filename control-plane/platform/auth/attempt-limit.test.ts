import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startDb, type TestDb } from '../../../test/kit/postgres.ts';
import { createRateLimits } from '../limits/rate-limits.ts';
import { type AttemptLimit, createAttemptLimit } from './attempt-limit.ts';

let kit: TestDb;
let now: Date;
const clock = () => now;
const max = 3;
const key = 'Bearer sk_test_known';
const guess = 'Bearer sk_test_guessed';

beforeAll(async () => {
  kit = await startDb();
});
afterAll(() => kit.stop());

let attempts: AttemptLimit;
const node = () =>
  createAttemptLimit({ limits: createRateLimits({ db: kit.db, clock }), clock, max });

describe('failed credentials of one address', () => {
  beforeEach(() => {
    now = new Date('2026-03-01T10:00:00Z');
    attempts = node();
  });

  test('wait for the rest of the minute once there were too many', async () => {
    for (let count = 1; count <= max; count++) {
      expect(attempts.waitMs('203.0.113.1', guess)).toBe(0);
      await attempts.failed('203.0.113.1');
    }
    expect(attempts.waitMs('203.0.113.1', guess)).toBeGreaterThan(0);
    expect(attempts.waitMs('203.0.113.2', guess)).toBe(0);
    now = new Date(now.getTime() + 60_001);
    expect(attempts.waitMs('203.0.113.1', guess)).toBe(0);
  });

  test('do not lock out credentials that were accepted before', async () => {
    attempts.accepted(key);
    for (let count = 1; count <= max; count++) await attempts.failed('203.0.113.3');
    expect(attempts.waitMs('203.0.113.3', key)).toBe(0);
    expect(attempts.waitMs('203.0.113.3', guess)).toBeGreaterThan(0);
  });

  test('are counted over all nodes', async () => {
    const other = node();
    await attempts.failed('203.0.113.4');
    await other.failed('203.0.113.4');
    await attempts.failed('203.0.113.4');
    expect(attempts.waitMs('203.0.113.4', guess)).toBeGreaterThan(0);
  });

  test.each([
    ['2001:db8:1:2::1', '2001:db8:1:2:ffff::9', true],
    ['2001:db8:1:2::1', '2001:db8:1:3::1', false],
    ['::ffff:203.0.113.9', '203.0.113.9', true],
  ])('%s and %s count as one address: %s', async (one, another, isOne) => {
    attempts = createAttemptLimit({ limits: freshLimits(), clock, max });
    for (let count = 1; count <= max; count++) await attempts.failed(one);
    expect(attempts.waitMs(another, guess) > 0).toBe(isOne);
  });
});

/** Windows of these cases are their own: each case counts addresses of an earlier one too. */
function freshLimits() {
  const limits = createRateLimits({ db: kit.db, clock });
  const prefix = crypto.randomUUID();
  return {
    ...limits,
    take: (name: string, ...rest: [{ max: number; windowMs: number }, number]) =>
      limits.take(`${prefix} ${name}`, ...rest),
  };
}
