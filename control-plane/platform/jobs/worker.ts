import type { Db } from '../db/database.ts';
import type { Log } from '../log/log.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { type Claimed, claimer } from './claim.ts';
import type { Job } from './job.ts';
import { prolongClaims, returnJobs } from './store.ts';

export interface WorkOptions<Payload = unknown> {
  readonly queue: string;
  /** Jobs a call of the handler, at most. */
  readonly batch: number;
  /** Calls of the handler at the same time. */
  readonly concurrency: number;
  /** Settles the jobs it is given, of one or many tenants; `signal` asks it to stop. */
  handler(jobs: readonly Job<Payload>[], signal: AbortSignal): Promise<void>;
}

export interface Worker {
  /** Looks for jobs now. */
  wake(): void;
  /**
   * Takes no more jobs, lets handlers finish for that long, then aborts them; gives back what is
   * unsettled.
   */
  stop(graceMs: number): Promise<void>;
}

export interface WorkerContext {
  readonly db: Db;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly newClaimId: () => string;
  readonly leaseMs: number;
  readonly pollMs: number;
  readonly isSettled: (job: Job) => boolean;
}

// What is left when handlers were aborted and still do not end.
const abortGraceMs = 2_000;
const failureDelayMs = { first: 1_000, max: 600_000 };

export function startWorker(work: WorkOptions, context: WorkerContext): Worker {
  const { queue, batch, concurrency } = work;
  const { db, log, metrics, leaseMs } = context;
  const running = new Set<Promise<void>>();
  const held = new Set<Job>();
  const aborting = new AbortController();
  const pause = pauser();
  const claim = claimer({ ...context, queue, batch });
  let isStopping = false;

  async function run(jobs: readonly Job[]): Promise<void> {
    for (const job of jobs) held.add(job);
    metrics.jobsHeld.set({ queue }, held.size);
    const error: unknown = await work.handler(jobs, aborting.signal).catch((err: unknown) => {
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
    // Stopped halfway is not the job's fault: it costs no attempt and no delay.
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
      const { jobs, idleMs } = await claim().catch((err: unknown): Claimed => {
        log.warn({ err, queue }, 'no jobs could be claimed');
        return { jobs: [], idleMs: context.pollMs };
      });
      if (isStopping) await giveBack(jobs, undefined);
      else if (jobs.length > 0) {
        const call: Promise<void> = run(jobs).finally(() => running.delete(call));
        running.add(call);
      } else if (idleMs > 0) await pause.wait(idleMs);
    }
  }

  const beat = setInterval(() => {
    if (held.size === 0) return;
    db.system((tx) => prolongClaims(tx, [...held], leaseMs)).catch((err: unknown) =>
      log.warn({ err, queue }, 'leases were not prolonged'),
    );
  }, leaseMs / 3);
  const looping = loop();

  async function stop(graceMs: number): Promise<void> {
    isStopping = true;
    pause.end();
    const timer = setTimeout(() => aborting.abort(), graceMs);
    const ended = looping.then(() => Promise.all(running));
    await Promise.race([ended, expiry(graceMs + abortGraceMs)]);
    clearTimeout(timer);
    clearInterval(beat);
    await giveBack([...held], undefined);
  }

  return { wake: pause.end, stop };
}

/** A wait that can be cut short, also by a call that comes between `begin` and `wait`. */
function pauser(): { begin(): void; wait(ms: number): Promise<void>; end(): void } {
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

/** 1 s, doubling up to 10 min. */
function failureDelay(attempt: number): number {
  return Math.min(failureDelayMs.max, failureDelayMs.first * 2 ** Math.min(attempt - 1, 20));
}
