/**
 * The protocol's history: one growing number, a date and what changed; rows are added, never
 * edited.
 */
export const history = [
  {
    version: 1,
    date: '2026-11-21',
    change: 'Signed handshake, sealed frames, calls with results in parts, commands and events.',
  },
] as const;

/** The versions one side can speak, both ends included. */
export interface VersionRange {
  readonly min: number;
  readonly max: number;
}

/** What this build speaks; the newest row of the history is the newest version. */
export const supported: VersionRange = { min: 1, max: history.at(-1)!.version };

/** The highest version that both sides speak, or undefined when there is none. */
export function negotiate(ours: VersionRange, theirs: VersionRange): number | undefined {
  const highest = Math.min(ours.max, theirs.max);
  return highest >= Math.max(ours.min, theirs.min) ? highest : undefined;
}
