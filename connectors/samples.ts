import { limits } from './contract.ts';

/** Up to three different values, each cut to a bounded length. */
export function samplesOf(values: Iterable<string | null | undefined>): string[] {
  const samples = new Set<string>();
  for (const value of values) {
    if (samples.size === limits.samplesMax) break;
    if (value != null && value.trim() !== '') samples.add(value.slice(0, limits.sampleLengthMax));
  }
  return [...samples];
}
