/**
 * Bounds what arrives at the far end, which reads when it can: what left evenly may arrive together.
 * A message counts from when it leaves until a window has passed since it arrived at the latest,
 * which is when its answer came, less the shortest round trip of all. (That of the latest few would be
 * long while the far end stands still, and what it reads then would count as if it had been read at once.)
 *
 * `nowMs` is of a clock that never goes backwards.
 */
export interface Arrivals {
  /** Milliseconds until one more may leave, or until it is worth asking again; 0: now. */
  waitMs(nowMs: number): number;
  /** A message leaves; the answer's time is told by `answered` with what this returns. */
  left(nowMs: number): number;
  /** Its answer came, or there will be none. */
  answered(message: number, nowMs: number): void;
}

/** An answer that takes longer counts as if it took so long; requests end before. */
const answerMsMax = 15_000;
/** How often to look for an answer when nothing else is known to come. */
const lookMs = 5;
/**
 * At first connections open and code is compiled, so that even the shortest round trip is far too long:
 * until so long after the first message none is deducted.
 */
const settlingMs = 5_000;

/** At most `max` arrive in any `windowMs`. */
export function arrivals(max: number, windowMs: number): Arrivals {
  /** When each left that has no answer yet, in the order in which they left. */
  const unanswered = new Map<number, number>();
  /** Until when those with an answer count, in the order of the answers, which is that of time. */
  const counted: number[] = [];
  let firstCounted = 0;
  let last = 0;
  let settledMs: number | undefined;
  let shortestMs = Number.POSITIVE_INFINITY;

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
      settledMs ??= nowMs + settlingMs;
      unanswered.set(last, nowMs);
      return last;
    },
    answered(message, nowMs) {
      const leftMs = unanswered.get(message);
      if (leftMs === undefined) return;
      unanswered.delete(message);
      shortestMs = Math.min(shortestMs, nowMs - leftMs);
      count((leftMs < settledMs! ? nowMs : nowMs - shortestMs) + windowMs);
    },
  };
}
