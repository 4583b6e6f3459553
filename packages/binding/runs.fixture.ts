import type { Parameters } from 'fast-check';

/**
 * How often a property is tried: `count` times, from a fixed seed, so that runs of the suite are
 * alike. `npm run fuzz` sets FUZZ_FACTOR and FUZZ_SEED to try more and other cases.
 */
export function runs(count: number): Parameters<unknown> {
  const { FUZZ_FACTOR = '1', FUZZ_SEED = '20261121' } = process.env;
  return { numRuns: count * Number(FUZZ_FACTOR), seed: Number(FUZZ_SEED) };
}
