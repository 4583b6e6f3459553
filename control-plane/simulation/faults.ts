import type { Reply } from './server.ts';

/** A planned fault of one kind of call. */
export interface Fault {
  /** The call's name in the simulator's own table, e.g. `submit`. */
  readonly call: string;
  /**
   * A status to answer before anything is done, a connection cut before or after the work, or work
   * that is done and never answered.
   */
  readonly kind: number | 'cut-before' | 'cut-after' | 'hold-after';
  /** How many calls fail; default 1. */
  readonly times?: number;
  readonly retryAfterSeconds?: number;
}

/** The planned faults, in order. */
export class Faults {
  #planned: { fault: Fault; left: number }[] = [];

  plan(fault: Fault): void {
    this.#planned.push({ fault, left: fault.times ?? 1 });
  }

  clear(): void {
    this.#planned = [];
  }

  /** Runs `work` with the next planned fault of this call, if there is one. */
  around(call: string, work: () => Reply): Reply {
    const due = this.#planned.find((row) => row.fault.call === call && row.left > 0);
    if (due === undefined) return work();
    due.left -= 1;
    const { kind, retryAfterSeconds } = due.fault;
    if (kind === 'cut-before') return 'cut';
    if (kind === 'cut-after' || kind === 'hold-after') {
      work();
      return kind === 'cut-after' ? 'cut' : 'hold';
    }
    const headers =
      retryAfterSeconds === undefined ? {} : { 'Retry-After': String(retryAfterSeconds) };
    return { status: kind, headers, body: { error: { code: String(kind), message: 'simulated' } } };
  }
}
