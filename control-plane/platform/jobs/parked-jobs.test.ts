import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { eventually } from '../../../test/kit/eventually.ts';
import { sqlAt, startDb, type TestDb } from '../../../test/kit/postgres.ts';
import { createLog } from '../log/log.ts';
import { createMetrics, type Metrics } from '../metrics/metrics.ts';
import { byTenant, type Job } from './job.ts';
import { type Jobs, type JobsOptions, openJobs } from './jobs.ts';
import { listParkedJobs, retryParkedJob } from './parked-job-store.ts';
import type { Worker, WorkOptions } from './worker.ts';

let kit: TestDb;
let metrics: Metrics;
let closing: (() => Promise<void>)[] = [];
const [tenant, otherTenant] = [randomUUID(), randomUUID()];

beforeAll(async () => {
  kit = await startDb({ poolMax: 8 });
});
afterAll(() => kit.stop());
beforeEach(async () => {
  metrics = createMetrics();
  await sqlAt(kit.url, 'truncate job');
});
afterEach(async () => {
  for (const close of closing.reverse()) await close();
  closing = [];
});

async function node(options: Partial<JobsOptions> = {}): Promise<Jobs> {
  const jobs = await openJobs({
    db: kit.db,
    log: createLog({ level: 'silent' }),
    metrics,
    newClaimId: randomUUID,
    pollMs: 50,
    lossesMax: 3,
    ...options,
  });
  closing.push(() => jobs.close());
  return jobs;
}

function work(jobs: Jobs, options: Pick<WorkOptions, 'handler'> & Partial<WorkOptions>): Worker {
  const worker = jobs.work({ queue: 'q', batch: 10, concurrency: 4, ...options });
  closing.push(() => worker.stop(0));
  return worker;
}

const put = (jobs: Jobs, keys: readonly string[], tenantId = tenant) =>
  kit.db.tenant(tenantId, (tx) =>
    jobs.enqueue(
      tx,
      tenantId,
      keys.map((key) => ({ queue: 'q', key })),
    ),
  );

async function complete(jobs: Jobs, batch: readonly Job[]): Promise<void> {
  for (const [tenantId, own] of byTenant(batch)) {
    await kit.db.tenant(tenantId, (tx) => jobs.complete(tx, tenantId, own));
  }
}

const parked = () =>
  kit.db.system((tx) => listParkedJobs(tx, { queue: undefined, tenantId: undefined, max: 100 }));

test('a job that kills its process each time is parked, and every other job is done', {
  timeout: 120_000,
}, async () => {
  const jobs = await node();
  await put(jobs, ['poison', ...Array.from({ length: 30 }, (_, n) => `k${n}`)]);
  await put(jobs, ['other'], otherTenant);
  let deaths = 0;
  for (let isParked = false; !isParked; ) {
    const child = spawn(process.execPath, [join(import.meta.dirname, 'poison.fixture.ts')], {
      env: { ...process.env, APP_URL: kit.appUrl },
    });
    const exited = once(child, 'exit').then(() => (deaths += 1));
    await Promise.race([exited, eventually(async () => expect(await parked()).toHaveLength(1))]);
    isParked = (await parked()).length === 1;
    if (!isParked) await exited;
    else {
      await eventually(async () => expect(await sqlAt(kit.url, 'select from job')).toHaveLength(1));
      child.kill('SIGKILL');
      await exited;
    }
  }
  expect(deaths).toBe(3 + 1); // the last one by this test
  expect(await parked()).toMatchObject([{ key: 'poison', losses: 3, claim_id: null }]);
});

test('jobs that the next loss would park are worked on one at a time, tenants in turn', async () => {
  const jobs = await node();
  await put(jobs, ['a1', 'a2', 'a3']);
  await put(jobs, ['b1'], otherTenant);
  await sqlAt(kit.url, 'update job set losses = 2');
  let underWay = 0;
  const seen: string[][] = [];
  work(jobs, {
    handler: async (batch) => {
      underWay += 1;
      expect(underWay).toBe(1);
      seen.push(batch.map(({ key }) => key));
      await complete(jobs, batch);
      underWay -= 1;
    },
  });
  await eventually(() => expect(seen).toHaveLength(4));
  expect(seen.every((batch) => batch.length === 1)).toBe(true);
  expect(seen.slice(0, 2).flat()).toContain('b1');
});

test.each([
  [2, 10],
  [3, 4],
  [4, 1],
])('of jobs that were lost %i times in a row %i are worked on together', async (losses, most) => {
  const jobs = await node({ lossesMax: 5 });
  await put(jobs, ['failing', ...Array.from({ length: 20 }, (_, n) => `k${n}`)]);
  await sqlAt(kit.url, `update job set losses = ${losses}, attempts = ${losses}`);
  await sqlAt(kit.url, `update job set attempts = 5 where key = 'failing'`);
  const batches: string[][] = [];
  work(jobs, {
    handler: async (batch) => {
      batches.push(batch.map(({ key }) => key));
      await complete(jobs, batch);
    },
  });
  await eventually(() => expect(batches.flat()).toHaveLength(21));
  expect(Math.max(...batches.map(({ length }) => length))).toBe(most);
  expect(batches).toContainEqual(['failing']);
});

test('a doubtful job does not delay others, and a job that failed five times is worked on alone', async () => {
  const jobs = await node();
  await put(jobs, ['failing', 'first']);
  await sqlAt(kit.url, `update job set attempts = 5 where key = 'failing'`);
  const held = Promise.withResolvers<void>();
  const batches: string[][] = [];
  work(jobs, {
    handler: async (batch) => {
      batches.push(batch.map(({ key }) => key));
      if (batch[0]!.key === 'failing') await held.promise;
      await complete(jobs, batch);
    },
  });
  await eventually(() => expect(batches).toHaveLength(2));
  await put(jobs, ['second']);
  await eventually(() => expect(batches).toHaveLength(3));
  expect(new Set(batches.map(String))).toEqual(new Set(['failing', 'first', 'second']));
  held.resolve();
  await eventually(async () => expect(await sqlAt(kit.url, 'select from job')).toEqual([]));
});

test.each([
  ['lost', 'losses = 2, claim_id = gen_random_uuid(), claimed_at = now()'],
  ['failed', 'attempts = 150'],
])('a job that %s too often is parked: counted, told, and claimed no more', async (_, set) => {
  const jobs = await node();
  await put(jobs, ['a']);
  await sqlAt(kit.url, `update job set ${set}, last_error = 'Error: bad'`);
  const told: string[] = [];
  work(jobs, {
    handler: async () => expect.fail('must not run'),
    parked: async (tx, job) => {
      expect(await tx.row('select from job where tenant_id = $1', [job.tenantId])).toBeDefined();
      told.push(job.key);
    },
  });
  await eventually(async () => expect(await parked()).toHaveLength(1));
  expect(told).toEqual(['a']);
  await jobs.countParked();
  const text = await metrics.registry.metrics();
  expect(text).toContain('drawbridge_jobs_parked{queue="q"} 1');
  expect(text).toContain('drawbridge_jobs_total{queue="q",outcome="parked"} 1');
  const change = kit.db.tenant(tenant, (tx) =>
    jobs.changeRunAt(tx, tenant, { queue: 'q', key: 'a' }),
  );
  expect(await change).toBe(false);
  expect(await put(jobs, ['a'])).toBe(0);
});

test('a parked job that is retried begins with its counts at zero', async () => {
  const jobs = await node();
  await put(jobs, ['a']);
  await sqlAt(kit.url, 'update job set parked_at = now(), losses = 3, attempts = 9');
  const [row] = await parked();
  expect(await kit.db.tenant(otherTenant, (tx) => retryParkedJob(tx, otherTenant, row!.id))).toBe(
    false,
  );
  expect(await kit.db.tenant(tenant, (tx) => retryParkedJob(tx, tenant, row!.id))).toBe(true);
  const seen = Promise.withResolvers<Job>();
  work(jobs, {
    handler: async (batch) => {
      await complete(jobs, batch);
      seen.resolve(batch[0]!);
    },
  });
  expect(await seen.promise).toMatchObject({ key: 'a', attempt: 1 });
});

test('a loss after a long time is not counted: the job did not cause it', async () => {
  const jobs = await node();
  await put(jobs, ['a']);
  await sqlAt(
    kit.url,
    `update job set losses = 2, claim_id = gen_random_uuid(),
       claimed_at = now() - interval '5 minutes', run_at = now()`,
  );
  const seen = Promise.withResolvers<void>();
  work(jobs, {
    handler: async () => {
      seen.resolve();
      await new Promise(() => {});
    },
  });
  await seen.promise;
  expect(await sqlAt(kit.url, 'select losses from job')).toEqual([{ losses: 0 }]);
});

test('no job is claimed before the node may take jobs', async () => {
  const [gate, seen] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const jobs = await node({ mayTake: gate.promise });
  let isTaken = false;
  const worker = work(jobs, {
    handler: async (batch) => {
      isTaken = true;
      await complete(jobs, batch);
      seen.resolve();
    },
  });
  await put(jobs, ['a']);
  worker.wake();
  const other = await node();
  await other.countParked(); // a claim would have been sent before this statement
  expect(isTaken).toBe(false);
  gate.resolve();
  await seen.promise;
});
