import { setTimeout as delay } from 'node:timers/promises';

const settleWithinMs = 60_000;
const pollMs = 100;

/** Waits until a condition on other processes is true; false after a minute. */
export async function until(
  isSo: () => boolean | Promise<boolean>,
  withinMs = settleWithinMs,
): Promise<boolean> {
  const giveUp = performance.now() + withinMs;
  while (!(await isSo())) {
    if (performance.now() > giveUp) return false;
    await delay(pollMs);
  }
  return true;
}
