/** What the platform can do on a machine: `await benchPlatform(db, clock)`. */
import { randomBytes, randomUUID } from 'node:crypto';
import type { Db } from './db/database.ts';
import { type Clock, newUuid } from './ids.ts';
import { byTenant } from './jobs/job.ts';
import { openJobs } from './jobs/jobs.ts';
import { createLimits } from './limits/limits.ts';
import { createLog } from './log/log.ts';
import { createMetrics } from './metrics/metrics.ts';

const jobCount = 20_000;
const takeCount = 20_000;

/** One figure, ready to be printed as a line of JSON. */
export interface Figure {
  readonly name: string;
  readonly count: number;
  readonly perSecond: number;
}

/** Measures jobs and limits on a migrated database that writes to disk as production does. */
export async function benchPlatform(db: Db, clock: Clock): Promise<Figure[]> {
  return [...(await benchJobs(db, clock)), ...(await benchLimits(db, clock))];
}

/** Jobs put in by transactions of 100, then done by one worker in batches of 100, over four tenants. */
async function benchJobs(db: Db, clock: Clock): Promise<Figure[]> {
  const jobs = await openJobs({
    ...{ db, log: createLog({ level: 'error' }), metrics: createMetrics() },
    newClaimId: () => newUuid(clock, randomBytes),
  });
  const tenants = Array.from({ length: 4 }, () => randomUUID());
  const putIn = await figure('jobs put in', jobCount, async () => {
    for (let n = 0; n < jobCount; n += 100) {
      const tenantId = tenants[(n / 100) % 4]!;
      const batch = Array.from({ length: 100 }, (_, k) => ({ queue: 'bench', key: `${n + k}` }));
      await db.tenant(tenantId, (tx) => jobs.enqueue(tx, tenantId, batch));
    }
  });
  const done = await figure('jobs done', jobCount, async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    let ended = 0;
    const worker = jobs.work({
      ...{ queue: 'bench', batch: 400, concurrency: 2 },
      handler: async (batch) => {
        const groups = [...byTenant(batch)];
        await Promise.all(
          groups.map(([id, own]) => db.tenant(id, (tx) => jobs.complete(tx, id, own))),
        );
        ended += batch.length;
        if (ended === jobCount) resolve();
      },
    });
    await promise;
    await worker.stop(1_000);
  });
  await jobs.close();
  return [putIn, done];
}

/** Single requests counted by 100 callers at once, each key far from its limit. */
async function benchLimits(db: Db, clock: Clock): Promise<Figure[]> {
  const limits = createLimits({ db, clock });
  const limit = { max: 100_000, windowMs: 1_000 };
  const figures: Figure[] = [];
  for (const keys of [1, 100]) {
    const measured = await figure(`limit grants, ${keys} key(s)`, takeCount, async () => {
      const callers = Array.from({ length: 100 }, async (_, caller) => {
        for (let n = 0; n < takeCount / 100; n += 1) {
          await limits.count(`bench ${keys} ${caller % keys}`, limit);
        }
      });
      await Promise.all(callers);
    });
    figures.push(measured);
  }
  return figures;
}

async function figure(name: string, count: number, work: () => Promise<void>): Promise<Figure> {
  const startedAt = performance.now();
  await work();
  const seconds = (performance.now() - startedAt) / 1_000;
  return { name, count, perSecond: Math.round(count / seconds) };
}
