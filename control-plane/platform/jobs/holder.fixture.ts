/**
 * A worker process that claims a job, reports it, and never settles it; a test kills the process.
 */
import { randomUUID } from 'node:crypto';
import { openDb } from '../db/database.ts';
import { createLog } from '../log/log.ts';
import { createMetrics } from '../metrics/metrics.ts';
import { openJobs } from './jobs.ts';

const jobs = await openJobs({
  db: await openDb({ url: process.env.APP_URL! }),
  log: createLog({ level: 'silent' }),
  metrics: createMetrics(),
  newClaimId: randomUUID,
  leaseMs: 700,
});
jobs.work({
  queue: 'q',
  batch: 1,
  concurrency: 1,
  handler: async () => {
    process.stdout.write('held\n');
    await new Promise(() => {});
  },
});
