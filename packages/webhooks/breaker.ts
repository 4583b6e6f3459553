/**
 * A circuit breaker as a value: closed, open for 30 s, then half-open with one probe. While it is
 * open deliveries wait; they have not failed and no attempt is counted.
 */
export interface Breaker {
  readonly state: 'closed' | 'open' | 'half-open';
  /** Milliseconds since the epoch; when an open breaker lets a probe pass. */
  readonly probeAtMs: number;
  /** Successes and failures by 30 s sample, oldest first, within the window. */
  readonly samples: readonly Sample[];
}

/** The results of one sample period, which begins at `startMs` (milliseconds since the epoch). */
interface Sample {
  readonly startMs: number;
  readonly ok: number;
  readonly failed: number;
}

/** Whether a request may pass now. */
export type Gate =
  | { readonly kind: 'flow' }
  /** One request may pass; the caller marks it with `probing`. */
  | { readonly kind: 'probe' }
  | { readonly kind: 'wait'; readonly untilMs?: number };

/** Thresholds as Convoy's defaults. */
export const breakerLimits = {
  sampleMs: 30_000,
  windowMs: 300_000,
  openMs: 30_000,
  failureShare: 0.7,
  requestsMin: 10,
} as const;

/** The breaker of an endpoint without a history: closed, no samples. */
export const closedBreaker: Breaker = { state: 'closed', probeAtMs: 0, samples: [] };

/**
 * Whether requests may pass now. While the probe of a half-open breaker is under way, other
 * requests wait for its result.
 */
export function gateOf(breaker: Breaker, nowMs: number): Gate {
  if (breaker.state === 'closed') return { kind: 'flow' };
  if (breaker.state === 'half-open') return { kind: 'wait' };
  return nowMs >= breaker.probeAtMs
    ? { kind: 'probe' }
    : { kind: 'wait', untilMs: breaker.probeAtMs };
}

/** The breaker once its probe has been sent. */
export function probing(breaker: Breaker): Breaker {
  return { ...breaker, state: 'half-open' };
}

/**
 * The breaker after one request. A success closes it and clears its samples; failures may open it.
 */
export function recorded(breaker: Breaker, isOk: boolean, nowMs: number): Breaker {
  if (breaker.state !== 'closed') {
    return isOk ? closedBreaker : opened(nowMs);
  }
  const samples = addTo(breaker.samples, isOk, nowMs);
  const failed = samples.reduce((sum, sample) => sum + sample.failed, 0);
  const total = samples.reduce((sum, sample) => sum + sample.ok, failed);
  const isTripped =
    !isOk && total >= breakerLimits.requestsMin && failed / total >= breakerLimits.failureShare;
  return isTripped ? opened(nowMs) : { ...breaker, samples };
}

function opened(nowMs: number): Breaker {
  return { state: 'open', probeAtMs: nowMs + breakerLimits.openMs, samples: [] };
}

function addTo(samples: readonly Sample[], isOk: boolean, nowMs: number): Sample[] {
  const startMs = nowMs - (nowMs % breakerLimits.sampleMs);
  const kept = samples.filter((sample) => sample.startMs > nowMs - breakerLimits.windowMs);
  const last = kept.at(-1);
  const current = last?.startMs === startMs ? kept.pop()! : { startMs, ok: 0, failed: 0 };
  kept.push({
    startMs,
    ok: current.ok + (isOk ? 1 : 0),
    failed: current.failed + (isOk ? 0 : 1),
  });
  return kept;
}
