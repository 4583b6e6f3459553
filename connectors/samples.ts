import { limits } from './contract.ts';

/** The first different values, at most `limits.samplesMax` of them, each cut to a limit. */
export function samplesOf(values: Iterable<string | null | undefined>): string[] {
  const samples = new Set<string>();
  for (const value of values) {
    if (samples.size === limits.samplesMax) break;
    if (value != null && value.trim() !== '') samples.add(value.slice(0, limits.sampleLengthMax));
  }
  return [...samples];
}
