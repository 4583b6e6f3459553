/**
 * Does what takes long on threads of its own, so that the thread which serves is never held. Tenants
 * come in turn, each within bounds. A task that takes too long or too much memory ends together with
 * its thread; the next task gets another one.
 *
 * ```ts
 * const pool = openThreadPool({ program: new URL('./thread.ts', import.meta.url), threads: 2 });
 * const prepare = async () => ({ task: { body }, transfer: [body.buffer] });
 * const outcome = await pool.run<Report>(tenantId, { bytes: body.length, prepare });
 * ```
 *
 * The program is a module whose default export does a task: what it is given and what it answers are
 * copied between threads. Threads start with the first task, and end when there was none for a while.
 */
import { FairQueue } from '@drawbridge/concurrency/fair-queue.ts';
import { Semaphore } from '@drawbridge/concurrency/semaphore.ts';
import { Piscina } from 'piscina';
import type { Metrics } from '../metrics/metrics.ts';
import { inSpan } from '../tracing/active-spans.ts';

export interface ThreadPoolOptions {
  readonly program: URL;
  /** Tasks at the same time. */
  readonly threads: number;
  readonly limits?: Partial<ThreadPoolLimits>;
  /** Without it nothing is measured. */
  readonly measured?: ThreadPoolMeasures;
}

interface ThreadPoolMeasures {
  readonly metrics: Pick<
    Metrics,
    'loadRefusals' | 'threadsBusy' | 'threadTasksWaiting' | 'threadTaskWaitSeconds'
  >;
  /** Monotonic milliseconds. */
  readonly stopwatch: () => number;
}

export interface ThreadPoolLimits {
  /** Milliseconds that a task may take once it has a thread, the start of the thread included. */
  readonly taskMsMax: number;
  /** Of the heap of a thread. */
  readonly heapMiBMax: number;
  /** Tasks of one tenant that wait or run. */
  readonly tenantTasksMax: number;
  /** Bytes of these tasks; a single task may have more. */
  readonly tenantBytesMax: number;
  /** Milliseconds without a task until a thread ends. */
  readonly idleMs: number;
}

export interface ThreadTask {
  /** How large it is: counted against the bound of its tenant. */
  readonly bytes: number;
  /** Makes what is given to the thread, once it has one: what waits takes no memory for that. */
  prepare(): Promise<PreparedTask>;
  /** It is work that was begun and has to be ended: the bounds of its tenant do not refuse it. */
  readonly isDue?: boolean;
}

interface PreparedTask {
  readonly task: unknown;
  /** What goes to the thread without a copy, and is of no use here afterwards. */
  readonly transfer?: readonly ArrayBuffer[];
}

export type ThreadOutcome<Result> =
  | { readonly kind: 'done'; readonly result: Result }
  /** The tenant has as much under way as it may: later. */
  | { readonly kind: 'busy' }
  /** The task was ended with its thread. */
  | { readonly kind: 'ended'; readonly cause: EndCause };

/** What a task had too much of; `crash`: its thread ended by itself. */
export type EndCause = 'time' | 'memory' | 'crash';

export interface ThreadPool {
  /** Rejects with what the program throws, and when the pool is closed. */
  run<Result>(tenantId: string, given: ThreadTask): Promise<ThreadOutcome<Result>>;
  /** Ends all threads, and what they do. */
  close(): Promise<void>;
}

const defaults: ThreadPoolLimits = {
  taskMsMax: 60_000,
  heapMiBMax: 1_024,
  tenantTasksMax: 200,
  tenantBytesMax: 64_000_000,
  idleMs: 300_000,
};

/** Opens a pool; nothing is started before the first task. */
export function openThreadPool(options: ThreadPoolOptions): ThreadPool {
  const limits = { ...defaults, ...options.limits };
  const pool = startPiscina(options, limits);
  const free = new Semaphore(options.threads);
  const waiting = new FairQueue<() => void>();
  const underWay = new Map<string, { tasks: number; bytes: number }>();
  const { metrics, stopwatch } = options.measured ?? {};

  function isFull(tenantId: string, bytes: number): boolean {
    const own = underWay.get(tenantId);
    if (own === undefined) return false;
    return own.tasks >= limits.tenantTasksMax || own.bytes + bytes > limits.tenantBytesMax;
  }

  function count(tenantId: string, tasks: number, bytes: number): void {
    const own = underWay.get(tenantId) ?? { tasks: 0, bytes: 0 };
    if (own.tasks + tasks === 0) underWay.delete(tenantId);
    else underWay.set(tenantId, { tasks: own.tasks + tasks, bytes: own.bytes + bytes });
  }

  async function permit(tenantId: string): Promise<void> {
    const begunAtMs = stopwatch?.() ?? 0;
    if (!free.tryAcquire()) {
      metrics?.threadTasksWaiting.inc();
      await new Promise<void>((go) => waiting.push(tenantId, go));
      metrics?.threadTasksWaiting.dec();
    }
    metrics?.threadTaskWaitSeconds.observe(((stopwatch?.() ?? 0) - begunAtMs) / 1_000);
  }

  async function inTurn<Result>(tenantId: string, work: () => Promise<Result>): Promise<Result> {
    await permit(tenantId);
    metrics?.threadsBusy.inc();
    try {
      return await work();
    } finally {
      metrics?.threadsBusy.dec();
      const next = waiting.shift();
      // The permit is handed on: nobody may slip in between.
      if (next === undefined) free.release();
      else next();
    }
  }

  return {
    run: async <Result>(tenantId: string, { bytes, prepare, isDue }: ThreadTask) => {
      if (isDue !== true && isFull(tenantId, bytes)) {
        metrics?.loadRefusals.inc({ reason: 'tenant_tasks' });
        return { kind: 'busy' };
      }
      count(tenantId, 1, bytes);
      try {
        return await inSpan(
          { name: 'thread task' },
          () =>
            inTurn(tenantId, async () =>
              outcomeOf<Result>(pool, await prepare(), limits.taskMsMax),
            ),
          (outcome) => (outcome.kind === 'ended' ? { errorType: outcome.cause } : {}),
        );
      } finally {
        count(tenantId, -1, -bytes);
      }
    },
    close: () => pool.destroy(),
  };
}

function startPiscina({ program, threads }: ThreadPoolOptions, limits: ThreadPoolLimits): Piscina {
  const pool = new Piscina({
    filename: program.href,
    minThreads: 0,
    maxThreads: threads,
    concurrentTasksPerWorker: 1,
    idleTimeout: limits.idleMs,
    resourceLimits: { maxOldGenerationSizeMb: limits.heapMiBMax },
    // Waiting for a task by the event loop: a thread that ends is then seen to end.
    atomics: 'disabled',
    recordTiming: false,
    // Without our environment variables, which hold secrets.
    env: {},
    execArgv: ['--disable-warning=ExperimentalWarning'],
  });
  // A thread that ends between two tasks takes nothing with it; the next task gets another one.
  pool.on('error', () => {});
  return pool;
}

async function outcomeOf<Result>(
  pool: Piscina,
  { task, transfer = [] }: PreparedTask,
  taskMsMax: number,
): Promise<ThreadOutcome<Result>> {
  const over = new AbortController();
  const timer = setTimeout(() => over.abort(), taskMsMax);
  try {
    const options = { signal: over.signal, transferList: [...transfer] };
    return { kind: 'done', result: (await pool.run(task, options)) as Result };
  } catch (error) {
    if (over.signal.aborted) return { kind: 'ended', cause: 'time' };
    const cause = endCauseOf(error);
    if (cause === undefined) throw error;
    return { kind: 'ended', cause };
  } finally {
    clearTimeout(timer);
  }
}

function endCauseOf(error: unknown): EndCause | undefined {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ERR_WORKER_OUT_OF_MEMORY') return 'memory';
  return /^worker exited with code/i.test(message) ? 'crash' : undefined;
}
