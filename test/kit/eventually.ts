import { vi } from 'vitest';

/** Tries until it no longer throws: long enough for a machine that others keep busy. */
export function eventually<Result>(work: () => Result | Promise<Result>): Promise<Result> {
  return vi.waitFor(work, { timeout: 20_000, interval: 50 });
}
