/** Milliseconds: the first ceiling, and the one it never grows past. */
export interface BackoffLimits {
  readonly baseMs: number;
  readonly capMs: number;
}

export const defaultBackoff: BackoffLimits = { baseMs: 1_000, capMs: 60_000 };

/**
 * Milliseconds to wait before attempt number `attempt` (from 0): anywhere below a ceiling that
 * doubles, so that many who failed together do not come back together. `random` gives a number in
 * [0, 1).
 */
export function fullJitter(
  attempt: number,
  random: () => number,
  { baseMs, capMs }: BackoffLimits = defaultBackoff,
): number {
  const ceilingMs = Math.min(capMs, baseMs * 2 ** Math.min(attempt, 32));
  return Math.floor(random() * ceilingMs);
}
