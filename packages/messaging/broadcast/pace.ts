/**
 * The speed of a sender as a share of what it may send; it falls when a network says "slow down".
 */
export interface Pace {
  readonly share: number;
  /** When `share` last changed, in milliseconds. */
  readonly changedAt: number;
  /** Nothing is sent before this instant, in milliseconds. */
  readonly restsUntil: number;
}

const shareMin = 0.02;
const slowing = 0.7;
/** The share gained back in each second without a complaint. */
const gainPerSecond = 0.04;
/** Complaints within this time count once. */
const complaintMs = 1_000;
const restMsMax = 60_000;

/** Full speed: no complaint yet. */
export const fullPace: Pace = { share: 1, changedAt: 0, restsUntil: 0 };

/**
 * The pace after a complaint: slower by 30 %, with a rest of `afterMs` when the network asks for
 * one.
 */
export function slowDown(pace: Pace, nowMs: number, afterMs: number): Pace {
  const restsUntil = Math.max(pace.restsUntil, nowMs + Math.min(afterMs, restMsMax));
  if (nowMs - pace.changedAt < complaintMs) return { ...pace, restsUntil };
  const share = Math.max(shareMin, shareAt(pace, nowMs) * slowing);
  return { share, changedAt: nowMs, restsUntil };
}

/** The share at `nowMs`: it grows with each second without a complaint. */
export function shareAt({ share, changedAt, restsUntil }: Pace, nowMs: number): number {
  const quietMs = Math.max(0, nowMs - Math.max(changedAt, restsUntil));
  return Math.min(1, share + (gainPerSecond * quietMs) / 1_000);
}
