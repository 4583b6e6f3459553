import type { busy, KeyedSemaphore } from '@drawbridge/concurrency/semaphore.ts';
import type { ReadOutcome } from '@drawbridge/connectors/contract.ts';
import type { Environment } from '../../platform/auth/principal.ts';
import type { Db } from '../../platform/db/database.ts';
import type { Tx } from '../../platform/db/tx.ts';
import type { Clock, RandomBytes } from '../../platform/ids.ts';
import type { Job } from '../../platform/jobs/job.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import type { Log } from '../../platform/log/log.ts';
import type { Metrics } from '../../platform/metrics/metrics.ts';
import type { ConnectorRow } from '../connectors/store.ts';
import type { DocumentChecker } from '../document-checks/document-checker.ts';
import type { InvoiceRow } from '../invoices/store.ts';
import type { AuthorityGateway } from './submission/authority-gateway.ts';
import type { PullPortions } from './validation/pull-portions.ts';

/** Bounds the calls that are under way at once: to each source or authority, and of each tenant. */
interface BoundedCalls {
  /** Does the work when it may; `busy` when that took too long. Rejects as `work` does. */
  run<Result>(
    tenantId: string,
    target: string,
    work: () => Promise<Result>,
  ): Promise<Result | typeof busy>;
}

/** What the steps work with. */
export interface PipelineContext {
  readonly db: Db;
  readonly jobs: Jobs;
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly checker: DocumentChecker;
  readonly authorities: AuthorityGateway;
  readonly sources: Sources;
  /** Waits, for a short while at most, until no request is under way. */
  readonly yieldToRequests: () => Promise<void>;
  /** Limits of the calls to sources and to authorities. */
  readonly concurrency: {
    readonly sources: BoundedCalls;
    readonly authorities: BoundedCalls;
    /** Of each tenant. */
    readonly largePulls: KeyedSemaphore;
  };
  readonly pullPortions: PullPortions;
  readonly settings: PipelineSettings;
}

interface PipelineSettings {
  /** How long a source may stay unreachable before its invoices are rejected. */
  readonly sourceGiveUpMs: number;
  /** How long after submission an authority is asked for its verdict. */
  readonly authorityGiveUpMs: number;
}

/** Reads documents through a tenant's connectors; many of one connector at once. */
export interface Sources {
  read(
    tenantId: string,
    connector: ConnectorRow,
    refs: readonly string[],
    signal: AbortSignal,
  ): Promise<readonly ReadOutcome[]>;
}

/** What a job of the pipeline keeps from one attempt to the next. */
export interface PipelineJobPayload {
  readonly environment: Environment;
  /** Consecutive attempts that failed for an outside reason. */
  readonly failures?: number;
  /** When the first of them failed, ISO 8601. */
  readonly firstFailedAt?: string;
  /** Why it was not validated the last time, in words for the client. */
  readonly waitsBecause?: string;
  /** When it was tried for the first time, and when it was to be tried next; ISO 8601. */
  readonly firstTriedAt?: string;
  readonly dueAt?: string;
  /** How long nobody tried it though it was due, in all. */
  readonly untriedMs?: number;
}

/** An invoice with the job that a worker holds for it. */
export interface WorkItem {
  readonly job: Job<PipelineJobPayload>;
  readonly invoice: InvoiceRow;
}

/** The work items of those jobs whose invoice exists and `isOpen`; completes the other jobs. */
export async function openWorkItems(
  context: PipelineContext,
  tx: Tx,
  tenantId: string,
  from: {
    readonly jobs: readonly Job<PipelineJobPayload>[];
    readonly invoices: readonly InvoiceRow[];
    readonly isOpen: (invoice: InvoiceRow) => boolean;
  },
): Promise<readonly WorkItem[]> {
  const { jobs, invoices, isOpen } = from;
  const byId = new Map(invoices.map((invoice) => [invoice.id, invoice]));
  const items: WorkItem[] = [];
  const over: Pick<WorkItem, 'job'>[] = [];
  for (const job of jobs) {
    const invoice = byId.get(job.key);
    if (invoice !== undefined && isOpen(invoice)) items.push({ job, invoice });
    else over.push({ job });
  }
  await completeJobs(context, tx, tenantId, over);
  return items;
}

/** Completes the jobs of items with nothing left to do, in the transaction that finished them. */
export async function completeJobs(
  { jobs }: Pick<PipelineContext, 'jobs'>,
  tx: Tx,
  tenantId: string,
  items: readonly Pick<WorkItem, 'job'>[],
): Promise<void> {
  if (items.length > 0)
    await jobs.complete(
      tx,
      tenantId,
      items.map(({ job }) => job),
    );
}

/** When an item goes on, and the error that postponed it. */
export interface Postponement {
  readonly item: Pick<WorkItem, 'job'>;
  readonly at: Date;
  readonly payload: PipelineJobPayload;
  readonly error?: string;
}

/**
 * Postpones items until their time. Throws LeaseLost when another worker has taken them over.
 */
export async function reschedule(
  { jobs, clock }: Pick<PipelineContext, 'jobs' | 'clock'>,
  tx: Tx,
  tenantId: string,
  postponements: readonly Postponement[],
): Promise<void> {
  if (postponements.length === 0) return;
  const now = clock();
  await jobs.reschedule(
    tx,
    tenantId,
    postponements.map(({ item: { job }, at, payload, error }) => ({
      job,
      runAt: at,
      // Other members of the payload stay.
      payload: {
        ...job.payload,
        failures: undefined,
        firstFailedAt: undefined,
        ...payload,
        firstTriedAt: firstTriedAt(job, now).toISOString(),
        dueAt: at.toISOString(),
        untriedMs: untriedMs(job, now),
      },
      ...(error === undefined ? {} : { error }),
    })),
  );
}

/** Postpones an item until `at`, without a failure. */
export function waitUntil(item: Pick<WorkItem, 'job'>, at: Date): Postponement {
  return { item, at, payload: { environment: item.job.payload.environment } };
}

/** Postpones an item after an outside failure: soon at first, then by five minutes. */
export function retryLater(
  item: Pick<WorkItem, 'job'>,
  now: Date,
  error: string,
  afterMs?: number,
): Postponement {
  const { environment, failures = 0, firstFailedAt = now.toISOString() } = item.job.payload;
  const payload = { environment, failures: failures + 1, firstFailedAt };
  return { item, at: retryAt(now, failures, afterMs), payload, error };
}

/** Postpones an item because its source or authority has no free call; that is not a failure. */
export function retryWhenFree(item: Pick<WorkItem, 'job'>, now: Date): Postponement {
  const { firstFailedAt = now.toISOString(), ...kept } = item.job.payload;
  const at = new Date(now.getTime() + busyDelayMs);
  return { item, at, payload: { ...kept, firstFailedAt }, error: 'busy' };
}

const busyDelayMs = 5_000;
const retryDelaysSeconds = [1, 2, 5, 15, 30, 60, 120, 300] as const;

/** Whether a job has failed for so long that its source is given up. */
export function isSourceGivenUp(
  { settings }: Pick<PipelineContext, 'settings'>,
  job: Job<PipelineJobPayload>,
  now: Date,
): boolean {
  const { firstFailedAt } = job.payload;
  return (
    firstFailedAt !== undefined &&
    triedForMs(job, new Date(firstFailedAt), now) > settings.sourceGiveUpMs
  );
}

/**
 * For how long a job has been tried since then, in milliseconds. Time in which it was due and nobody tried it does
 * not count: its tenant was suspended, or no node ran.
 */
export function triedForMs(job: Job<PipelineJobPayload>, since: Date, now: Date): number {
  const begunMs = Math.max(since.getTime(), firstTriedAt(job, now).getTime());
  return Math.max(0, now.getTime() - begunMs - untriedMs(job, now));
}

function firstTriedAt({ payload }: Job<PipelineJobPayload>, now: Date): Date {
  return payload.firstTriedAt === undefined ? now : new Date(payload.firstTriedAt);
}

/** A job comes so late when many wait for one source, which is tried all the while. */
const lateMsMax = 3_600_000;

function untriedMs({ payload }: Job<PipelineJobPayload>, now: Date): number {
  const { dueAt, untriedMs: before = 0 } = payload;
  const lateMs = dueAt === undefined ? 0 : now.getTime() - Date.parse(dueAt);
  return before + Math.max(0, lateMs - lateMsMax);
}

/** When to try again after that many failures, not before `afterMs` have passed. */
export function retryAt(now: Date, failures: number, afterMs = 0): Date {
  const seconds = retryDelaysSeconds[Math.min(failures, retryDelaysSeconds.length - 1)]!;
  return new Date(now.getTime() + Math.max(afterMs, seconds * 1_000));
}
