import { KeyedSemaphore } from '@drawbridge/concurrency/semaphore.ts';
import type { Tx } from '../../platform/db/tx.ts';
import type { Job } from '../../platform/jobs/job.ts';
import type { Worker } from '../../platform/jobs/worker.ts';
import { advance } from './advance.ts';
import { acknowledgeUncancelled } from './after-clearance/acknowledge.ts';
import { type ForwardJobPayload, forward } from './after-clearance/forward.ts';
import { startResponsePolling } from './buyer-responses/buyer-responses.ts';
import { type DocumentBatchJob, submitBatches } from './changed-documents/batches.ts';
import {
  type ChangedDocumentJobPayload,
  submitChangedDocuments,
} from './changed-documents/changed-documents.ts';
import { announceStalled } from './stalled.ts';
import { PullPortions } from './validation/pull-portions.ts';
import type { PipelineContext, PipelineJobPayload } from './work-item.ts';
import {
  type WriteBackJobPayload,
  type WriteBacks,
  writeAllBack,
} from './write-back/write-back.ts';

/**
 * Invoices that one call of the pipeline takes. After a crash another worker must look up as many.
 */
const batchMax = 100;
/** Calls of the pipeline at once: most of them wait for sources, authorities and the database. */
const concurrency = 12;
const writeBackBatchMax = 20;
/** Each has up to 200 documents. */
const documentBatchesMax = 4;

/** Of these, calls with invoices of one tenant: its slow sources and large documents leave some to the others. */
const tenantConcurrency = 6;
/**
 * Calls at once to one source, to all sources of a tenant, to one authority, and of these of one tenant,
 * whose large documents may each take seconds there; and how long a further one waits.
 */
const callsMax = { source: 2, tenant: 4, authority: 3, authorityOfTenant: 2 };
const concurrencyWaitMs = 2_000;

/** Starts the workers of the pipeline. */
export function startPipeline(
  given: Omit<PipelineContext, 'concurrency' | 'pullPortions'>,
  writeBacks: WriteBacks,
): { stop(graceMs: number): Promise<void> } {
  const context: PipelineContext = {
    ...given,
    concurrency: createConcurrencyLimits(),
    pullPortions: new PullPortions(batchMax),
  };
  const { jobs } = context;
  const parked = (tx: Tx, job: Job<unknown>) => announceStalled(tx, job, context);
  const workers: Worker[] = [
    jobs.work({
      queue: 'invoice',
      batch: batchMax,
      concurrency,
      tenantConcurrency,
      handler: (claimed: readonly Job<PipelineJobPayload>[], signal) =>
        advance(context, claimed, signal),
      parked,
    }),
    jobs.work({
      queue: 'write-back',
      batch: writeBackBatchMax,
      concurrency,
      tenantConcurrency: callsMax.tenant,
      handler: (claimed: readonly Job<WriteBackJobPayload>[]) =>
        writeAllBack(context, writeBacks, claimed),
      parked,
    }),
    jobs.work({
      queue: 'changed-document',
      batch: batchMax,
      concurrency: 2,
      handler: (claimed: readonly Job<ChangedDocumentJobPayload>[]) =>
        submitChangedDocuments(context, claimed),
    }),
    jobs.work({
      queue: 'document-batch',
      batch: documentBatchesMax,
      concurrency: 2,
      handler: (claimed: readonly DocumentBatchJob[]) => submitBatches(context, claimed),
    }),
    jobs.work({
      queue: 'forward',
      batch: batchMax,
      concurrency: 2,
      handler: (claimed: readonly Job<ForwardJobPayload>[]) => forward(context, claimed),
      parked,
    }),
    jobs.work({
      queue: 'acknowledge',
      batch: batchMax,
      concurrency: 1,
      handler: (claimed: readonly Job<PipelineJobPayload>[]) =>
        acknowledgeUncancelled(context, claimed),
      parked,
    }),
  ];
  const listening = startResponsePolling(context);
  return {
    stop: async (graceMs) => {
      await Promise.all([listening.stop(), ...workers.map((worker) => worker.stop(graceMs))]);
    },
  };
}

/** Limits how many calls of this node to each source, tenant and authority are under way at once. */
export function createConcurrencyLimits(): PipelineContext['concurrency'] {
  const giveUp = () => AbortSignal.timeout(concurrencyWaitMs);
  const sources = new KeyedSemaphore(callsMax.source, giveUp);
  const tenants = new KeyedSemaphore(callsMax.tenant, giveUp);
  const authorities = new KeyedSemaphore(callsMax.authority, giveUp);
  const shares = new KeyedSemaphore(callsMax.authorityOfTenant, giveUp);
  return {
    sources: {
      run: (tenantId, source, work) => sources.run(source, () => tenants.run(tenantId, work)),
    },
    authorities: {
      run: (tenantId, authority, work) =>
        shares.run(`${tenantId} ${authority}`, () => authorities.run(authority, work)),
    },
    largePulls: new KeyedSemaphore(1),
  };
}
