/**
 * Single messages go before broadcasts: while some wait for their app, broadcasts leave it room.
 */
import type { RateLimit, RateLimits } from '../../../platform/limits/rate-limits.ts';

/** A limit that is never reached: a grant of it is a mark that all nodes see during the window. */
const marks: RateLimit = { max: 1_000_000, windowMs: 2_000 };

/** Marks that a single message waits for the app. */
export async function markWaiting(limits: RateLimits, appId: string): Promise<void> {
  await limits.take(keyOf(appId), marks, 1);
}

/** Whether a single message recently waited for the app. */
export async function hasWaiting(limits: RateLimits, appId: string): Promise<boolean> {
  const { remaining } = await limits.take(keyOf(appId), marks, 0);
  return remaining < marks.max;
}

function keyOf(appId: string): string {
  return `waiting ${appId}`;
}
