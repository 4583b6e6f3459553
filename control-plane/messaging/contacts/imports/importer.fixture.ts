/** A node that takes imports over until it is killed. */
import { randomBytes } from 'node:crypto';
import { openDb } from '../../../platform/db/database.ts';
import { newUuid } from '../../../platform/ids.ts';
import { openJobs } from '../../../platform/jobs/jobs.ts';
import { createLog } from '../../../platform/log/log.ts';
import { createMetrics } from '../../../platform/metrics/metrics.ts';
import { startImporting } from './apply.ts';

const clock = () => new Date();
const db = await openDb({ url: process.env.APP_URL! });
const jobs = await openJobs({
  ...{ db, log: createLog({ level: 'silent' }), metrics: createMetrics() },
  newClaimId: () => newUuid(clock, randomBytes),
  leaseMs: 700,
});
startImporting({ db, jobs, clock, random: randomBytes });
