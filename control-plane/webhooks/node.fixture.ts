/** A process that delivers and replays, and says so: to be killed. */
import { randomBytes, randomUUID } from 'node:crypto';
import { openDb } from '../platform/db/database.ts';
import { openJobs } from '../platform/jobs/jobs.ts';
import { createLog } from '../platform/log/log.ts';
import { createMetrics } from '../platform/metrics/metrics.ts';
import { createSecrets } from '../platform/secrets/secrets.ts';
import { startDelivery } from './delivery.ts';
import { startReplays } from './replays.ts';

const db = await openDb({ url: process.env.APP_URL! });
const log = createLog({ level: 'silent' });
const metrics = createMetrics();
const clock = () => new Date();
await startDelivery({
  db,
  seal: createSecrets(process.env.SEAL_KEY!),
  clock,
  stopwatch: () => performance.now(),
  random: randomBytes,
  log,
  metrics,
  keepBackMs: 600_000,
  allowLoopback: true,
  limits: { leaseMs: 2_000, leaseMarginMs: 500, renewMs: 400 },
});
const jobs = await openJobs({ db, log, metrics, newClaimId: randomUUID, leaseMs: 2_000 });
startReplays({ db, jobs, clock, log });
process.stdout.write('started\n');
