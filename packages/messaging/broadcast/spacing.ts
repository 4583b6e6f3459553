/**
 * Keeps departures to a rate, however unevenly items arrive; `nowMs` is of a clock that never goes
 * backwards.
 */
export interface Spacing {
  /** Milliseconds until one more may leave; 0: now. */
  waitMs(nowMs: number): number;
  left(nowMs: number): void;
}

/** At most `max` departures in any `windowMs`: each is a window after the one `max` before it. */
export function spacing(max: number, windowMs: number): Spacing {
  const leftAt = new Float64Array(max).fill(Number.NEGATIVE_INFINITY);
  let oldest = 0;
  return {
    waitMs: (nowMs) => Math.max(0, leftAt[oldest]! + windowMs - nowMs),
    left: (nowMs) => {
      leftAt[oldest] = nowMs;
      oldest = (oldest + 1) % max;
    },
  };
}
