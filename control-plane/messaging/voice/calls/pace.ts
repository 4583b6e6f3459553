/** Keeps calls apart on their way out, so that those of one second do not meet those of the next. */
import type { Limit } from '../../../platform/limits/limits.ts';

/** Timers are a millisecond early or late, and the way there is not half of the way there and back. */
const slackMs = 3;
/** An answer that is later than this frees its place all the same: slow answers must not stop calls. */
const lateMsMax = 500;
/** How fast the usual time of an answer follows when answers grow slower. */
const forgetting = 0.01;
/** A little ahead of the limit, so that the places decide and not the cadence. */
const cadence = 0.95;
/** As much of a delay is made up for. */
const behindMsMax = 100;

/**
 * A grant says when a call may go, by the database's clock; what is done between it and the arrival
 * takes one call longer than another. So each of `max` places is free again when `windowMs` have
 * passed since its call can have arrived at the latest: as much later as its answer was later than
 * usual. They go evenly, since answers to many at once come late. It holds for one node; over nodes
 * the grants do.
 */
export class Pace {
  readonly #stopwatch: () => number;
  readonly #lanes = new Map<string, Lane>();

  /** `stopwatch` answers milliseconds that never go back. */
  constructor(stopwatch: () => number) {
    this.#stopwatch = stopwatch;
  }

  /** Does the work when there is a place, in the order in which it was asked. */
  async run<Result>(key: string, limit: Limit, work: () => Promise<Result>): Promise<Result> {
    const lane = this.#lanes.get(key) ?? newLane();
    this.#lanes.set(key, lane);
    await this.#enter(lane, limit);
    const leave = () => {
      lane.taken -= 1;
      this.#admit(lane);
      if (lane.taken === 0 && lane.queue.length === 0) this.#lanes.delete(key);
    };
    const begun = this.#stopwatch();
    const freeMs = limit.windowMs + slackMs;
    let timer: NodeJS.Timeout | undefined = setTimeout(() => {
      timer = undefined;
      leave();
    }, freeMs + lateMsMax);
    try {
      return await work();
    } finally {
      const tookMs = this.#stopwatch() - begun;
      const usualMs = lane.usualMs ?? tookMs;
      lane.usualMs = Math.min(tookMs, usualMs + forgetting * (tookMs - usualMs));
      if (timer !== undefined) {
        clearTimeout(timer);
        setTimeout(leave, Math.max(0, freeMs - lane.usualMs));
      }
    }
  }

  #enter(lane: Lane, { max, windowMs }: Limit): Promise<void> {
    return new Promise((go) => {
      lane.queue.push({ max, spaceMs: (windowMs / max) * cadence, go });
      this.#admit(lane);
    });
  }

  #admit(lane: Lane): void {
    for (;;) {
      const [first] = lane.queue;
      if (first === undefined || lane.taken >= first.max || lane.timer !== undefined) return;
      const now = this.#stopwatch();
      if (lane.nextAt > now) {
        lane.timer = setTimeout(
          () => {
            lane.timer = undefined;
            this.#admit(lane);
          },
          Math.ceil(lane.nextAt - now),
        );
        return;
      }
      lane.nextAt = Math.max(lane.nextAt, now - behindMsMax) + first.spaceMs;
      lane.taken += 1;
      lane.queue.shift();
      first.go();
    }
  }
}

interface Lane {
  taken: number;
  readonly queue: { readonly max: number; readonly spaceMs: number; go(): void }[];
  /** The least that an answer takes; undefined before the first. */
  usualMs: number | undefined;
  /** When the next one goes, by the cadence. */
  nextAt: number;
  timer: NodeJS.Timeout | undefined;
}

function newLane(): Lane {
  return { taken: 0, queue: [], usualMs: undefined, nextAt: 0, timer: undefined };
}
