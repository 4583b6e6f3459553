import type { Reply } from './server.ts';

/** A planned mishap of one kind of call. */
export interface Fault {
  /** The call's name as the simulator's own table gives it, e.g. `submit`. */
  readonly call: string;
  /**
   * A status to answer with before anything is done; or the connection is cut before or after the
   * work; or the work is done and never answered.
   */
  readonly kind: number | 'cut-before' | 'cut-after' | 'hold-after';
  /** How many calls it befalls. */
  readonly times?: number;
  readonly retryAfterSeconds?: number;
}

/** Faults waiting to happen, in the order they were planned. */
export class Faults {
  #planned: { fault: Fault; left: number }[] = [];

  plan(fault: Fault): void {
    this.#planned.push({ fault, left: fault.times ?? 1 });
  }

  clear(): void {
    this.#planned = [];
  }

  /** Runs `work` as the next planned fault of this call lets it. */
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

/** A clock that can be put forward: the given one plus an offset. */
export class VirtualClock {
  readonly #base: () => Date;
  #offsetMs = 0;

  constructor(base: () => Date) {
    this.#base = base;
  }

  now(): Date {
    return new Date(this.#base().getTime() + this.#offsetMs);
  }

  advance(ms: number): void {
    this.#offsetMs += ms;
  }
}

/** Numbers in [0, 1) that are the same in every run with this seed. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
