import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { sqlAt, startDb, type TestDb } from '../../../test/kit/postgres.ts';
import { openDb } from '../db/database.ts';
import { createRateLimits } from './rate-limits.ts';

let kit: TestDb;
const clock = () => new Date();

beforeAll(async () => {
  kit = await startDb();
});
afterAll(() => kit.stop());
afterEach(() => vi.restoreAllMocks());
beforeEach(() => sqlAt(kit.url, 'truncate rate_window'));

/**
 * Takes straight from the database, with the instant of the grant by its clock, in microseconds.
 */
const takeAt = (key: string, most: number, windowMs: number, wanted: number) =>
  kit.db.system((tx) =>
    tx.row<{ granted: number; at: number; retry_after_ms: number }>(
      `select granted, (extract(epoch from granted_at) * 1e6)::bigint as at, retry_after_ms
       from take_grants($1, $2, $3, $4)`,
      [key, most, windowMs, wanted],
    ),
  );

/** The most that was granted in any window, given all grants. */
function peak(grants: readonly { granted: number; at: number }[], windowMs: number): number {
  const sorted = grants.toSorted((a, b) => a.at - b.at);
  let most = 0;
  let sum = 0;
  let from = 0;
  for (const { at, granted } of sorted) {
    sum += granted;
    while (sorted[from]!.at <= at - windowMs * 1_000) sum -= sorted[from++]!.granted;
    most = Math.max(most, sum);
  }
  return most;
}

test('no window ever holds more than the limit, whoever asks, however much and when', async () => {
  let run = 0;
  const request = fc.record({ wanted: fc.integer({ min: 1, max: 40 }), pauses: fc.nat(3) });
  await fc.assert(
    fc.asyncProperty(
      // Of few grants and of many, which are counted by slots of different lengths; and one made the other.
      fc.array(fc.oneof(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 251, max: 300 })), {
        minLength: 1,
        maxLength: 2,
      }),
      fc.integer({ min: 5, max: 60 }),
      fc.array(fc.array(request, { minLength: 5, maxLength: 25 }), { minLength: 1, maxLength: 4 }),
      async (limits, windowMs, askers) => {
        run += 1;
        const grants: { granted: number; at: number }[] = [];
        await Promise.all(
          askers.map(async (requests) => {
            for (const [index, { wanted, pauses }] of requests.entries()) {
              for (let n = 0; n < pauses; n += 1) await kit.db.ping();
              const most = limits[index % limits.length]!;
              grants.push((await takeAt(`run ${run}`, most, windowMs, wanted))!);
            }
          }),
        );
        expect(peak(grants, windowMs)).toBeLessThanOrEqual(Math.max(...limits));
        expect(grants[0]).toBeDefined();
      },
    ),
    { numRuns: 25 },
  );
});

test('a limit that is asked without pause gives at least 99 % of itself', async () => {
  const [most, windowMs] = [500, 1_000];
  const grants: { granted: number; at: number }[] = [];
  const start = (await takeAt('k', most, windowMs, 5))!;
  grants.push(start);
  // Whole windows, so that the share is not a matter of where the measuring ends.
  for (let at = start.at; at < start.at + 3_050_000; ) {
    const grant = (await takeAt('k', most, windowMs, 5))!;
    at = grant.at;
    grants.push(grant);
  }
  const given = grants.reduce((sum, { granted }) => sum + granted, 0);
  expect(peak(grants, windowMs)).toBeLessThanOrEqual(most);
  expect(given).toBeGreaterThanOrEqual(0.99 * most * 3);
});

test.each([
  [50, 1],
  [500, 4],
])('of %i a second no grant counts for more than %d ms beyond its second', async (most, slotMs) => {
  const granted = (await takeAt('k', most, 1_000, most))!;
  const refused = (await takeAt('k', most, 1_000, 1))!;
  expect([granted.granted, refused.granted]).toEqual([most, 0]);
  const nextAt = refused.at + refused.retry_after_ms * 1_000;
  expect(nextAt).toBeGreaterThanOrEqual(granted.at + 1_000_000);
  expect(nextAt).toBeLessThanOrEqual(granted.at + 1_000_000 + slotMs * 1_000 + 1);
});

test('two nodes share one limit', async () => {
  const other = await openDb({ url: kit.appUrl });
  const nodes = [createRateLimits({ db: kit.db, clock }), createRateLimits({ db: other, clock })];
  const limit = { max: 100, windowMs: 60_000 };
  const verdicts = await Promise.all(
    Array.from({ length: 300 }, (_, n) => nodes[n % 2]!.count('shared', limit)),
  );
  await other.close();
  expect(verdicts.filter(({ isGranted }) => isGranted)).toHaveLength(100);
  const refused = verdicts.find(({ isGranted }) => !isGranted)!;
  expect(refused.remaining).toBe(0);
  expect(refused.retryAfterMs).toBeGreaterThan(55_000);
});

interface Taken {
  readonly granted: number;
  /** When it was asked and when it was answered: the grant fell between the two. */
  readonly askedAt: number;
  readonly answeredAt: number;
}

/** The most that was surely granted within one window. */
function surePeak(all: readonly Taken[], windowMs: number): number {
  const sums = all.map(({ askedAt }) => {
    const within = all.filter((one) => {
      return one.askedAt >= askedAt && one.answeredAt < askedAt + windowMs;
    });
    return within.reduce((sum, { granted }) => sum + granted, 0);
  });
  return Math.max(0, ...sums);
}

test('nodes that share a limit never get more of it together in any window', async () => {
  const dbs = await Promise.all([1, 2, 3].map(() => openDb({ url: kit.appUrl, poolMax: 2 })));
  let run = 0;
  const requests = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 20, maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 200 }),
      fc.integer({ min: 50, max: 200 }),
      fc.array(requests, { minLength: 3, maxLength: 3 }),
      async (max, windowMs, wishesOfNodes) => {
        run += 1;
        const taken: Taken[] = [];
        await Promise.all(
          wishesOfNodes.map(async (own, node) => {
            const limits = createRateLimits({ db: dbs[node]!, clock });
            for (const wanted of own) {
              const askedAt = performance.now();
              const { granted } = await limits.take(`nodes ${run}`, { max, windowMs }, wanted);
              taken.push({ granted, askedAt, answeredAt: performance.now() });
            }
          }),
        );
        expect(surePeak(taken, windowMs)).toBeLessThanOrEqual(max);
        expect(taken.some(({ granted }) => granted > 0)).toBe(true);
      },
    ),
    { numRuns: 20 },
  );
  await Promise.all(dbs.map((db) => db.close()));
});

test('what is refused comes with the time of the next grant, and is granted then', async () => {
  const limits = createRateLimits({ db: kit.db, clock });
  const limit = { max: 2, windowMs: 1_000 }; // longer than two statements take on a busy machine
  expect(await limits.take('k', limit, 3)).toMatchObject({ granted: 2, remaining: 0 });
  const { retryAfterMs } = await limits.take('k', limit, 1);
  expect(retryAfterMs).toBeGreaterThan(0);
  expect(retryAfterMs).toBeLessThanOrEqual(1_010);
  await new Promise((done) => setTimeout(done, retryAfterMs + 5));
  expect(await limits.take('k', limit, 1)).toMatchObject({ granted: 1 });
});

test('a used-up key is refused without asking the database', async () => {
  const call = vi.spyOn(kit.db, 'call');
  const limits = createRateLimits({ db: kit.db, clock });
  const limit = { max: 1, windowMs: 60_000 };
  await limits.count('k', limit);
  await limits.count('k', limit);
  expect(call).toHaveBeenCalledTimes(2);
  for (let n = 0; n < 50; n += 1) expect((await limits.count('k', limit)).isGranted).toBe(false);
  expect(call).toHaveBeenCalledTimes(2);
});

test('requests that arrive together are counted by few statements', async () => {
  const call = vi.spyOn(kit.db, 'call');
  const limits = createRateLimits({ db: kit.db, clock });
  const limit = { max: 1_000, windowMs: 1_000 };
  const all = await Promise.all(
    Array.from({ length: 400 }, (_, n) => limits.count(`k${n % 4}`, limit)),
  );
  expect(all.every(({ isGranted }) => isGranted)).toBe(true);
  expect(call.mock.calls.length).toBeGreaterThan(0);
  expect(call.mock.calls.length).toBeLessThanOrEqual(2);
});

test('a database that does not answer is an error, not a grant', async () => {
  const gone = await openDb({ url: kit.appUrl });
  await gone.close();
  await expect(
    createRateLimits({ db: gone, clock }).count('k', { max: 1, windowMs: 1 }),
  ).rejects.toThrow();
});
