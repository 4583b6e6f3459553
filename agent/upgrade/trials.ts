import { decideTrial, type Trial, trialStartsMax } from '@drawbridge/release/trial.ts';
import { loadSqlite, takeLock } from '../store/lock.ts';
import { version } from '../version.ts';
import {
  type ExecutableFiles,
  endTrial,
  filesBeside,
  goBack,
  hasPrevious,
  readTrial,
  removeUnfinished,
  writeTrial,
} from './executable-files.ts';
import { ownInstallation } from './installation.ts';
import {
  asOwnerOf,
  type KnownVersions,
  makeHomeFolder,
  openKnownVersions,
} from './known-versions.ts';

/** What became of an upgrade before the agent starts. */
export type Settled =
  | { readonly kind: 'nothing' | 'on_trial' }
  | { readonly kind: 'went_back'; readonly from: string; readonly to: string };

/**
 * Ends an upgrade that was interrupted, and goes back from a version that has ended too often before it
 * was well. Whoever may not change the executable leaves that to who may: a service's first step does it.
 */
export function settleUpgrade(home: string): Settled {
  const installation = ownInstallation();
  if (installation === undefined || installation.installedBy !== undefined) {
    return { kind: 'nothing' };
  }
  try {
    const lock = lockUpgrades(home);
    if (lock === undefined) return { kind: 'nothing' }; // an upgrade is under way, and settles itself
    try {
      return settle(filesBeside(installation.executable), openKnownVersions(home));
    } finally {
      lock.release();
    }
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    // Whoever cannot use the home folder is told by what opens it next.
    if (['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'ENOENT', 'EEXIST', 'ENOSPC'].includes(code))
      return { kind: 'nothing' };
    throw error;
  }
}

/** The upgrade to this version, while it is not certain that it works. */
export function openTrial(home: string): Trial | undefined {
  const installation = ownInstallation();
  if (installation === undefined || installation.installedBy !== undefined) return undefined;
  const trial = readTrial(filesBeside(installation.executable));
  const { kind } = decideTrial(trial, version, openKnownVersions(home).read().well);
  return kind === 'start' || kind === 'go_back' ? trial : undefined;
}

/** What is to be known of a trial, in a sentence. */
export function trialText({ from, to, starts }: Trial): string {
  return `${to} is on trial: it was started ${starts} of ${trialStartsMax} times, and ${from} is installed again unless it links, runs for ten minutes or carries a bundle`;
}

/** Says that this version works, so that it is not taken back. */
export function confirmUpgrade(home: string): void {
  try {
    openKnownVersions(home).setWell(version);
  } catch {
    // A full disk must not end an agent that works: the next link says it again.
  }
}

/** Only one process at a time changes the executable. */
export function lockUpgrades(home: string) {
  makeHomeFolder(home);
  // SQLite's native part is loaded before rights are given up: root runs none that its service's user can change.
  loadSqlite();
  return asOwnerOf(home, () => takeLock(home, 'upgrade'));
}

function settle(files: ExecutableFiles, versions: KnownVersions): Settled {
  const decision = decideTrial(readTrial(files), version, versions.read().well);
  switch (decision.kind) {
    case 'over':
    case 'not_switched':
      endTrial(files);
      removeUnfinished(files);
      return { kind: 'nothing' };
    case 'start':
      writeTrial(files, decision.trial);
      return { kind: 'on_trial' };
    case 'go_back': {
      if (hasPrevious(files)) goBack(files);
      endTrial(files);
      const { from, to } = decision.trial;
      return { kind: 'went_back', from: to, to: from };
    }
  }
}
