/** How fast a replay makes deliveries due, so that neither the queue nor new events suffer from it. */
export const replayLimits = {
  /** Deliveries of one replay. */
  deliveries: 100_000,
  /** Deliveries made due in one step: what may be sent in a second. */
  step: 200,
  stepMs: 1_000,
  /** Deliveries of the endpoint that wait beside its new ones; with more the replay waits too. */
  waiting: 1_000,
  waitMs: 5_000,
  /** How long a replay waits for its endpoint in all. */
  durationMs: 7 * 24 * 60 * 60 * 1_000,
} as const;

/** What a replay does next. */
export type ReplayStep =
  | { readonly kind: 'send' }
  | { readonly kind: 'wait'; readonly until: Date }
  | { readonly kind: 'end'; readonly reason: 'endpoint_deleted' | 'took_too_long' };

export interface ReplayProgress {
  readonly startedAt: Date;
  readonly now: Date;
  readonly isEndpointDeleted: boolean;
  /** How many deliveries of the endpoint wait beside its new ones. */
  readonly waiting: number;
}

/** Whether a replay may make more deliveries due now. */
export function nextReplayStep(progress: ReplayProgress): ReplayStep {
  const { startedAt, now, isEndpointDeleted, waiting } = progress;
  if (isEndpointDeleted) return { kind: 'end', reason: 'endpoint_deleted' };
  if (now.getTime() - startedAt.getTime() >= replayLimits.durationMs) {
    return { kind: 'end', reason: 'took_too_long' };
  }
  if (waiting < replayLimits.waiting) return { kind: 'send' };
  return { kind: 'wait', until: new Date(now.getTime() + replayLimits.waitMs) };
}
