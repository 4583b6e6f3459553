import { vi } from 'vitest';

/** Repeats `work` until it does not throw, long enough for a busy machine. */
export function eventually<Result>(work: () => Result | Promise<Result>): Promise<Result> {
  return vi.waitFor(work, { timeout: 40_000, interval: 50 });
}
