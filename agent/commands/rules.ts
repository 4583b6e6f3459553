import { decideRules, openRulesFile, rulesFileBytesMax } from '@drawbridge/release/rules-update.ts';
import type { Command } from 'commander';
import { failed, type Outcome } from '../outcome.ts';
import { readFileUpTo } from '../read-up-to.ts';
import { rulesInterface } from '../rules/rules.ts';
import {
  loadRules,
  type RulesInUse,
  rulesInUse,
  rulesOf,
  updateFile,
} from '../rules/rules-in-use.ts';
import type { Runtime } from '../runtime.ts';
import { writeDurably } from '../store/durable-file.ts';
import { openHome } from '../store/home.ts';
import { openKnownVersions } from '../upgrade/known-versions.ts';
import { releaseKeys } from '../upgrade/release-keys.ts';
import { addAction, type CommandContext, command } from './command.ts';

export function rulesCommand(runtime: Runtime): Command {
  const group = command({
    name: 'rules',
    summary: 'Show and update the rules, code lists and explanations; offline.',
    examples: ['drawbridge rules show', 'drawbridge rules import drawbridge-rules-1.3.0.json'],
  });
  const showing = command({
    name: 'show',
    summary: 'Show which rules validate and explain use, and until when they are thought good.',
    examples: ['drawbridge rules show --json'],
  });
  group.addCommand(addAction(showing, runtime, show));
  const importing = command({
    name: 'import',
    summary: 'Take newer rules from a file that the maker of this agent has signed.',
    examples: ['drawbridge rules import /media/usb/drawbridge-rules-1.3.0.json'],
  }).argument('<file>', 'drawbridge-rules-VERSION.json of a release');
  group.addCommand(addAction(importing, runtime, importRules));
  return group;
}

async function show({ runtime, settings }: CommandContext): Promise<Outcome> {
  const inUse = rulesInUse(settings.home);
  const { profiles } = await loadRules(settings.home);
  const data = { ...dataOf(inUse, runtime.clock()), profiles };
  const rows = [
    ['version', data.version],
    ['from', data.source === 'agent' ? 'the agent itself' : 'an update'],
    ['good until', data.warn_after ?? 'not said: this agent was not released'],
    ...(data.outdated ? [['outdated', 'there should be newer ones']] : []),
    ...(data.unused === null ? [] : [['update not used', data.unused]]),
    ['profiles', profiles.map(({ id }) => id).join(', ')],
  ];
  return { kind: 'done', data, shown: { head: ['', 'rules'], rows } };
}

function dataOf({ version, source, warnAfter, unused }: RulesInUse, now: Date) {
  const outdated = warnAfter !== null && now.getTime() > Date.parse(warnAfter);
  return { version, source, warn_after: warnAfter, outdated, unused: unused ?? null };
}

async function importRules(
  { runtime, settings }: CommandContext,
  _: object,
  file: string,
): Promise<Outcome> {
  if (releaseKeys.length === 0) {
    return failed('not_a_release', 'This agent knows no release key: nobody signed it.');
  }
  const bytes = await bytesOf(file);
  if (bytes === undefined) return failed('file_missing', `${file} cannot be read.`);
  const home = openHome(settings, runtime);
  if (home.kind === 'failed') return home.outcome;
  const opened = openRulesFile(bytes, releaseKeys);
  if (opened.kind !== 'opened') {
    const error = opened.kind === 'unsigned' ? 'signature_refused' : 'rules_refused';
    return failed(error, `${file}: ${opened.cause}.`);
  }
  const { manifest, script } = opened;
  const versions = openKnownVersions(settings.home);
  const inUse = rulesInUse(settings.home);
  const decision = decideRules({
    manifest,
    interface: rulesInterface,
    current: inUse.version,
    seen: versions.read().rules,
    now: runtime.clock(),
  });
  if (decision.kind === 'refused') return failed('rules_refused', `${file}: ${decision.cause}.`);
  const data = { from: inUse.version, to: manifest.version, warn_after: manifest.warn_after };
  if (decision.kind === 'current') {
    return { kind: 'done', data, shown: `${manifest.version} is in use already.` };
  }
  try {
    rulesOf(script);
  } catch (error) {
    return failed('rules_refused', `${file} does not run here: ${(error as Error).message}.`);
  }
  // Remembered first: killed in between, the agent takes this version again and none before it.
  versions.setRules(manifest.version);
  writeDurably(updateFile(settings.home), bytes);
  const shown = `${manifest.version} is in use now, in the place of ${inUse.version}; good until ${manifest.warn_after}.`;
  return { kind: 'done', data, shown };
}

/** Undefined where there is no such file, or a larger one. */
async function bytesOf(file: string): Promise<Uint8Array | undefined> {
  try {
    return await readFileUpTo(file, rulesFileBytesMax);
  } catch {
    return undefined;
  }
}
