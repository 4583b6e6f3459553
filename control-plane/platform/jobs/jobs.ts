/**
 * Jobs in PostgreSQL: enqueued in the caller's transaction, done by any node, settled in the
 * transaction that writes their result.
 *
 * ```ts
 * const jobs = await openJobs({ db, log, metrics, newClaimId: () => newUuid(clock, random) });
 *
 * await db.tenant(tenantId, async (tx) => {
 *   await insertInvoice(tx, tenantId, invoice);
 *   await jobs.enqueue(tx, tenantId, [{ queue: 'invoice', key: invoice.id }]);
 * });
 *
 * const worker = jobs.work({
 *   queue: 'invoice',
 *   batch: 50,
 *   concurrency: 2,
 *   handler: async (batch) => {
 *     for (const [tenantId, own] of byTenant(batch)) {
 *       await db.tenant(tenantId, async (tx) => {
 *         await writeResults(tx, own);
 *         await jobs.complete(tx, tenantId, own);
 *       });
 *     }
 *   },
 * });
 *
 * await worker.stop(graceMs);
 * await jobs.close();
 * ```
 *
 * A handler settles every job: it completes or reschedules it. Jobs that it does not settle,
 * because it returns or throws before, are tried again with growing delays. A job may begin twice
 * (a lease can run out while its holder stalls) but is settled once: `complete` throws LeaseLost,
 * and the caller's transaction fails with it. Within a queue a claim takes tenants in turn. Work
 * that must not wait behind other work gets its own queue; there are no priorities.
 *
 * A claim is lost when it is neither settled nor given back: the process died, or stalled for longer
 * than the lease. Jobs with two or more losses in a row are worked on beside all others, one group at a
 * time for each queue and node, and in smaller groups with each loss; alone is a job that one more loss would
 * park, so that it is not counted for another, and one that failed five times. A job with `lossesMax` losses
 * in a row is parked: it is not claimed again until the host retries it.
 */
import type { Db } from '../db/database.ts';
import type { Tx } from '../db/tx.ts';
import type { Log } from '../log/log.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Tracing } from '../tracing/span.ts';
import { type Job, LeaseLost, type NewJob } from './job.ts';
import { countParkedJobs } from './parked-job-store.ts';
import {
  changeJobRunAt,
  deleteClaimed,
  extendClaims,
  extendSharedClaim,
  insertJobs,
  jobChannel,
  type Rescheduled,
  rescheduleClaimed,
  runJobsNow,
} from './store.ts';
import { startWorker, type Worker, type WorkOptions } from './worker.ts';

/** What the queues of a process need. */
export interface JobsOptions {
  readonly db: Db;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Makes a new UUID for each claim. */
  readonly newClaimId: () => string;
  /** Milliseconds for which a worker holds its jobs without a heartbeat; default 30,000. */
  readonly leaseMs?: number;
  /**
   * Milliseconds between two claims of a queue without a notification of new work; default 1,000.
   */
  readonly pollMs?: number;
  /** Workers claim jobs once this has resolved; default: at once. */
  readonly mayTake?: Promise<unknown>;
  /** Losses in a row after which a job is parked; default 5. */
  readonly lossesMax?: number;
  /** Records what is done for each job. */
  readonly tracing?: Tracing | undefined;
}

/** The queues of a process. */
export interface Jobs {
  /** Enqueues jobs when this transaction commits; returns how many were new. One statement. */
  enqueue(tx: Tx, tenantId: string, jobs: readonly NewJob[]): Promise<number>;
  /**
   * Changes when a waiting job is due, by default to now, when this transaction commits. A job that
   * is held or missing is left; returns whether it was changed.
   */
  changeRunAt(tx: Tx, tenantId: string, job: Omit<NewJob, 'payload'>): Promise<boolean>;
  /**
   * Makes many waiting jobs due one shortly after the other, in the order of `keys`, when this
   * transaction commits; none becomes due later than before. Held jobs are left.
   */
  runNow(tx: Tx, tenantId: string, queue: string, keys: readonly string[]): Promise<void>;
  /**
   * Ends jobs. Throws LeaseLost when a claim is no longer valid; let it roll the transaction back.
   */
  complete(tx: Tx, tenantId: string, jobs: readonly Job[]): Promise<void>;
  /** Releases jobs to be done again later. Throws LeaseLost as `complete` does. */
  reschedule(tx: Tx, tenantId: string, items: readonly Rescheduled[]): Promise<void>;
  /**
   * Checks that the claims are still valid, and extends them by a lease. Throws LeaseLost. Call it
   * in the transaction before an effect that two workers must not both have.
   */
  renewLeases(tx: Tx, jobs: readonly Job[]): Promise<void>;
  /**
   * As `renewLeases`, for a job whose holder runs many transactions at the same time: none of them
   * waits for the commit of another.
   */
  renewSharedLease(tx: Tx, job: Job): Promise<void>;
  /** Updates the metric of parked jobs; call it now and then. */
  countParked(): Promise<void>;
  /** The queues that have a worker in this process. */
  queues(): readonly string[];
  /** Starts a worker, which claims jobs of one queue. */
  work<Payload = unknown>(options: WorkOptions<Payload>): Worker;
  /** Stops listening; stop the workers before. */
  close(): Promise<void>;
}

/** Opens the queues of this process. Rejects when the database cannot be listened to. */
export async function openJobs(options: JobsOptions): Promise<Jobs> {
  const { db, log, metrics, newClaimId, leaseMs = 30_000, pollMs = 1_000 } = options;
  const { mayTake = Promise.resolve(), lossesMax = 5, tracing } = options;
  const workers = new Map<string, Set<() => void>>();
  const settled = new WeakSet<Job>();

  const wake = (queue: string) => {
    for (const waker of workers.get(queue) ?? []) waker();
  };
  const listening = await db.listen(jobChannel, (queue) => {
    // After a reconnect notifications may have been missed, so every worker looks.
    if (queue === '') for (const name of workers.keys()) wake(name);
    else wake(queue);
  });

  function settle(tx: Tx, jobs: readonly Job[], count: number, outcome: string): void {
    const [first] = jobs;
    if (!first) return;
    if (count !== jobs.length) throw new LeaseLost(first.queue);
    tx.afterCommit(() => {
      for (const job of jobs) settled.add(job);
      metrics.jobs.inc({ queue: first.queue, outcome }, jobs.length);
    });
  }

  return {
    enqueue: async (tx, tenantId, jobs) => {
      const inserted = await insertJobs(tx, tenantId, jobs);
      if (inserted.length > 0) {
        for (const queue of new Set(jobs.map((each) => each.queue))) tx.notify(jobChannel, queue);
      }
      return inserted.length;
    },
    changeRunAt: async (tx, tenantId, job) => {
      const changed = await changeJobRunAt(tx, tenantId, job);
      if (changed === 1) tx.notify(jobChannel, job.queue);
      return changed === 1;
    },
    runNow: async (tx, tenantId, queue, keys) => {
      const changed = await runJobsNow(tx, tenantId, queue, keys);
      if (changed > 0) tx.notify(jobChannel, queue);
    },
    complete: async (tx, tenantId, jobs) => {
      settle(tx, jobs, await deleteClaimed(tx, tenantId, jobs), 'completed');
    },
    reschedule: async (tx, tenantId, items) => {
      const jobs = items.map(({ job }) => job);
      settle(tx, jobs, await rescheduleClaimed(tx, tenantId, items), 'rescheduled');
      tx.afterCommit(() => new Set(jobs.map(({ queue }) => queue)).forEach(wake));
    },
    renewLeases: (tx, jobs) => renewLeases(tx, jobs, leaseMs),
    renewSharedLease: async (tx, job) => {
      if (!(await extendSharedClaim(tx, job, leaseMs))) throw new LeaseLost(job.queue);
    },
    countParked: async () => {
      const counts = await db.system(countParkedJobs);
      metrics.jobsParked.reset();
      for (const { queue, jobs } of counts) metrics.jobsParked.set({ queue }, jobs);
    },
    queues: () => [...workers.keys()],
    work: (work) => {
      const worker = startWorker(work as WorkOptions<unknown>, {
        db,
        log,
        metrics,
        newClaimId,
        leaseMs,
        pollMs,
        isSettled: (job) => settled.has(job),
        mayTake,
        lossesMax,
        tracing,
      });
      const known = workers.get(work.queue) ?? new Set();
      workers.set(work.queue, known.add(worker.wake));
      return worker;
    },
    close: () => listening.stop(),
  };
}

async function renewLeases(tx: Tx, jobs: readonly Job[], leaseMs: number): Promise<void> {
  const [first] = jobs;
  if (first === undefined) return;
  const held = await extendClaims(tx, jobs, leaseMs);
  if (held.length !== jobs.length) throw new LeaseLost(first.queue);
}
