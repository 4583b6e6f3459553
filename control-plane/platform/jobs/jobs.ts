/**
 * Jobs in PostgreSQL: put in with the caller's transaction, done by any node, settled in the
 * transaction that holds their result.    const jobs = await openJobs({ db, log, metrics,
 * newClaimId: () => newUuid(clock, random) });   await db.tenant(t, async (tx) => { await
 * insertInvoice(…); await jobs.enqueue(tx, t, [{ queue, key }]); });   const worker = jobs.work({
 * queue: 'pull', batch: 50, concurrency: 2, handler: async (batch) => {     for (const [tenantId,
 * own] of byTenant(batch)) {       await db.tenant(tenantId, async (tx) => { …; await
 * jobs.complete(tx, tenantId, own); });     }   } });   await worker.stop(graceMs);  …  await
 * jobs.close();  A handler settles every job: complete or reschedule. What it leaves, or leaves by
 * throwing, is tried again with growing delays. A job may be begun twice (a lease can run out while
 * its holder stalls) but is settled once: `complete` throws LeaseLost, and the business transaction
 * with it. Within a queue a claim takes tenants in turn. Work that must not wait behind other work
 * gets a queue of its own; there are no priorities.
 */
import type { Db } from '../db/database.ts';
import type { Tx } from '../db/tx.ts';
import type { Log } from '../log/log.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { type Job, LeaseLost, type NewJob } from './job.ts';
import {
  deleteClaimed,
  extendClaims,
  hastenJobs,
  insertJobs,
  jobChannel,
  moveJob,
  notifyQueues,
  type Rescheduled,
  rescheduleClaimed,
  shareClaim,
} from './store.ts';
import { startWorker, type Worker, type WorkOptions } from './worker.ts';

export interface JobsOptions {
  readonly db: Db;
  readonly log: Log;
  readonly metrics: Metrics;
  /** A new UUID a claim. */
  readonly newClaimId: () => string;
  /** How long a worker that fell silent keeps its jobs. */
  readonly leaseMs?: number;
  /** How often a queue is looked at when nobody said that it has got work. */
  readonly pollMs?: number;
}

export interface Jobs {
  /** Puts jobs in, if this transaction commits; answers how many were new. One statement. */
  enqueue(tx: Tx, tenantId: string, jobs: readonly NewJob[]): Promise<number>;
  /**
   * Makes a job that waits due at another time, by default now, if this transaction commits. One
   * that is held, or is not there, is left: answers whether it was moved.
   */
  move(tx: Tx, tenantId: string, job: Omit<NewJob, 'payload'>): Promise<boolean>;
  /**
   * Makes many jobs that wait due within the next moments, the first named first, if this
   * transaction commits; none later than it would have been. Those that are held are left.
   */
  hasten(tx: Tx, tenantId: string, queue: string, keys: readonly string[]): Promise<void>;
  /** Ends jobs. Throws LeaseLost when one is no longer ours: let it roll the transaction back. */
  complete(tx: Tx, tenantId: string, jobs: readonly Job[]): Promise<void>;
  /** Frees jobs to be tried again later. Throws LeaseLost as `complete` does. */
  reschedule(tx: Tx, tenantId: string, items: readonly Rescheduled[]): Promise<void>;
  /**
   * Makes sure that jobs are still ours, and keeps them for another lease. Throws LeaseLost. To be
   * called in the transaction before an effect that two workers must not both have.
   */
  hold(tx: Tx, jobs: readonly Job[]): Promise<void>;
  /**
   * As `hold`, of a job whose holder has many transactions at the same time: none of them waits for
   * the commit of another.
   */
  share(tx: Tx, job: Job): Promise<void>;
  /** Starts taking jobs of a queue. */
  work<Payload = unknown>(options: WorkOptions<Payload>): Worker;
  close(): Promise<void>;
}

// NOTIFY takes a lock that all commits of the server share, so one tells of many jobs.
const notifyEveryMs = 20;

export async function openJobs(options: JobsOptions): Promise<Jobs> {
  const { db, log, metrics, newClaimId, leaseMs = 30_000, pollMs = 1_000 } = options;
  const workers = new Map<string, Set<() => void>>();
  const settled = new WeakSet<Job>();
  const untold = new Set<string>();
  let telling: NodeJS.Timeout | undefined;

  const wake = (queue: string) => {
    for (const waker of workers.get(queue) ?? []) waker();
  };
  const listening = await db.listen(jobChannel, (queue) => {
    // After a reconnect some calls may have been missed: look everywhere.
    if (queue === '') for (const name of workers.keys()) wake(name);
    else wake(queue);
  });

  function tell(queue: string): void {
    wake(queue);
    untold.add(queue);
    telling ??= setTimeout(() => {
      telling = undefined;
      const queues = [...untold];
      untold.clear();
      db.system((tx) => notifyQueues(tx, queues)).catch((err: unknown) => {
        log.warn({ err }, 'other nodes were not told of new jobs; they find them by looking');
      });
    }, notifyEveryMs);
  }

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
        tx.afterCommit(() => new Set(jobs.map(({ queue }) => queue)).forEach(tell));
      }
      return inserted.length;
    },
    move: async (tx, tenantId, job) => {
      const moved = await moveJob(tx, tenantId, job);
      if (moved === 1) tx.afterCommit(() => tell(job.queue));
      return moved === 1;
    },
    hasten: async (tx, tenantId, queue, keys) => {
      const hastened = await hastenJobs(tx, tenantId, queue, keys);
      if (hastened > 0) tx.afterCommit(() => tell(queue));
    },
    complete: async (tx, tenantId, jobs) => {
      settle(tx, jobs, await deleteClaimed(tx, tenantId, jobs), 'completed');
    },
    reschedule: async (tx, tenantId, items) => {
      const jobs = items.map(({ job }) => job);
      settle(tx, jobs, await rescheduleClaimed(tx, tenantId, items), 'rescheduled');
      tx.afterCommit(() => new Set(jobs.map(({ queue }) => queue)).forEach(wake));
    },
    hold: (tx, jobs) => hold(tx, jobs, leaseMs),
    share: async (tx, job) => {
      if (!(await shareClaim(tx, job, leaseMs))) throw new LeaseLost(job.queue);
    },
    work: (work) => {
      const worker = startWorker(work as WorkOptions<unknown>, {
        ...{ db, log, metrics, newClaimId, leaseMs, pollMs },
        isSettled: (job) => settled.has(job),
      });
      const known = workers.get(work.queue) ?? new Set();
      workers.set(work.queue, known.add(worker.wake));
      return worker;
    },
    close: async () => {
      clearTimeout(telling);
      await listening.stop();
    },
  };
}

async function hold(tx: Tx, jobs: readonly Job[], leaseMs: number): Promise<void> {
  const [first] = jobs;
  if (first === undefined) return;
  const held = await extendClaims(tx, jobs, leaseMs);
  if (held.length !== jobs.length) throw new LeaseLost(first.queue);
}
