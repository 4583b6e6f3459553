/**
 * Never more than `limit` requests in any window: a ring holds the instants of the last `limit`
 * requests, and a grant is given only when there is room. (A token bucket of the same size lets
 * nearly twice as many pass in its first second.) A grant keeps its place until its request is
 * really written to the network, which may be much later when a connection must be opened first;
 * only then does its window begin. Grants are also spread over the window. This does not use the
 * platform's `RateLimits`, because one process sends to an endpoint, so that no database is needed,
 * and because a window begins at the write.
 */
export interface RateRing {
  /**
   * 0 when a request may be sent at `nowMs`, else milliseconds until then; infinite: only after a
   * `sent`.
   */
  take(nowMs: number): number;
  /** A granted request was written. */
  sent(nowMs: number): void;
  /** A granted request was not written and never will be. */
  unsent(): void;
}

/**
 * 5 ms more than a second: requests may reach the receiver a little closer together than they left.
 */
export const rateWindowMs = 1_005;
/** How many may leave at once after a pause, as a share of the limit. */
const burstShare = 0.1;

/** A ring of `limit` instants. `nowMs` must come from one clock that never goes backwards. */
export function rateRing(limit: number, windowMs: number = rateWindowMs): RateRing {
  const instants = new Float64Array(limit);
  const gapMs = windowMs / limit;
  const slackMs = Math.max(0, Math.floor(limit * burstShare) - 1) * gapMs;
  let oldest = 0;
  let inWindow = 0;
  let granted = 0;
  let dueMs = Number.NEGATIVE_INFINITY;
  return {
    take: (nowMs) => {
      while (inWindow > 0 && instants[oldest]! + windowMs <= nowMs) {
        oldest = (oldest + 1) % limit;
        inWindow -= 1;
      }
      if (inWindow + granted >= limit) {
        return inWindow > 0 ? instants[oldest]! + windowMs - nowMs : Number.POSITIVE_INFINITY;
      }
      if (dueMs - slackMs > nowMs) return dueMs - slackMs - nowMs;
      dueMs = Math.max(dueMs, nowMs) + gapMs;
      granted += 1;
      return 0;
    },
    sent: (nowMs) => {
      granted -= 1;
      instants[(oldest + inWindow) % limit] = nowMs;
      inWindow += 1;
    },
    unsent: () => {
      granted -= 1;
    },
  };
}
