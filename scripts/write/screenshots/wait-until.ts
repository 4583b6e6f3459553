import { until } from '../../demo/until.ts';

/** Waits until it is so; throws when it is not after a minute. */
export async function waitUntil(isSo: () => Promise<boolean>): Promise<void> {
  if (!(await until(isSo))) throw new Error(`it did not come to: ${isSo}`);
}
