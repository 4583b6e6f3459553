import { spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sqlAt, startDb, type TestDb } from '../../../test/kit/postgres.ts';
import { newUuid } from '../ids.ts';
import { createLog } from '../log/log.ts';
import { createMetrics } from '../metrics/metrics.ts';
import { byTenant, type Job, LeaseLost } from './job.ts';
import { type Jobs, type JobsOptions, openJobs } from './jobs.ts';
import { claimJobs } from './store.ts';
import type { Worker } from './worker.ts';

let kit: TestDb;
const opened: Jobs[] = [];
const workers: Worker[] = [];
const tenant = randomUUID();

beforeAll(async () => {
  kit = await startDb({ poolMax: 8 });
});
afterAll(() => kit.stop());
beforeEach(() => sqlAt(kit.url, 'truncate job'));
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop(0)));
  await Promise.all(opened.splice(0).map((jobs) => jobs.close()));
});

/** Another node on the shared database. */
async function node(options: Partial<JobsOptions> = {}): Promise<Jobs> {
  const jobs = await openJobs({
    db: kit.db,
    log: createLog({ level: 'silent' }),
    metrics: createMetrics(),
    newClaimId: () => newUuid(() => new Date(), randomBytes),
    pollMs: 60_000, // so that only a wake-up or a due time makes it claim
    ...options,
  });
  opened.push(jobs);
  return jobs;
}

type Handler = (jobs: readonly Job[], signal: AbortSignal) => Promise<void>;

type Bounds = { batch?: number; concurrency?: number; tenantConcurrency?: number };

function work(jobs: Jobs, handler: Handler, more: Bounds = {}) {
  const worker = jobs.work({ queue: 'q', batch: 10, concurrency: 1, ...more, handler });
  workers.push(worker);
  return worker;
}

const put = (jobs: Jobs, keys: readonly string[], tenantId = tenant, more = {}) =>
  kit.db.tenant(tenantId, (tx) =>
    jobs.enqueue(
      tx,
      tenantId,
      keys.map((key) => ({ queue: 'q', key, ...more })),
    ),
  );

async function completeAll(jobs: Jobs, batch: readonly Job[]): Promise<void> {
  for (const [tenantId, own] of byTenant(batch)) {
    await kit.db.tenant(tenantId, (tx) => jobs.complete(tx, tenantId, own));
  }
}

const left = () =>
  sqlAt<{ key: string; attempts: number; claim_id: string | null; last_error: string | null }>(
    kit.url,
    'select key, attempts, claim_id, last_error from (select * from job) j order by key',
  );

function gate<T = void>() {
  return Promise.withResolvers<T>();
}

beforeAll(async () => {
  // Forced row-level security holds for the owner too, which sees jobs only by its own policy.
  expect(await left()).toEqual([]);
});

test('jobs enqueued by a transaction are done, with their payload, and are gone', async () => {
  const jobs = await node();
  const seen = gate<Job>();
  work(jobs, async (batch) => {
    await completeAll(jobs, batch);
    seen.resolve(batch[0]!);
  });
  expect(await put(jobs, ['a'], tenant, { payload: { n: 1 } })).toBe(1);
  expect(await seen.promise).toMatchObject({ key: 'a', payload: { n: 1 }, attempt: 1 });
  expect(await left()).toEqual([]);
});

test('a transaction that rolls back enqueues nothing', async () => {
  const jobs = await node();
  const work = kit.db.tenant(tenant, async (tx) => {
    await jobs.enqueue(tx, tenant, [{ queue: 'q', key: 'a' }]);
    throw new Error('no');
  });
  await expect(work).rejects.toThrow('no');
  expect(await left()).toEqual([]);
});

test('a key enqueued twice is one job, and another tenant may use it too', async () => {
  const jobs = await node();
  expect(await put(jobs, ['a', 'a', 'b'])).toBe(2);
  expect(await put(jobs, ['a'])).toBe(0);
  expect(await put(jobs, ['a'], randomUUID())).toBe(1);
});

test('a node is notified of jobs that another node enqueued', async () => {
  const [here, there] = [await node(), await node()];
  const done = gate();
  work(there, async (batch) => {
    await completeAll(there, batch);
    done.resolve();
  });
  await put(here, ['a']);
  await done.promise;
});

test('a job begins at its time, not before and not at the next poll', async () => {
  const jobs = await node();
  const begun = gate<Date>();
  work(jobs, async (batch) => {
    await completeAll(jobs, batch);
    begun.resolve(new Date());
  });
  const runAt = new Date(Date.now() + 300);
  await put(jobs, ['a'], tenant, { runAt });
  const late = (await begun.promise).getTime() - runAt.getTime();
  expect(late).toBeGreaterThanOrEqual(-5);
  expect(late).toBeLessThan(5_000);
});

test('several workers on several nodes do every job exactly once', async () => {
  const tenants = Array.from({ length: 7 }, () => randomUUID());
  const counts = new Map<string, number>();
  const all = gate();
  const nodes = [await node(), await node(), await node()];
  for (const jobs of nodes) {
    const handler: Handler = async (batch) => {
      await completeAll(jobs, batch);
      for (const { tenantId, key } of batch) {
        const name = tenantId + key;
        counts.set(name, (counts.get(name) ?? 0) + 1);
      }
      if (counts.size === 7 * 300) all.resolve();
    };
    work(jobs, handler, { batch: 7, concurrency: 2 });
  }
  const keys = Array.from({ length: 300 }, (_, n) => `k${n}`);
  await Promise.all(tenants.map((id) => put(nodes[0]!, keys, id)));
  await all.promise;
  await Promise.all(workers.splice(0).map((worker) => worker.stop(5_000)));
  expect([...counts.values()].every((count) => count === 1)).toBe(true);
  expect(await left()).toEqual([]);
});

test('a tenant with many jobs does not keep another one waiting', async () => {
  const [crowd, single] = [randomUUID(), randomUUID()];
  const jobs = await node();
  await put(
    jobs,
    Array.from({ length: 500 }, (_, n) => `k${n}`),
    crowd,
  );
  await put(jobs, ['only'], single);
  const order: string[] = [];
  const done = gate();
  work(jobs, async (batch) => {
    await completeAll(jobs, batch);
    order.push(...batch.map(({ tenantId }) => tenantId));
    if (order.includes(single)) done.resolve();
  });
  await done.promise;
  expect(order.length).toBeLessThanOrEqual(20);
});

test('a tenant whose jobs take long leaves calls to the others, and goes on when one has ended', async () => {
  const [slow, other] = [randomUUID(), randomUUID()];
  const jobs = await node();
  const [begun, ended, mayEnd] = [[] as string[], gate(), gate()];
  const bounds = { batch: 1, concurrency: 3, tenantConcurrency: 2 };
  work(
    jobs,
    async (batch) => {
      const [job] = batch;
      begun.push(job!.key);
      if (job!.tenantId === slow) await mayEnd.promise;
      await completeAll(jobs, batch);
      if (job!.tenantId === other) ended.resolve();
    },
    bounds,
  );
  await put(jobs, ['a', 'b', 'c', 'd'], slow);
  await expect.poll(() => begun).toEqual(['a', 'b']);
  await put(jobs, ['other'], other);
  await ended.promise;
  expect(begun).toEqual(['a', 'b', 'other']);
  mayEnd.resolve();
  await expect.poll(left).toEqual([]);
});

test('more tenants than one claim reads get their turn', async () => {
  const jobs = await node();
  const tenants = Array.from({ length: 600 }, () => randomUUID());
  const later = new Date(Date.now() + 3_600_000);
  const rows = tenants.map(
    (id, n) => `('${id}', 'q', 'k', '{}', ${n === 599 ? 'now()' : `'${later.toISOString()}'`})`,
  );
  await sqlAt(kit.url, `insert into job (tenant_id, queue, key, payload, run_at) values ${rows}`);
  const done = gate<string>();
  work(jobs, async (batch) => {
    await completeAll(jobs, batch);
    done.resolve(batch[0]!.tenantId);
  });
  expect(await done.promise).toBe(tenants[599]);
});

test('a handler that throws keeps the job, with the error and a delay', async () => {
  const jobs = await node();
  const tried = gate();
  const worker = work(jobs, async () => {
    tried.resolve();
    throw new TypeError('broken');
  });
  await put(jobs, ['a']);
  await tried.promise;
  await worker.stop(1_000);
  const [row] = await left();
  expect(row).toMatchObject({ key: 'a', claim_id: null, last_error: 'TypeError: broken' });
});

test('a rescheduled job comes back with its new payload, as a first attempt', async () => {
  const jobs = await node();
  const second = gate<Job>();
  work(jobs, async ([job]) => {
    if ((job!.payload as { step: number }).step === 1) {
      await kit.db.tenant(tenant, (tx) =>
        jobs.reschedule(tx, tenant, [{ job: job!, runAt: new Date(), payload: { step: 2 } }]),
      );
      return;
    }
    await completeAll(jobs, [job!]);
    second.resolve(job!);
  });
  await put(jobs, ['a'], tenant, { payload: { step: 1 } });
  expect(await second.promise).toMatchObject({ attempt: 1, payload: { step: 2 } });
});

test('a worker whose lease ran out cannot settle: its transaction is rolled back', async () => {
  const [slow, quick] = [await node({ leaseMs: 3_600_000 }), await node()];
  const claimed = gate();
  const resume = gate();
  const outcome = gate<unknown>();
  work(slow, async ([job]) => {
    claimed.resolve();
    await resume.promise;
    const settling = kit.db.tenant(tenant, async (tx) => {
      await slow.enqueue(tx, tenant, [{ queue: 'other', key: 'made-by-the-slow-one' }]);
      await slow.complete(tx, tenant, [job!]);
    });
    outcome.resolve(await settling.catch((error: unknown) => error));
  });
  await put(slow, ['a']);
  await claimed.promise;
  await sqlAt(kit.url, 'update job set run_at = now()'); // as when the lease ends
  const taken = gate<Job>();
  const finish = gate();
  work(quick, async (batch) => {
    taken.resolve(batch[0]!);
    await finish.promise;
    await completeAll(quick, batch);
  });
  expect(await taken.promise).toMatchObject({ key: 'a', attempt: 2 });
  resume.resolve();
  expect(await outcome.promise).toBeInstanceOf(LeaseLost);
  expect((await left()).map(({ key }) => key)).toEqual(['a']);
  finish.resolve();
});

test('a worker whose lease ran out learns it before it has an effect', async () => {
  const [slow, quick] = [await node({ leaseMs: 3_600_000 }), await node()];
  const claimed = gate<Job>();
  const resume = gate();
  work(slow, async ([job]) => {
    claimed.resolve(job!);
    await resume.promise;
  });
  await put(slow, ['a']);
  const job = await claimed.promise;
  await kit.db.tenant(tenant, (tx) => slow.renewLeases(tx, [job]));
  await sqlAt(kit.url, 'update job set run_at = now()'); // as when the lease ends
  const taken = gate();
  work(quick, async (batch) => {
    taken.resolve();
    await completeAll(quick, batch);
  });
  await taken.promise;
  const holding = kit.db.tenant(tenant, (tx) => slow.renewLeases(tx, [job]));
  await expect(holding).rejects.toBeInstanceOf(LeaseLost);
  resume.resolve();
});

describe('a job that is shared', () => {
  /** A job that a worker holds, and the node of that worker. */
  async function held(leaseMs: number): Promise<[jobs: Jobs, job: Job, done: () => void]> {
    const jobs = await node({ leaseMs });
    const [claimed, resume] = [gate<Job>(), gate()];
    work(jobs, async ([job]) => {
      claimed.resolve(job!);
      await resume.promise;
    });
    await put(jobs, ['a']);
    return [jobs, await claimed.promise, resume.resolve];
  }

  test('is renewed by any number of transactions at the same time', async () => {
    const [jobs, job, done] = await held(3_600_000);
    const first = gate();
    const open = kit.db.tenant(tenant, async (tx) => {
      await jobs.renewSharedLease(tx, job);
      await first.promise;
    });
    await kit.db.tenant(tenant, (tx) => jobs.renewSharedLease(tx, job)); // ends while the first has it
    first.resolve();
    await open;
    done();
  });

  test('cannot be claimed until they end, and is not theirs after that', async () => {
    const [jobs, job, done] = await held(3_600_000);
    const [shared, finish] = [gate(), gate()];
    const open = kit.db.tenant(tenant, async (tx) => {
      await jobs.renewSharedLease(tx, job);
      shared.resolve();
      await finish.promise;
    });
    await shared.promise;
    const order: string[] = [];
    const taking = sqlAt(
      kit.url,
      `update job set claim_id = gen_random_uuid() where key = 'a'`,
    ).then(() => order.push('taken'));
    await expect
      .poll(() => sqlAt(kit.url, `select from pg_stat_activity where wait_event_type = 'Lock'`))
      .toHaveLength(1);
    order.push('ended');
    finish.resolve();
    await Promise.all([open, taking]);
    expect(order).toEqual(['ended', 'taken']);
    const sharing = kit.db.tenant(tenant, (tx) => jobs.renewSharedLease(tx, job));
    await expect(sharing).rejects.toBeInstanceOf(LeaseLost);
    done();
  });

  test('gets another lease once a quarter of it is over', async () => {
    const [jobs, job, done] = await held(3_600_000);
    const leftMs = async () => {
      const sql = 'select extract(epoch from run_at - clock_timestamp()) * 1000 as ms from job';
      return Number((await sqlAt<{ ms: string }>(kit.url, sql))[0]!.ms);
    };
    await sqlAt(kit.url, `update job set run_at = now() + interval '50 minutes'`);
    await kit.db.tenant(tenant, (tx) => jobs.renewSharedLease(tx, job));
    expect(await leftMs()).toBeLessThan(3_000_000);
    await sqlAt(kit.url, `update job set run_at = now() + interval '40 minutes'`);
    await kit.db.tenant(tenant, (tx) => jobs.renewSharedLease(tx, job));
    expect(await leftMs()).toBeGreaterThan(3_500_000);
    done();
  });
});

test('a long handler keeps its lease by heartbeats', async () => {
  const jobs = await node({ leaseMs: 900 });
  const [begun, finish, settled] = [gate(), gate(), gate()];
  work(jobs, async (batch) => {
    begun.resolve();
    await finish.promise;
    await completeAll(jobs, batch);
    settled.resolve();
  });
  await put(jobs, ['a']);
  await begun.promise;
  const leases = new Set<string>();
  while (leases.size < 5) {
    const [row] = await sqlAt<{ until: string; live: boolean }>(
      kit.url,
      'select run_at::text as until, run_at > now() as live from job',
    );
    expect(row?.live).toBe(true);
    leases.add(row!.until);
  }
  finish.resolve();
  await settled.promise;
});

test('stopping gives back unsettled jobs, without counting the attempt', async () => {
  const jobs = await node();
  const begun = gate();
  const worker = work(jobs, async (_, signal) => {
    begun.resolve();
    await once(signal, 'abort');
  });
  await put(jobs, ['a', 'b']);
  await begun.promise;
  await worker.stop(10);
  expect(await left()).toMatchObject([
    { key: 'a', attempts: 0, claim_id: null },
    { key: 'b', attempts: 0, claim_id: null },
  ]);
});

test('after kill -9 of a worker another does its jobs, once the lease has run out', async () => {
  const jobs = await node({ pollMs: 50 });
  await put(jobs, ['a']);
  const child = spawn(process.execPath, [join(import.meta.dirname, 'holder.fixture.ts')], {
    env: { ...process.env, APP_URL: kit.appUrl },
  });
  await once(child.stdout, 'data'); // it holds the job
  child.kill('SIGKILL');
  await once(child, 'exit');
  const taken = gate<Job>();
  work(jobs, async (batch) => {
    await completeAll(jobs, batch);
    taken.resolve(batch[0]!);
  });
  expect(await taken.promise).toMatchObject({ key: 'a', attempt: 2 });
});

test('the due time of a waiting job is changed, that of a held or missing job is not', async () => {
  const jobs = await node();
  const later = new Date(Date.now() + 3_600_000);
  await put(jobs, ['waits'], tenant, { runAt: later });
  const move = (key: string, runAt?: Date) =>
    kit.db.tenant(tenant, (tx) =>
      jobs.changeRunAt(tx, tenant, { queue: 'q', key, ...(runAt === undefined ? {} : { runAt }) }),
    );
  const seen: string[] = [];
  const moved: boolean[] = [];
  work(jobs, async (batch) => {
    for (const { key } of batch) {
      seen.push(key);
      moved.push(await move(key, later));
    }
    await completeAll(jobs, batch);
  });
  expect(await move('gone')).toBe(false);
  expect(await move('waits', later)).toBe(true);
  expect(await move('waits')).toBe(true);
  await expect.poll(() => seen).toEqual(['waits']);
  expect(moved).toEqual([false]);
});

test('jobs of `runNow` become due in the order given, none later than before', async () => {
  const jobs = await node();
  const later = new Date(Date.now() + 3_600_000);
  const keys = Array.from({ length: 1_200 }, (_, index) => `far-${index}`);
  await put(jobs, keys, tenant, { runAt: later });
  await put(jobs, ['due'], tenant);
  await put(jobs, ['elsewhere'], randomUUID(), { runAt: later });
  const hasten = (wanted: string[]) =>
    kit.db.tenant(tenant, (tx) => jobs.runNow(tx, tenant, 'q', wanted));
  await hasten([...keys.toReversed(), 'due', 'elsewhere', 'gone']);
  const rows = await kit.db.tenant(tenant, (tx) =>
    tx.rows<{ key: string; seconds: number }>(
      'select key, extract(epoch from run_at - now())::float8 as seconds from job order by run_at, id',
    ),
  );
  expect(rows.map(({ key }) => key)).toEqual(['due', ...keys.toReversed()]);
  expect(rows.at(-1)!.seconds).toBeLessThan(10);
  expect(rows.at(-1)!.seconds - rows[1]!.seconds).toBeGreaterThan(1);
});

test('a claim does not read the jobs that wait for later', async () => {
  const jobs = await node();
  await sqlAt(
    kit.url,
    `insert into job (tenant_id, queue, key, payload, run_at)
     select '${tenant}', 'q', 'later' || n, '{}', now() + interval '1 hour'
     from generate_series(1, 20000) n`,
  );
  await sqlAt(kit.url, 'analyze job');
  const read = async () => {
    const sql = `select idx_tup_read as n from pg_stat_user_indexes where indexrelname = 'job_due'`;
    return Number((await sqlAt<{ n: string }>(kit.url, sql))[0]!.n);
  };
  const before = await read();
  await put(jobs, ['now']);
  const claim = { queue: 'q', tenants: [tenant], share: 100, wanted: 100, leaseMs: 60_000 };
  const claimed = await claimJobs(kit.db, { ...claim, claimId: randomUUID() });
  // On the same connection, as the pool has no other idle one.
  await kit.db.call('select pg_stat_force_next_flush()', []);
  expect(claimed.map(({ key }) => key)).toEqual(['now']);
  // Far less than the 20,000 that wait; statistics of earlier statements may arrive meanwhile.
  expect((await read()) - before).toBeLessThan(10_000);
});

test('the jobs of a suspended tenant wait, and hold up nobody', async () => {
  const jobs = await node({ pollMs: 20 });
  const [suspended, other] = [randomUUID(), randomUUID()].sort();
  const suspend = (at: string) =>
    sqlAt(
      kit.url,
      `insert into tenant (id, name, suspended_at) values ('${suspended}', 'Acme', ${at})
       on conflict (id) do update set suspended_at = excluded.suspended_at`,
    );
  await suspend('now()');
  await put(jobs, ['a', 'doubtful'], suspended);
  await sqlAt(kit.url, `update job set attempts = 7 where key = 'doubtful'`);
  const done: string[] = [];
  work(jobs, async (batch) => {
    done.push(...batch.map(({ key }) => key));
    await completeAll(jobs, batch);
  });
  await put(jobs, ['b'], other);
  await expect.poll(() => done).toEqual(['b']);
  await suspend('null');
  await expect.poll(() => [...done].sort()).toEqual(['a', 'b', 'doubtful']);
});
