import type { Manifest } from './manifest.ts';
import { compareVersions } from './version.ts';

export interface UpgradeQuestion {
  readonly manifest: Manifest;
  readonly platform: string;
  /** The version that is installed. */
  readonly current: string;
  /** The newest version that this agent has ever been; undefined before it remembers one. */
  readonly seen: string | undefined;
  readonly now: Date;
}

export type UpgradeDecision =
  | { readonly kind: 'upgrade'; readonly executable: Manifest['executables'][number] }
  /** It is installed already. */
  | { readonly kind: 'current' }
  | { readonly kind: 'refused'; readonly cause: string };

/**
 * Whether an agent may be replaced by a signed release. An older one is refused although it is
 * signed: its faults are known by now, and whoever offers it may be after them.
 */
export function decideUpgrade(question: UpgradeQuestion): UpgradeDecision {
  const { manifest, platform, current, now } = question;
  const { version, minimum_version: minimum, not_before: notBefore } = manifest;
  const seen = question.seen ?? current;
  const newest = compareVersions(seen, current) > 0 ? seen : current;
  if (version === current) return { kind: 'current' };
  if (compareVersions(version, newest) < 0) {
    return refused(`${version} is older than ${newest}, which this agent has been already`);
  }
  if (compareVersions(current, minimum) < 0) {
    return refused(`${version} replaces ${minimum} or later, and this is ${current}`);
  }
  if (now.getTime() < Date.parse(notBefore)) {
    return refused(`${version} is not to be installed before ${notBefore}`);
  }
  const executable = manifest.executables.find((each) => each.platform === platform);
  if (executable === undefined) return refused(`${version} has no agent for ${platform}`);
  return { kind: 'upgrade', executable };
}

function refused(cause: string): UpgradeDecision {
  return { kind: 'refused', cause };
}
