/** Single messages go before broadcasts: while some wait for their app, broadcasts leave it room. */
import type { Limit, Limits } from '../../platform/limits/limits.ts';

/** Never reached: grants of it are marks, that all nodes see for the window. */
const marks: Limit = { max: 1_000_000, windowMs: 2_000 };

/** Says that a single message waits for the app. */
export async function noteWaiting(limits: Limits, appId: string): Promise<void> {
  await limits.take(keyOf(appId), marks, 1);
}

/** Whether a single message waited for the app a moment ago. */
export async function isWaiting(limits: Limits, appId: string): Promise<boolean> {
  const { remaining } = await limits.take(keyOf(appId), marks, 0);
  return remaining < marks.max;
}

function keyOf(appId: string): string {
  return `waiting ${appId}`;
}
