/** A node that reads files and runs imports until the test kills it. */
import { randomBytes } from 'node:crypto';
import { LoopTurns } from '../../../platform/concurrency/loop-turns.ts';
import { openThreadPool } from '../../../platform/concurrency/thread-pool.ts';
import { openDb } from '../../../platform/db/database.ts';
import { newUuid } from '../../../platform/ids.ts';
import { openJobs } from '../../../platform/jobs/jobs.ts';
import { createLog } from '../../../platform/log/log.ts';
import { createMetrics } from '../../../platform/metrics/metrics.ts';
import { sheetThread } from './file-reader.ts';
import { startImporter } from './importer.ts';
import { startFileReading } from './preview.ts';

const clock = () => new Date();
const db = await openDb({ url: process.env.APP_URL! });
const jobs = await openJobs({
  db,
  log: createLog({ level: 'silent' }),
  metrics: createMetrics(),
  newClaimId: () => newUuid(clock, randomBytes),
  leaseMs: 700,
});
const context = {
  db,
  jobs,
  clock,
  random: randomBytes,
  turns: new LoopTurns({ stopwatch: () => performance.now() }),
  threads: openThreadPool({ program: sheetThread, threads: 1 }),
};
startFileReading(context);
startImporter(context);
