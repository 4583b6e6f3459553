/** A node that runs imports until the test kills it. */
import { randomBytes } from 'node:crypto';
import { openDb } from '../../../platform/db/database.ts';
import { newUuid } from '../../../platform/ids.ts';
import { openJobs } from '../../../platform/jobs/jobs.ts';
import { createLog } from '../../../platform/log/log.ts';
import { createMetrics } from '../../../platform/metrics/metrics.ts';
import { startImporter } from './importer.ts';

const clock = () => new Date();
const db = await openDb({ url: process.env.APP_URL! });
const jobs = await openJobs({
  db,
  log: createLog({ level: 'silent' }),
  metrics: createMetrics(),
  newClaimId: () => newUuid(clock, randomBytes),
  leaseMs: 700,
});
startImporter({ db, jobs, clock, random: randomBytes });
