import type { Db } from '../db/database.ts';
import type { Tx } from '../db/tx.ts';
import type { Log } from '../log/log.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { inTraces, type TraceStart } from '../tracing/active-spans.ts';
import type { Tracing } from '../tracing/span.ts';
import { type ClaimedJobs, createDoubtfulClaim, createFairClaim } from './fair-claim.ts';
import type { Job } from './job.ts';
import { parkClaimed, prolongClaims, returnJobs } from './store.ts';

/** The queue and handler of a worker, and how much it does at once. */
export interface WorkOptions<Payload = unknown> {
  readonly queue: string;
  /** The most jobs of one call of the handler. */
  readonly batch: number;
  /** The most calls of the handler at the same time. */
  readonly concurrency: number;
  /**
   * Of these, the most that hold jobs of one tenant: fewer leave some to the others while its jobs
   * take long. Default: all.
   */
  readonly tenantConcurrency?: number;
  /** Settles the given jobs, of one or many tenants; `signal` asks it to stop. */
  handler(jobs: readonly Job<Payload>[], signal: AbortSignal): Promise<void>;
  /** Called in the transaction that parks a job, for example to write an event. */
  parked?(tx: Tx, job: Job<Payload>): Promise<void>;
}

/** A worker of one queue in this process. */
export interface Worker {
  /** Claims jobs now, without waiting for the next poll. */
  wake(): void;
  /**
   * Claims no more jobs, lets handlers finish for `graceMs` milliseconds, then aborts them; gives
   * back the unsettled jobs. Never rejects.
   */
  stop(graceMs: number): Promise<void>;
}

/** What all workers of a process share. */
export interface WorkerContext {
  readonly db: Db;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly newClaimId: () => string;
  readonly leaseMs: number;
  readonly pollMs: number;
  readonly isSettled: (job: Job) => boolean;
  /** Jobs are claimed once this has resolved. */
  readonly mayTake: Promise<unknown>;
  /** Losses in a row after which a job is parked. */
  readonly lossesMax: number;
  readonly tracing: Tracing | undefined;
}

/** How long aborted handlers may still take to end. */
export const abortGraceMs = 2_000;
const failureDelayMs = { first: 1_000, max: 600_000 };
/** Failures in a row after which a job is parked; with the delays they take a day. */
const attemptsMax = 150;
/** Polls of the queue to one poll for doubtful jobs. */
const doubtfulPolls = 10;
/** After this time with doubtful jobs the next ones are claimed beside them. */
const harmlessMs = 60_000;

/** Claims jobs and calls the handler with them. Errors are logged, and their jobs tried again. */
export function startWorker(work: WorkOptions, context: WorkerContext): Worker {
  const { queue, batch, concurrency } = work;
  const { db, log, metrics, leaseMs } = context;
  const running = new Set<Promise<void>>();
  const held = new Set<Job>();
  const aborting = new AbortController();
  const doubtful = new Set<Promise<void>>();
  const [pause, pauseDoubtful] = [interruptiblePause(), interruptiblePause()];
  const tenants = countCalls(work.tenantConcurrency ?? concurrency);
  const claim = createFairClaim({ ...context, queue, batch, mayClaim: tenants.mayBegin });
  const claimDoubtful = createDoubtfulClaim({ ...context, queue, batch });
  const stopping = Promise.withResolvers<void>();
  let isStopping = false;

  async function run(jobs: readonly Job[]): Promise<void> {
    for (const job of jobs) held.add(job);
    metrics.jobsHeld.set({ queue }, held.size);
    const handling = inTraces(context.tracing, jobs.map(traceOf), () =>
      work.handler(jobs, aborting.signal),
    );
    const error: unknown = await handling.catch((err: unknown) => {
      log.error({ err, queue, jobs: jobs.length }, 'job handler failed');
      return err;
    });
    await giveBack(jobs, error);
    for (const job of jobs) held.delete(job);
    metrics.jobsHeld.set({ queue }, held.size);
  }

  async function giveBack(jobs: readonly Job[], error: unknown): Promise<void> {
    const unsettled = jobs.filter((job) => !context.isSettled(job));
    if (unsettled.length === 0) return;
    // Being stopped is not the job's fault, so it costs no attempt and no delay.
    const refund = isStopping;
    const delaysMs = unsettled.map(({ attempt }) => (refund ? 0 : failureDelay(attempt)));
    const cause = error instanceof Error ? { error: `${error.name}: ${error.message}` } : {};
    metrics.jobs.inc({ queue, outcome: refund ? 'returned' : 'failed' }, unsettled.length);
    await db
      .system((tx) => returnJobs(tx, unsettled, { delaysMs, refund, ...cause }))
      .catch((err: unknown) => log.warn({ err, queue }, 'jobs wait for the end of their lease'));
  }

  async function loop(): Promise<void> {
    while (!isStopping) {
      if (running.size >= concurrency) {
        await Promise.race(running);
        continue;
      }
      pause.begin();
      const { jobs, idleMs, isRestDoubtful } = await claim().catch((err: unknown): ClaimedJobs => {
        log.warn({ err, queue }, 'no jobs could be claimed');
        return { jobs: [], idleMs: context.pollMs, isRestDoubtful: false };
      });
      if (isRestDoubtful) pauseDoubtful.end();
      if (isStopping) {
        await giveBack(jobs, undefined);
        return;
      }
      if (jobs.length > 0) {
        const end = tenants.begin(jobs);
        const call: Promise<void> = run(jobs).finally(() => {
          running.delete(call);
          // A tenant that had as many calls as it may is claimed for again.
          if (end()) pause.end();
        });
        running.add(call);
      }
      if (idleMs > 0) await pause.wait(idleMs);
    }
  }

  /** Works on doubtful jobs beside all others, so that the harm one does is not counted for them. */
  async function loopDoubtful(): Promise<void> {
    while (!isStopping) {
      if (doubtful.size >= concurrency) {
        await Promise.race(doubtful);
        continue;
      }
      pauseDoubtful.begin();
      const found = await claimDoubtful().catch((err: unknown) => {
        log.warn({ err, queue }, 'no doubtful job could be claimed');
        return undefined;
      });
      if (found === undefined) {
        await pauseDoubtful.wait(context.pollMs * doubtfulPolls);
        continue;
      }
      const { jobs, losses } = found;
      const [first] = jobs;
      if (isStopping) await giveBack(jobs, undefined);
      else if (losses >= context.lossesMax || first.attempt > attemptsMax)
        await park(first, losses);
      else {
        const call: Promise<void> = run(jobs).finally(() => doubtful.delete(call));
        doubtful.add(call);
        await Promise.race([call, expiry(harmlessMs), stopping.promise]);
      }
    }
  }

  async function park(job: Job, losses: number): Promise<void> {
    const { id: jobId, tenantId, key, attempt } = job;
    const isParked = await db
      .tenant(tenantId, async (tx) => {
        const isOurs = await parkClaimed(tx, tenantId, job);
        if (isOurs) await work.parked?.(tx, job);
        return isOurs;
      })
      .catch((err: unknown) => {
        log.warn(
          { err, queue, jobId },
          'a job could not be parked; it is tried again after its lease',
        );
        return false;
      });
    if (!isParked) return;
    metrics.jobs.inc({ queue, outcome: 'parked' });
    log.error(
      { queue, tenantId, jobId, key, losses, attempts: attempt - 1 },
      'a job is parked: it was lost or failed too often; see `jobs show`',
    );
  }

  const beat = setInterval(() => {
    if (held.size === 0) return;
    db.system((tx) => prolongClaims(tx, [...held], leaseMs)).catch((err: unknown) =>
      log.warn({ err, queue }, 'leases were not prolonged'),
    );
  }, leaseMs / 3);
  const begun = Promise.race([context.mayTake, stopping.promise]);
  const looping = begun.then(() => Promise.all([loop(), loopDoubtful()]));

  async function stop(graceMs: number): Promise<void> {
    isStopping = true;
    stopping.resolve();
    pause.end();
    pauseDoubtful.end();
    const timer = setTimeout(() => aborting.abort(), graceMs);
    const ended = looping.then(() => Promise.all([...running, ...doubtful]));
    await Promise.race([ended, expiry(graceMs + abortGraceMs)]);
    clearTimeout(timer);
    clearInterval(beat);
    await giveBack([...held], undefined);
  }

  return { wake: pause.end, stop };
}

/** What is recorded of the work on a job. */
function traceOf({ queue, key, tenantId, attempt, traceparent }: Job): TraceStart {
  return {
    name: `process ${queue}`,
    kind: 'consumer',
    attributes: {
      'drawbridge.tenant.id': tenantId,
      'messaging.destination.name': queue,
      'drawbridge.job.attempt': attempt,
    },
    traceparent,
    subject: key,
  };
}

/** Counts the calls that hold jobs of each tenant. */
function countCalls(max: number) {
  const calls = new Map<string, number>();
  const count = (tenantId: string) => calls.get(tenantId) ?? 0;
  return {
    mayBegin: (tenantId: string) => count(tenantId) < max,
    /** Returns a function for the end, which tells whether a tenant may begin a call again. */
    begin: (jobs: readonly Job[]) => {
      const tenants = new Set(jobs.map(({ tenantId }) => tenantId));
      for (const tenant of tenants) calls.set(tenant, count(tenant) + 1);
      return () => {
        let isAnyFreed = false;
        for (const tenant of tenants) {
          isAnyFreed ||= count(tenant) === max;
          if (count(tenant) === 1) calls.delete(tenant);
          else calls.set(tenant, count(tenant) - 1);
        }
        return isAnyFreed;
      };
    },
  };
}

/** A wait that `end` can end early, also when it is called between `begin` and `wait`. */
function interruptiblePause(): { begin(): void; wait(ms: number): Promise<void>; end(): void } {
  let isOver = false;
  let cut = () => {};
  return {
    begin: () => {
      isOver = false;
    },
    end: () => {
      isOver = true;
      cut();
    },
    wait: async (ms) => {
      if (isOver) return;
      await new Promise<void>((done) => {
        const timer = setTimeout(done, ms);
        cut = () => {
          clearTimeout(timer);
          done();
        };
      });
    },
  };
}

function expiry(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms).unref());
}

/** Milliseconds until the next attempt: 1 s, doubling up to 10 min. */
function failureDelay(attempt: number): number {
  return Math.min(failureDelayMs.max, failureDelayMs.first * 2 ** Math.min(attempt - 1, 20));
}
