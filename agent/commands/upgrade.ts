import { statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { trialStartsMax } from '@drawbridge/release/trial.ts';
import type { Command } from 'commander';
import { openNetwork } from '../network/network.ts';
import { isTrustedAddress } from '../network/trusted-address.ts';
import { type Failed, failed, type Outcome } from '../outcome.ts';
import type { Runtime } from '../runtime.ts';
import { homeOfInstalled, isServiceActive, restartService } from '../service/running-service.ts';
import type { Settings } from '../settings.ts';
import {
  endTrial,
  exchangeWithPrevious,
  filesBeside,
  goBack,
  hasPrevious,
} from '../upgrade/executable-files.ts';
import { type Installation, ownInstallation } from '../upgrade/installation.ts';
import { openKnownVersions } from '../upgrade/known-versions.ts';
import { releaseKeys } from '../upgrade/release-keys.ts';
import { type ReadReleased, readerOfAddress, readerOfFolder } from '../upgrade/release-source.ts';
import { lockUpgrades, settleUpgrade } from '../upgrade/trials.ts';
import { type UpgradeOutcome, upgrade } from '../upgrade/upgrade.ts';
import { version } from '../version.ts';
import { addAction, type CommandContext, command } from './command.ts';

interface Options {
  readonly file?: string;
  readonly url?: string;
  readonly rollback: boolean;
  readonly settle: boolean;
}

export function upgradeCommand(runtime: Runtime): Command {
  const target = command({
    name: 'upgrade',
    summary:
      'Replace this agent by a newer, signed release; it goes back by itself if that does not work.',
    examples: [
      'drawbridge upgrade --file /media/usb/release-1.2.0',
      'drawbridge upgrade --url https://downloads.example.com/drawbridge',
      'drawbridge upgrade --rollback',
    ],
  })
    .option('--file <path>', 'folder of a release, or a file in it')
    .option('--url <url>', 'address of the folder of a release')
    .option('--rollback', 'go back to the version before', false)
    .option('--settle', 'end an interrupted upgrade, as each start of the agent does', false);
  return addAction(target, runtime, act);
}

async function act(context: CommandContext, options: Options): Promise<Outcome> {
  const installation = ownInstallation();
  if (installation === undefined) {
    return failed('not_a_release', 'This agent runs from its sources.');
  }
  const { installedBy } = installation;
  const home = homeOfInstalled(context.settings, context.runtime.env);
  if (options.settle) return settle(home);
  if (installedBy !== undefined) {
    const how = installers[installedBy] ?? `Use ${installedBy}.`;
    return failed('package_managed', `This agent was installed as a package. ${how}`);
  }
  try {
    const lock = lockUpgrades(home);
    if (lock === undefined) return failed('already_running', 'Another upgrade is under way.');
    try {
      return options.rollback
        ? rollBack(installation)
        : await upgradeFrom(context, options, installation, home);
    } finally {
      lock.release();
    }
  } catch (error) {
    const { code, path } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    return failed(
      'upgrade_failed',
      `${path ?? installation.executable} cannot be written (${code}).`,
    );
  }
}

const installers: Readonly<Record<string, string>> = {
  deb: 'Run `apt-get install ./drawbridge_VERSION_ARCHITECTURE.deb`.',
  rpm: 'Run `dnf install ./drawbridge-VERSION-1.ARCHITECTURE.rpm`.',
  image: 'Start a container of the newer image.',
};

async function upgradeFrom(
  { runtime, settings }: CommandContext,
  options: Options,
  installation: Installation,
  home: string,
): Promise<Outcome> {
  if (releaseKeys.length === 0) {
    return failed('not_a_release', 'This agent knows no release key: nobody signed it.');
  }
  const reader = readerOf(options, settings);
  if (reader.kind === 'failed') return reader.outcome;
  const outcome = await upgrade({
    installation,
    versions: openKnownVersions(home),
    read: reader.read,
    now: runtime.clock(),
  });
  if (outcome.kind !== 'switched' || !isServiceActive()) return presented(outcome);
  if (restartService()) {
    const data = { from: version, to: outcome.version, restarted: true };
    const shown = `${outcome.version} runs now, in the place of ${version}.`;
    return { kind: 'done', data, shown, exit: 'upgraded' };
  }
  const files = filesBeside(installation.executable);
  goBack(files);
  endTrial(files);
  restartService();
  const cause = `The service did not become ready with ${outcome.version}: ${version} is installed again.`;
  return failed('upgrade_undone', cause);
}

type Reader =
  | { readonly kind: 'reader'; readonly read: ReadReleased }
  | { readonly kind: 'failed'; readonly outcome: Failed };

function readerOf({ file, url }: Options, settings: Settings): Reader {
  if ((file === undefined) === (url === undefined)) {
    return refused(failed('usage', 'Give --file or --url, one of them.'));
  }
  if (file !== undefined) {
    const path = resolve(file);
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat === undefined) return refused(failed('file_missing', `There is no ${path}.`));
    return { kind: 'reader', read: readerOfFolder(stat.isDirectory() ? path : dirname(path)) };
  }
  if (!isTrustedAddress(url!, settings))
    return refused(failed('url_invalid', `${url} is not safe.`));
  const network = openNetwork(settings);
  if (network.kind === 'failed') return network;
  return { kind: 'reader', read: readerOfAddress(url!, network.value) };
}

function refused(outcome: Failed): Reader {
  return { kind: 'failed', outcome };
}

function presented(outcome: UpgradeOutcome): Outcome {
  switch (outcome.kind) {
    case 'current':
      return { kind: 'done', data: { version }, shown: `${version} is installed already.` };
    case 'switched': {
      const data = { from: version, to: outcome.version };
      const shown = `${outcome.version} is installed, in the place of ${version}. Restart the agent; until it is linked it goes back after ${trialStartsMax} starts that end.`;
      return { kind: 'done', data, shown, exit: 'upgraded' };
    }
    case 'untrusted':
      return failed('signature_refused', outcome.cause);
    case 'refused':
      return failed('upgrade_refused', outcome.cause);
    case 'unreachable':
      return failed('release_unreadable', outcome.cause);
    case 'broken':
      return failed('upgrade_failed', outcome.cause);
  }
}

function rollBack(installation: Installation): Outcome {
  const files = filesBeside(installation.executable);
  if (!hasPrevious(files)) return failed('no_previous', `There is no ${files.previous}.`);
  exchangeWithPrevious(files);
  endTrial(files);
  const isRestarted = isServiceActive() && restartService();
  const next = isRestarted ? 'Its service was started anew.' : 'Restart the agent.';
  const shown = `The version before is installed again. ${next}`;
  return { kind: 'done', data: { from: version, restarted: isRestarted }, shown };
}

function settle(home: string): Outcome {
  const settled = settleUpgrade(home);
  if (settled.kind !== 'went_back') return { kind: 'done', data: { upgrade: settled.kind } };
  const shown = `${settled.from} ended too often before it was linked: ${settled.to} is installed again.`;
  return {
    kind: 'done',
    data: { upgrade: settled.kind, from: settled.from, to: settled.to },
    shown,
  };
}
