/**
 * Limits that hold at the far end, over all nodes: never more than `max` arrive there within any
 * `windowMs`. `RateLimits` counts at the grant, and what it grants may arrive closer together.
 *
 * ```ts
 * const limits = createArrivalLimits(db, stopwatch);
 * const slot = await limits.reserve(`call ${providerId}`, limit, { waitMs: 2_000, signal });
 * if (slot === undefined) return rescheduleCall();
 * await slot.run(() => placeCall());
 * ```
 *
 * The database gives each slot its instant to go, a little ahead, and counts it until a window has
 * passed since its request arrived at the latest: when its answer came, less the shortest round
 * trip. So a slow answer holds back what goes a window later, and as much of the limit is given up
 * as round trips vary.
 *
 * This relies on three things: no round trip is shorter than all of the latest by more than a
 * millisecond; all nodes are about as far away; the database's clock is slewed and not set. An
 * answer that takes longer than two seconds counts as if it took two.
 */
import type { Db } from '../db/database.ts';
import { ArrivalSlots } from './arrival-slots.ts';
import type { RateLimit } from './rate-limits.ts';
import { RoundTripMinimum } from './round-trip-minimum.ts';

/** A round trip may be so much shorter than all of the latest. */
const guardMs = 1;
/** A slot that is used later than this may count no more: the database keeps it for this and an answer. */
const lateMsMax = 1_000;
/** A queue asks so often at most, so that a few slots are taken together. */
const requestIntervalMs = 100;
/** As many may wait as go in so many windows; others are refused at once. */
const windowsWaitingMax = 2;
const queuesKept = 10_000;

/** How long a caller waits for its slot. */
interface WaitLimit {
  readonly waitMs: number;
  /** Ends the wait when it aborts. */
  readonly signal: AbortSignal;
}

/** A permission to send one request. Exactly one of its functions is to be called. */
export interface ArrivalSlot {
  /** Does the work when it is time. Rejects as `work` does, or when the database does not answer. */
  run<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Nothing is sent: the slot is free for another. */
  release(): void;
}

/** The arrival limits of all nodes, as this one asks for them. */
export interface ArrivalLimits {
  /**
   * Slots are given in the order in which they are asked for; undefined when that would take too
   * long, or too many wait. Rejects when the database does not answer.
   */
  reserve(key: string, limit: RateLimit, wait: WaitLimit): Promise<ArrivalSlot | undefined>;
}

/** The arrival limits of this node; `stopwatch` answers milliseconds that never go back. */
export function createArrivalLimits(db: Db, stopwatch: () => number): ArrivalLimits {
  const slots = new ArrivalSlots(db, stopwatch);
  const queues = new Map<string, SlotQueue>();
  return {
    reserve: async (key, limit, { waitMs, signal }) => {
      const queue = queues.get(key) ?? new SlotQueue(key, slots, stopwatch);
      queues.delete(key);
      if (queues.size >= queuesKept) evictOneIdle(queues);
      queues.set(key, queue);
      const departsAt = await queue.enter(limit, { until: stopwatch() + waitMs, signal });
      if (departsAt === undefined) return undefined;
      return {
        run: (work) => queue.run(departsAt, work),
        release: () => queue.release(departsAt),
      };
    },
  };
}

/** The one that was idle for longest. */
function evictOneIdle(queues: Map<string, SlotQueue>): void {
  for (const [key, queue] of queues) {
    if (!queue.isIdle) continue;
    queues.delete(key);
    return;
  }
}

interface PendingSlot {
  readonly until: number;
  readonly signal: AbortSignal | undefined;
  resolve(departsAt: number | undefined): void;
  reject(error: unknown): void;
}

/** Those on this node that wait for slots of one key, in their order. */
class SlotQueue {
  readonly #key: string;
  readonly #slots: ArrivalSlots;
  readonly #stopwatch: () => number;
  readonly #roundTrips = new RoundTripMinimum();
  #limit: RateLimit = { max: 0, windowMs: 0 };
  #waiting: PendingSlot[] = [];
  isIdle = true;

  constructor(key: string, slots: ArrivalSlots, stopwatch: () => number) {
    this.#key = key;
    this.#slots = slots;
    this.#stopwatch = stopwatch;
  }

  /** When it may go, by the database's clock. */
  enter(
    limit: RateLimit,
    wait: Pick<PendingSlot, 'until' | 'signal'>,
  ): Promise<number | undefined> {
    this.#limit = limit;
    if (this.#waiting.length >= windowsWaitingMax * limit.max) return Promise.resolve(undefined);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ ...wait, resolve, reject });
      if (this.isIdle) void this.#serve();
    });
  }

  async run<Result>(departsAt: number, work: () => Promise<Result>): Promise<Result> {
    const own = await this.#due(departsAt);
    const beganAt = this.#stopwatch();
    try {
      return await work();
    } finally {
      this.#answered(own, beganAt);
    }
  }

  release(departsAt: number): void {
    this.#slots.report(this.#key, this.#limit, departsAt, 0);
  }

  /** Resolves when it is time, with the instant: another one when this was missed. */
  async #due(departsAt: number): Promise<number> {
    const { clock } = this.#slots;
    await this.#waitUntil(clock.reachedAt(departsAt / 1_000));
    if (clock.latestAt(this.#stopwatch()) <= departsAt / 1_000 + lateMsMax) return departsAt;
    this.release(departsAt);
    const next = await new Promise<number>((resolve, reject) => {
      const wait = { until: Number.POSITIVE_INFINITY, signal: undefined };
      this.#waiting.unshift({ ...wait, resolve: (at) => resolve(at!), reject });
      if (this.isIdle) void this.#serve();
    });
    return this.#due(next);
  }

  /** It counts for a window from when it can have arrived at the latest. */
  #answered(departsAt: number, beganAt: number): void {
    const answeredAt = this.#stopwatch();
    this.#roundTrips.observe(answeredAt - beganAt);
    const arrivedBy = answeredAt - this.#roundTrips.shortestMs;
    const untilMs = this.#slots.clock.latestAt(arrivedBy) + guardMs + this.#limit.windowMs;
    this.#slots.report(this.#key, this.#limit, departsAt, untilMs);
  }

  async #serve(): Promise<void> {
    this.isIdle = false;
    await new Promise(setImmediate); // who came with the first is asked for with it
    while (this.#waiting.length > 0) {
      const waitMs = await this.#requestSlots();
      this.#dismissLate();
      if (this.#waiting.length > 0) await delay(waitMs);
    }
    this.isIdle = true;
  }

  /** Answers when there may be more. */
  async #requestSlots(): Promise<number> {
    try {
      const wanted = this.#waiting.length;
      const { departsAt, retryAfterMs } = await this.#slots.take(this.#key, this.#limit, wanted);
      for (const at of departsAt) this.#waiting.shift()!.resolve(at);
      return Math.max(requestIntervalMs, retryAfterMs);
    } catch (error) {
      for (const { reject } of this.#waiting.splice(0)) reject(error);
      return 0;
    }
  }

  #dismissLate(): void {
    const now = this.#stopwatch();
    const isOver = ({ until, signal }: PendingSlot) => until <= now || signal?.aborted === true;
    for (const { resolve } of this.#waiting.filter(isOver)) resolve(undefined);
    this.#waiting = this.#waiting.filter((each) => !isOver(each));
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
