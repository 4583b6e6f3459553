import { availableParallelism } from 'node:os';
import { busy, KeyedSemaphore, Semaphore } from '@drawbridge/concurrency/semaphore.ts';
import { untilAborted } from '../../fault.ts';
import { SqliteProcess } from './sqlite-process.ts';

/** Processes in all, at work or waiting for more; each takes some 60 MB. */
const processesMax = 8;
/** Processes at work for one owner, so that others find one, and a core. */
const processesPerOwnerMax = Math.max(1, Math.min(3, availableParallelism() - 1));
const idleMs = 30_000;

interface IdleProcess {
  readonly owner: string;
  readonly process: SqliteProcess;
  readonly timer: NodeJS.Timeout;
}

/**
 * Lends processes. One that is idle works on for the same owner, or ends: what a hostile file did to
 * it must not reach another owner's files.
 */
export class ProcessPool {
  readonly #permits = new Semaphore(processesMax);
  readonly #owners = new KeyedSemaphore(processesPerOwnerMax);
  /** The one idle for longest first. */
  #idle: readonly IdleProcess[] = [];

  /**
   * Does the work with a process, which is killed when the signal aborts; `gaveUp` is then the
   * answer. Rejects as `work` does.
   */
  async run<Result, GivenUp>(
    owner: string,
    signal: AbortSignal,
    gaveUp: () => GivenUp,
    work: (process: SqliteProcess) => Promise<Result>,
  ): Promise<Result | GivenUp> {
    const permitted = async () => {
      if (!(await this.#permits.acquire(signal))) return gaveUp();
      try {
        return await this.#lend(owner, signal, gaveUp, work);
      } finally {
        this.#permits.release();
      }
    };
    const result = await this.#owners.run(owner, permitted, signal);
    return result === busy ? gaveUp() : result;
  }

  async #lend<Result, GivenUp>(
    owner: string,
    signal: AbortSignal,
    gaveUp: () => GivenUp,
    work: (process: SqliteProcess) => Promise<Result>,
  ): Promise<Result | GivenUp> {
    if (signal.aborted) return gaveUp();
    const process = this.#take(owner);
    let isWhole = false;
    try {
      const result = await untilAborted(work(process), signal, gaveUp);
      isWhole = !signal.aborted;
      return result;
    } finally {
      if (isWhole && process.isAlive) this.#keep(owner, process);
      else process.kill();
    }
  }

  #take(owner: string): SqliteProcess {
    const own = this.#idle.find((one) => one.owner === owner);
    if (own !== undefined) {
      this.#forget(own);
      return own.process;
    }
    const [oldest] = this.#idle;
    // This caller's permit is among those that are used.
    const isFull = this.#idle.length + this.#permits.used > processesMax;
    if (isFull && oldest !== undefined) this.#end(oldest);
    return new SqliteProcess();
  }

  #keep(owner: string, process: SqliteProcess): void {
    const timer = setTimeout(() => this.#end(idle), idleMs).unref();
    const idle: IdleProcess = { owner, process, timer };
    this.#idle = [...this.#idle, idle];
  }

  #end(idle: IdleProcess): void {
    this.#forget(idle);
    idle.process.kill();
  }

  #forget(idle: IdleProcess): void {
    clearTimeout(idle.timer);
    this.#idle = this.#idle.filter((one) => one !== idle);
  }
}
