/**
 * Limits that hold at the far end, over all nodes: never more than `max` arrive within any
 * `windowMs`.    const turn = await turns.next(`call ${providerId}`, limit, patience);
 *   await turn?.run(() => ask());
 * The database gives each its instant to go, a little ahead, and counts it until a window has
 * passed since it arrived at the latest: when its answer came, less the shortest way there and
 * back. So a slow answer holds back what goes a window later, and of the limit as much is given up
 * as answers waver, and no more.
 *
 * Relied on: no way there and back is shorter than all of late by more than a millisecond; all
 * nodes are about as far away; the database's clock is slewed and not set. An answer that takes
 * longer than two seconds counts as if it took two.
 */
import type { Db } from '../db/database.ts';
import type { Limit } from './limits.ts';
import { RoundTrips } from './round-trips.ts';
import { TurnDesk } from './turn-desk.ts';

/** A way there and back may be so much shorter than all of late. */
const guardMs = 1;
/** What did not go by then may count no more: the migration holds a turn for this and an answer. */
const lateMsMax = 1_000;
/** Turns are taken so far apart, so that a few go together. */
const restMs = 100;
/** Who may wait, in windows: the others had better come again. */
const windowsWaitingMax = 2;
const lanesKept = 10_000;

export interface Patience {
  readonly waitMs: number;
  readonly signal: AbortSignal;
}

export interface Turn {
  /** Does the work when it is time. */
  run<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Nothing goes: the turn is another's. */
  pass(): void;
}

export interface Turns {
  /** In the order in which they are asked for; undefined when that would take too long. */
  next(key: string, limit: Limit, patience: Patience): Promise<Turn | undefined>;
}

/** `stopwatch` answers milliseconds that never go back. */
export function createTurns(db: Db, stopwatch: () => number): Turns {
  const desk = new TurnDesk(db, stopwatch);
  const lanes = new Map<string, Lane>();
  return {
    next: async (key, limit, { waitMs, signal }) => {
      const lane = lanes.get(key) ?? new Lane(key, desk, stopwatch);
      lanes.delete(key);
      if (lanes.size >= lanesKept) forgetOne(lanes);
      lanes.set(key, lane);
      const goesAt = await lane.enter(limit, { until: stopwatch() + waitMs, signal });
      if (goesAt === undefined) return undefined;
      return { run: (work) => lane.run(goesAt, work), pass: () => lane.pass(goesAt) };
    },
  };
}

/** The one that was idle for longest. */
function forgetOne(lanes: Map<string, Lane>): void {
  for (const [key, lane] of lanes) {
    if (!lane.isIdle) continue;
    lanes.delete(key);
    return;
  }
}

interface Waiting {
  readonly until: number;
  readonly signal: AbortSignal | undefined;
  resolve(goesAt: number | undefined): void;
  reject(error: unknown): void;
}

/** Who waits for the turns of a key on this node, in a line. */
class Lane {
  readonly #key: string;
  readonly #desk: TurnDesk;
  readonly #stopwatch: () => number;
  readonly #roundTrips = new RoundTrips();
  #limit: Limit = { max: 0, windowMs: 0 };
  #line: Waiting[] = [];
  isIdle = true;

  constructor(key: string, desk: TurnDesk, stopwatch: () => number) {
    this.#key = key;
    this.#desk = desk;
    this.#stopwatch = stopwatch;
  }

  /** When it may go, by the database's clock. */
  enter(limit: Limit, wait: Pick<Waiting, 'until' | 'signal'>): Promise<number | undefined> {
    this.#limit = limit;
    if (this.#line.length >= windowsWaitingMax * limit.max) return Promise.resolve(undefined);
    return new Promise((resolve, reject) => {
      this.#line.push({ ...wait, resolve, reject });
      if (this.isIdle) void this.#serve();
    });
  }

  async run<Result>(goesAt: number, work: () => Promise<Result>): Promise<Result> {
    const own = await this.#due(goesAt);
    const beganAt = this.#stopwatch();
    try {
      return await work();
    } finally {
      this.#answered(own, beganAt);
    }
  }

  pass(goesAt: number): void {
    this.#desk.tell(this.#key, this.#limit, goesAt, 0);
  }

  /** Resolves when it is time, with the instant: another one when this was missed. */
  async #due(goesAt: number): Promise<number> {
    const { clock } = this.#desk;
    await this.#waitUntil(clock.reachedAt(goesAt / 1_000));
    if (clock.latestAt(this.#stopwatch()) <= goesAt / 1_000 + lateMsMax) return goesAt;
    this.pass(goesAt);
    const next = await new Promise<number>((resolve, reject) => {
      const wait = { until: Number.POSITIVE_INFINITY, signal: undefined };
      this.#line.unshift({ ...wait, resolve: (at) => resolve(at!), reject });
      if (this.isIdle) void this.#serve();
    });
    return this.#due(next);
  }

  /** It counts for a window from when it can have arrived at the latest. */
  #answered(goesAt: number, beganAt: number): void {
    const answeredAt = this.#stopwatch();
    this.#roundTrips.note(answeredAt - beganAt);
    const arrivedBy = answeredAt - this.#roundTrips.shortestMs;
    const untilMs = this.#desk.clock.latestAt(arrivedBy) + guardMs + this.#limit.windowMs;
    this.#desk.tell(this.#key, this.#limit, goesAt, untilMs);
  }

  async #serve(): Promise<void> {
    this.isIdle = false;
    await new Promise(setImmediate); // who came with the first is asked for with it
    while (this.#line.length > 0) {
      const restsMs = await this.#give();
      this.#dismiss();
      if (this.#line.length > 0) await delay(restsMs);
    }
    this.isIdle = true;
  }

  /** Answers when there may be more. */
  async #give(): Promise<number> {
    try {
      const wanted = this.#line.length;
      const { goesAt, retryAfterMs } = await this.#desk.take(this.#key, this.#limit, wanted);
      for (const at of goesAt) this.#line.shift()!.resolve(at);
      return Math.max(restMs, retryAfterMs);
    } catch (error) {
      for (const { reject } of this.#line.splice(0)) reject(error);
      return 0;
    }
  }

  #dismiss(): void {
    const now = this.#stopwatch();
    const isOver = ({ until, signal }: Waiting) => until <= now || signal?.aborted === true;
    for (const { resolve } of this.#line.filter(isOver)) resolve(undefined);
    this.#line = this.#line.filter((each) => !isOver(each));
  }

  async #waitUntil(at: number): Promise<void> {
    for (let ms = at - this.#stopwatch(); ms > 0; ms = at - this.#stopwatch()) {
      await delay(Math.ceil(ms)); // timers are early at times
    }
  }
}

function delay(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms));
}
