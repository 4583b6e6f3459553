/** The first ceiling and the largest one, in milliseconds. */
export interface BackoffLimits {
  readonly baseMs: number;
  readonly capMs: number;
}

const defaultBackoff: BackoffLimits = { baseMs: 1_000, capMs: 60_000 };

/**
 * Milliseconds to wait before attempt number `attempt` (from 0): a random time below a ceiling that
 * doubles with each attempt, so that clients that failed together do not return together. `random`
 * gives a number in [0, 1).
 */
export function fullJitter(
  attempt: number,
  random: () => number,
  { baseMs, capMs }: BackoffLimits = defaultBackoff,
): number {
  const ceilingMs = Math.min(capMs, baseMs * 2 ** Math.min(attempt, 32));
  return Math.floor(random() * ceilingMs);
}
