import type { Job } from '../../platform/jobs/job.ts';
import { settleEach } from '../pipeline/settle-each.ts';
import { createConcurrencyLimits } from '../pipeline/workers.ts';
import { type ImportContext, importDraft } from './import-draft.ts';
import { type ImportJobPayload, importQueue } from './import-jobs.ts';
import { type NetworkContext, startNetworkPolling } from './network-polling.ts';

const batchMax = 20;
const concurrency = 2;

/** Starts what takes in documents of suppliers, and what puts them into ERPs. */
export function startReceiving(
  given: NetworkContext & Omit<ImportContext, 'concurrency'>,
  pollEveryMs: number,
): {
  stop(graceMs: number): Promise<void>;
} {
  const context = { ...given, concurrency: createConcurrencyLimits() };
  const worker = context.jobs.work({
    queue: importQueue,
    batch: batchMax,
    concurrency,
    handler: (claimed: readonly Job<ImportJobPayload>[]) =>
      settleEach(context.log, claimed, (job) => importDraft(context, job)),
  });
  const polling = startNetworkPolling(context, pollEveryMs);
  return {
    stop: async (graceMs) => {
      await Promise.all([polling.stop(), worker.stop(graceMs)]);
    },
  };
}
