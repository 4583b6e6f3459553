import type { Registry } from 'prom-client';
import type { Db } from '../db/database.ts';
import { addReadGauges, type ReadGaugesContext } from '../metrics/read-gauges.ts';
import type { Jobs } from './jobs.ts';
import { countWaitingJobs } from './waiting-job-store.ts';

/** What is looked at in each queue at most; beyond it the gauges show a part. */
const max = { tenants: 2_000, jobs: 100_000 };

/** Adds the gauges of what waits in the queues of all nodes. */
export function addJobGauges(
  registry: Registry,
  context: ReadGaugesContext & { readonly db: Db; readonly jobs: Jobs },
): void {
  const { db, jobs } = context;
  const labels = ['queue'];
  addReadGauges(registry, context, {
    gauges: {
      drawbridge_jobs_waiting: {
        help: `Due jobs of all nodes that none works on, up to ${max.jobs} of each queue`,
        labels,
      },
      drawbridge_jobs_waiting_oldest_seconds: {
        help: 'Since the job that has waited longest became due',
        labels,
      },
    },
    read: async () => {
      const rows = await db.system((tx) => countWaitingJobs(tx, jobs.queues(), max));
      return rows.flatMap(({ queue, jobs: waiting, oldest_seconds }) => [
        { gauge: 'drawbridge_jobs_waiting', labels: { queue }, value: waiting },
        {
          gauge: 'drawbridge_jobs_waiting_oldest_seconds',
          labels: { queue },
          value: oldest_seconds,
        },
      ]);
    },
  });
}
