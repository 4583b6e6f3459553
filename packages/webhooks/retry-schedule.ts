/**
 * Seconds to wait before each attempt, the first included: about three days in all (Standard
 * Webhooks).
 */
export const retrySchedule = [
  0, 5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400,
] as const;

/**
 * Every wait varies by this share, so that attempts that failed together do not return together.
 */
const jitterShare = 0.2;

/**
 * When to try again after `attempts` attempts (at least one), or undefined when the schedule is
 * used up. `random` gives a number in [0, 1).
 */
export function nextAttemptAt(
  failedAt: Date,
  attempts: number,
  random: () => number,
): Date | undefined {
  const seconds = retrySchedule[attempts];
  if (seconds === undefined) return undefined;
  const factor = 1 + jitterShare * (2 * random() - 1);
  return new Date(failedAt.getTime() + Math.round(seconds * factor * 1_000));
}
