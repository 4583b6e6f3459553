/** A worker process that completes jobs, and dies with each job whose key is `poison`. */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { openDb } from '../db/database.ts';
import { createLog } from '../log/log.ts';
import { createMetrics } from '../metrics/metrics.ts';
import { byTenant } from './job.ts';
import { openJobs } from './jobs.ts';

const db = await openDb({ url: process.env.APP_URL! });
const jobs = await openJobs({
  db,
  log: createLog({ level: 'silent' }),
  metrics: createMetrics(),
  newClaimId: randomUUID,
  leaseMs: 1_000,
  pollMs: 100,
  lossesMax: 3,
});
jobs.work({
  queue: 'q',
  batch: 10,
  concurrency: 2,
  handler: async (batch) => {
    await delay(20);
    if (batch.some(({ key }) => key === 'poison')) process.kill(process.pid, 'SIGKILL');
    for (const [tenantId, own] of byTenant(batch)) {
      await db.tenant(tenantId, (tx) => jobs.complete(tx, tenantId, own));
    }
  },
});
