import { busy } from '@drawbridge/concurrency/semaphore.ts';
import type { ListOutcome } from '@drawbridge/connectors/contract.ts';
import type { Environment } from '../../platform/auth/principal.ts';
import { newId } from '../../platform/ids.ts';
import type { Job } from '../../platform/jobs/job.ts';
import { type ConnectorRow, findConnectors } from '../connectors/store.ts';
import {
  completeJobs,
  type PipelineContext,
  type PipelineJobPayload,
  type Postponement,
  reschedule,
  retryLater,
  retryWhenFree,
} from '../pipeline/work-item.ts';
import { sourceJob } from './from-source.ts';

/** The queue of sources of suppliers' documents that are listed here, as no agent watches them. */
export const listingQueue = 'received-listing';

/** The payload of a job of that queue: there is one for each source, as long as it is to be listed. */
export interface ListingJobPayload extends PipelineJobPayload {
  readonly connector: string;
  /** How far it was listed; left out: from the beginning. */
  readonly cursor?: string | undefined;
}

export interface ListingContext
  extends Pick<PipelineContext, 'db' | 'jobs' | 'clock' | 'random' | 'concurrency'> {
  readonly lists: SourceLists;
  /** Between two listings of a source. */
  readonly listEveryMs: number;
}

/** Lists documents of sources that are open here. */
export interface SourceLists {
  list(
    tenantId: string,
    connector: ConnectorRow,
    environment: Environment,
    cursor: string | undefined,
    signal: AbortSignal,
  ): Promise<ListOutcome>;
  /** Closes a source; it is opened anew when it is used. */
  closeConnector(id: string): Promise<void>;
}

const listTimeoutMs = 60_000;

/** The job of a source; one that is there already goes on where it is. */
export function listingJob(environment: Environment, connector: string) {
  const payload: ListingJobPayload = { environment, connector };
  return { queue: listingQueue, key: `${environment} ${connector}`, payload };
}

/**
 * Lists one page of a source and has each of its documents taken in. The place where it goes on is stored
 * with their jobs, so that none is lost and a page that comes twice is known by its documents.
 */
export async function listSource(
  context: ListingContext,
  job: Job<ListingJobPayload>,
): Promise<void> {
  const { db, clock, random, jobs } = context;
  const { tenantId, payload } = job;
  const { environment, connector: id } = payload;
  const [connector] = await db.tenant(tenantId, (tx) => findConnectors(tx, tenantId, [id]));
  const isWanted = connector?.receives[environment] !== undefined && connector.agent_id === null;
  if (connector === undefined || !isWanted) {
    return db.tenant(tenantId, (tx) => completeJobs(context, tx, tenantId, [{ job }]));
  }
  const outcome = await context.concurrency.sources.run(tenantId, id, () =>
    context.lists.list(
      tenantId,
      connector,
      environment,
      payload.cursor,
      AbortSignal.timeout(listTimeoutMs),
    ),
  );
  const now = clock();
  const stored = db.tenant(tenantId, async (tx) => {
    // First, because it throws when another worker has the job, and then nothing is stored.
    await reschedule(context, tx, tenantId, [postponementOf(context, job, outcome, now)]);
    if (outcome === busy || outcome.kind !== 'page') return;
    const listing = newId('lst', () => now, random);
    const found = outcome.refs.map((ref) => sourceJob(listing, environment, id, ref));
    await jobs.enqueue(tx, tenantId, found);
  });
  await stored.catch(async (error: unknown) => {
    // A source that remembers what it has listed would not list it again.
    await context.lists.closeConnector(id);
    throw error;
  });
}

function postponementOf(
  { listEveryMs }: ListingContext,
  job: Job<ListingJobPayload>,
  outcome: ListOutcome | typeof busy,
  now: Date,
): Postponement {
  const item = { job };
  if (outcome === busy) return retryWhenFree(item, now);
  const { environment, connector } = job.payload;
  if (outcome.kind === 'page') {
    const at = new Date(now.getTime() + (outcome.more ? 0 : listEveryMs));
    const payload: ListingJobPayload = { environment, connector, cursor: outcome.cursor };
    return { item, at, payload };
  }
  const { code, message, retry } = outcome.fault;
  if (code === 'cursor_invalid' && job.payload.cursor !== undefined) {
    // Its settings changed: what was taken in is known when it is listed again.
    const payload: ListingJobPayload = { environment, connector, cursor: undefined };
    return { item, at: now, payload, error: message };
  }
  const afterMs = typeof retry === 'object' ? retry.afterSeconds * 1_000 : listEveryMs;
  return retryLater(item, now, message, afterMs);
}
