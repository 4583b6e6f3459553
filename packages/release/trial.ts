import { z } from 'zod';
import { versionPattern } from './version.ts';

const version = z.string().regex(versionPattern);

/** An upgrade of which it is not certain yet that the new version works. */
export const trialSchema = z.object({
  from: version,
  to: version,
  /** How often the new version was started without having said that it is well. */
  starts: z.int().min(0).max(1_000),
});
export type Trial = z.infer<typeof trialSchema>;

/** So often may a new version start and end again before it is well. */
export const trialStartsMax = 3;

export type TrialDecision =
  /** There is no trial, or it has ended. */
  | { readonly kind: 'over' }
  /** The old version is the one installed: the switch was not reached, or was taken back. */
  | { readonly kind: 'not_switched' }
  | { readonly kind: 'start'; readonly trial: Trial }
  | { readonly kind: 'go_back'; readonly trial: Trial };

/**
 * What to do with a trial before an agent starts. `installed` is the version of its executable,
 * `well` the last version that said that it is well.
 */
export function decideTrial(
  trial: Trial | undefined,
  installed: string,
  well: string | undefined,
): TrialDecision {
  if (trial === undefined || well === trial.to) return { kind: 'over' };
  if (installed !== trial.to) return { kind: 'not_switched' };
  if (trial.starts >= trialStartsMax) return { kind: 'go_back', trial };
  return { kind: 'start', trial: { ...trial, starts: trial.starts + 1 } };
}
