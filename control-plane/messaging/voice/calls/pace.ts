/** Keeps calls apart on their way out, so that those of one second do not meet those of the next. */
import type { Limit } from '../../../platform/limits/limits.ts';

/** Timers are a millisecond early or late, and the way there is not half of the way there and back. */
const slackMs = 3;
/** An answer that is later than this frees its place all the same: slow answers must not stop calls. */
const lateMsMax = 2_000;
/** How fast the usual time of an answer follows when answers grow slower. */
const forgetting = 0.01;

/**
 * A grant says when a call may go, by the database's clock; what is done between it and the arrival
 * takes one call longer than another. So each of `max` places is free again when `windowMs` have
 * passed since its call can have arrived at the latest: as much later as its answer was later than
 * usual. It holds for one node; over nodes the grants do.
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
    const lane: Lane = this.#lanes.get(key) ?? { taken: 0, queue: [], usualMs: undefined };
    this.#lanes.set(key, lane);
    await enter(lane, limit.max);
    const leave = () => {
      if (freed(lane)) this.#lanes.delete(key);
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
}

interface Lane {
  taken: number;
  readonly queue: { readonly max: number; go(): void }[];
  /** The least that an answer takes; undefined before the first. */
  usualMs: number | undefined;
}

function enter(lane: Lane, max: number): Promise<void> {
  return new Promise((go) => {
    lane.queue.push({ max, go });
    admit(lane);
  });
}

/** True when nobody is left. */
function freed(lane: Lane): boolean {
  lane.taken -= 1;
  admit(lane);
  return lane.taken === 0;
}

function admit(lane: Lane): void {
  for (;;) {
    const [first] = lane.queue;
    if (first === undefined || lane.taken >= first.max) return;
    lane.taken += 1;
    lane.queue.shift();
    first.go();
  }
}
