/** How fast a sender goes, as a share of what it may; networks that say "slow down" lower it. */
export interface Pace {
  readonly share: number;
  /** When it was changed last, in milliseconds. */
  readonly changedAt: number;
  /** Nothing goes before. */
  readonly restsUntil: number;
}

const shareMin = 0.02;
const slowing = 0.7;
/** Gained back in a second without a complaint. */
const gainPerSecond = 0.04;
/** Complaints that come together are one. */
const complaintMs = 1_000;
const restMsMax = 60_000;

export const fullPace: Pace = { share: 1, changedAt: 0, restsUntil: 0 };

/** After the network complained: slower by a third, and a rest when it asked for one. */
export function slowDown(pace: Pace, nowMs: number, afterMs: number): Pace {
  const restsUntil = Math.max(pace.restsUntil, nowMs + Math.min(afterMs, restMsMax));
  if (nowMs - pace.changedAt < complaintMs) return { ...pace, restsUntil };
  const share = Math.max(shareMin, shareAt(pace, nowMs) * slowing);
  return { share, changedAt: nowMs, restsUntil };
}

/** The share now, a little more with each second in which nobody complained. */
export function shareAt({ share, changedAt, restsUntil }: Pace, nowMs: number): number {
  const quietMs = Math.max(0, nowMs - Math.max(changedAt, restsUntil));
  return Math.min(1, share + (gainPerSecond * quietMs) / 1_000);
}
