import type { Job } from '../../platform/jobs/job.ts';
import type { Worker } from '../../platform/jobs/worker.ts';
import { acknowledgeAtEnd } from './acknowledge.ts';
import { startListening } from './answers.ts';
import { apart } from './apart.ts';
import { type Arrival, takeArrivals } from './arrivals.ts';
import type { Memory, PipelineContext } from './course.ts';
import { type ForwardJob, forward } from './forward.ts';
import { Lanes } from './lanes.ts';
import { advance } from './pipeline.ts';
import { type WriteBackJob, type WriteBacks, writeBack } from './write-back.ts';

/**
 * Invoices that one call of the pipeline takes; bounds what a crash makes another worker look up.
 */
const batch = 100;
/** Calls of the pipeline at once: more than slow sources and authorities can hold together. */
const concurrency = 6;
const writeBackBatch = 20;

/** Calls to one source or authority at once, and how long a further one waits for its turn. */
const callsMax = { source: 2, authority: 3 };
const patienceMs = 2_000;

/** Starts taking the jobs of the pipeline. */
export function startPipeline(
  given: Omit<PipelineContext, 'lanes'>,
  writeBacks: WriteBacks,
): { stop(graceMs: number): Promise<void> } {
  const context: PipelineContext = { ...given, lanes: openLanes() };
  const { jobs, log } = context;
  const workers: Worker[] = [
    jobs.work({
      ...{ queue: 'invoice', batch, concurrency },
      handler: (claimed: readonly Job<Memory>[], signal) => advance(context, claimed, signal),
    }),
    jobs.work({
      ...{ queue: 'write-back', batch: writeBackBatch, concurrency },
      handler: (claimed: readonly Job<WriteBackJob>[]) =>
        apart(log, claimed, (job) => writeBack(context, writeBacks, job)),
    }),
    jobs.work({
      ...{ queue: 'arrival', batch, concurrency: 2 },
      handler: (claimed: readonly Job<Arrival>[]) => takeArrivals(context, claimed),
    }),
    jobs.work({
      ...{ queue: 'forward', batch, concurrency: 2 },
      handler: (claimed: readonly Job<ForwardJob>[]) => forward(context, claimed),
    }),
    jobs.work({
      ...{ queue: 'acknowledge', batch, concurrency: 1 },
      handler: (claimed: readonly Job<Memory>[]) => acknowledgeAtEnd(context, claimed),
    }),
  ];
  const listening = startListening(context);
  return {
    stop: async (graceMs) => {
      await Promise.all([listening.stop(), ...workers.map((worker) => worker.stop(graceMs))]);
    },
  };
}

/** The turns of one node. */
export function openLanes(): PipelineContext['lanes'] {
  return {
    sources: new Lanes(callsMax.source, patienceMs),
    authorities: new Lanes(callsMax.authority, patienceMs),
  };
}
