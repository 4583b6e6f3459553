import { monitorEventLoopDelay } from 'node:perf_hooks';

/** How late the event loop is: what it is asked for waits that long before it is even looked at. */
export interface LoopLateness {
  /** It was later than allowed, on average, for two spans on end. */
  readonly isLate: () => boolean;
  stop(): void;
}

export interface LoopLatenessOptions {
  /** Milliseconds; 0: it is never called late. */
  readonly lateMs: number;
  /** Milliseconds of a span; default 500. */
  readonly spanMs?: number;
}

const resolutionMs = 10;

/** Begins to watch the event loop of this thread. */
export function watchLoop({ lateMs, spanMs = 500 }: LoopLatenessOptions): LoopLateness {
  const histogram = monitorEventLoopDelay({ resolution: resolutionMs });
  histogram.enable();
  // One long turn alone (a collection of garbage, a machine that paused) is over when it is seen.
  let lateSpans = 0;
  // The histogram is never reset: a loop that is held has one sample a turn, and a reset costs one.
  let before = { count: 0, sumMs: 0 };
  const timer = setInterval(() => {
    const { count, mean } = histogram;
    const sumMs = count === 0 ? 0 : (count * mean) / 1e6;
    const meanMs = (sumMs - before.sumMs) / (count - before.count || 1);
    lateSpans = meanMs - resolutionMs > lateMs ? lateSpans + 1 : 0;
    before = { count, sumMs };
  }, spanMs).unref();
  return {
    isLate: () => lateMs > 0 && lateSpans >= 2,
    stop: () => {
      clearInterval(timer);
      histogram.disable();
    },
  };
}
