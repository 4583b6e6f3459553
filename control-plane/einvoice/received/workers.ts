import type { Job } from '../../platform/jobs/job.ts';
import { settleEach } from '../pipeline/settle-each.ts';
import type { PipelineJobPayload } from '../pipeline/work-item.ts';
import { createConcurrencyLimits } from '../pipeline/workers.ts';
import {
  receiveFromSource,
  type SourceContext,
  type SourceJobPayload,
  sourceQueue,
} from './from-source.ts';
import { type ImportContext, importDraft } from './import-draft.ts';
import { type ImportJobPayload, importQueue } from './import-jobs.ts';
import { type NetworkContext, startNetworkPolling } from './network-polling.ts';
import { lookAtRejection, rejectionEndQueue } from './rejection-end.ts';
import { warningQueue, warnOfRejectionEnd } from './rejection-warning.ts';
import { responseQueue } from './respond.ts';
import { type ResponseContext, sendResponse } from './send-response.ts';
import {
  type ListingContext,
  type ListingJobPayload,
  listingQueue,
  listSource,
} from './source-listing.ts';

const batch = 20;
const concurrency = 2;

/** Starts what takes in documents of suppliers, and what puts them into ERPs. */
export function startReceiving(
  given: NetworkContext &
    Omit<
      ImportContext & SourceContext & ListingContext & ResponseContext,
      'concurrency' | 'listEveryMs'
    >,
  pollEveryMs: number,
): { stop(graceMs: number): Promise<void> } {
  const context = { ...given, concurrency: createConcurrencyLimits(), listEveryMs: pollEveryMs };
  const { jobs, log } = context;
  const workers = [
    jobs.work({
      queue: sourceQueue,
      batch,
      concurrency,
      handler: (claimed: readonly Job<SourceJobPayload>[]) =>
        settleEach(log, claimed, (job) => receiveFromSource(context, job)),
    }),
    jobs.work({
      queue: importQueue,
      batch,
      concurrency,
      handler: (claimed: readonly Job<ImportJobPayload>[]) =>
        settleEach(log, claimed, (job) => importDraft(context, job)),
    }),
    jobs.work({
      queue: listingQueue,
      batch,
      concurrency,
      handler: (claimed: readonly Job<ListingJobPayload>[]) =>
        settleEach(log, claimed, (job) => listSource(context, job)),
    }),
    jobs.work({
      queue: responseQueue,
      batch,
      concurrency,
      handler: (claimed: readonly Job<PipelineJobPayload>[]) =>
        settleEach(log, claimed, (job) => sendResponse(context, job)),
    }),
    jobs.work({
      queue: warningQueue,
      batch,
      concurrency: 1,
      handler: (claimed: readonly Job<PipelineJobPayload>[]) =>
        settleEach(log, claimed, (job) => warnOfRejectionEnd(context, job)),
    }),
    jobs.work({
      queue: rejectionEndQueue,
      batch,
      concurrency: 1,
      handler: (claimed: readonly Job<PipelineJobPayload>[]) =>
        settleEach(log, claimed, (job) => lookAtRejection(context, job)),
    }),
  ];
  const polling = startNetworkPolling(context, pollEveryMs);
  return {
    stop: async (graceMs) => {
      await Promise.all([polling.stop(), ...workers.map((worker) => worker.stop(graceMs))]);
    },
  };
}
