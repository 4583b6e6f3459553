/**
 * Bounds what arrives at the far end, which reads when it can: what left evenly may arrive together.
 * A message counts from when it leaves until a window has passed since it arrived at the latest,
 * which is when its answer came, less the shortest round trip.
 *
 * `nowMs` is of a clock that never goes backwards.
 */
export interface Arrivals {
  /** Milliseconds until one more may leave, or until it is worth asking again; 0: now. */
  waitMs(nowMs: number): number;
  /** A message leaves; the answer's time is told by `answered` with what this returns. */
  left(nowMs: number): number;
  /** Its answer came, or there will be none; `roundTripMs` is the shortest of the latest. */
  answered(message: number, nowMs: number, roundTripMs: number): void;
}

/** An answer that takes longer counts as if it took so long; requests end before. */
const answerMsMax = 15_000;
/** How often to look for an answer when nothing else is known to come. */
const lookMs = 5;

/** At most `max` arrive in any `windowMs`. */
export function arrivals(max: number, windowMs: number): Arrivals {
  /** When each left that has no answer yet, in the order in which they left. */
  const unanswered = new Map<number, number>();
  /** Until when those with an answer count, in the order of the answers, which is that of time. */
  const counted: number[] = [];
  let firstCounted = 0;
  let last = 0;

  function count(untilMs: number): void {
    counted.push(Math.max(untilMs, counted.at(-1) ?? 0));
  }

  function settle(nowMs: number): void {
    for (const [message, leftMs] of unanswered) {
      if (leftMs + answerMsMax > nowMs) break;
      unanswered.delete(message);
      count(leftMs + answerMsMax + windowMs);
    }
    while (firstCounted < counted.length && counted[firstCounted]! <= nowMs) firstCounted += 1;
    if (firstCounted > max) {
      counted.splice(0, firstCounted);
      firstCounted = 0;
    }
  }

  return {
    waitMs(nowMs) {
      settle(nowMs);
      if (unanswered.size + counted.length - firstCounted < max) return 0;
      const untilMs = counted[firstCounted];
      return untilMs === undefined ? lookMs : Math.min(untilMs - nowMs, lookMs);
    },
    left(nowMs) {
      last += 1;
      unanswered.set(last, nowMs);
      return last;
    },
    answered(message, nowMs, roundTripMs) {
      if (unanswered.delete(message)) count(nowMs - roundTripMs + windowMs);
    },
  };
}
