import { closeReasons } from '@drawbridge/link/close-reasons.ts';
import type { Command } from 'commander';
import { levelOf, type Report } from '../log/events.ts';
import { knownSecrets } from '../log/known-secrets.ts';
import { openLog } from '../log/log-file.ts';
import { createRedaction } from '../log/redaction.ts';
import { openNetwork } from '../network/network.ts';
import { failed, type Outcome } from '../outcome.ts';
import { printable } from '../printable.ts';
import { runAgent } from '../runner.ts';
import type { Runtime } from '../runtime.ts';
import { openHome, openIdentity, openStore } from '../store/home.ts';
import { takeLock } from '../store/lock.ts';
import { configuredSources } from '../sync/configured-sources.ts';
import { confirmUpgrade, settleUpgrade } from '../upgrade/trials.ts';
import { addAction, type CommandContext, command, settingsHelp } from './command.ts';

export function runCommand(runtime: Runtime): Command {
  const target = command({
    name: 'run',
    summary: 'Link to the control plane and serve it until stopped (SIGTERM drains first).',
    examples: ['drawbridge run', 'DRAWBRIDGE_GRACE_SECONDS=60 drawbridge run --json'],
  }).addHelpText('after', settingsHelp());
  return addAction(target, runtime, run);
}

/** An agent that has run for so long works, although its control plane cannot be reached. */
const wellAfterMs = 600_000;

async function run({ runtime, settings, output }: CommandContext): Promise<Outcome> {
  const settled = settleUpgrade(settings.home);
  if (settled.kind === 'went_back') {
    const cause = `${settled.from} ended too often before it was linked: ${settled.to} is installed again.`;
    return failed('upgrade_undone', cause);
  }
  const home = openHome(settings, runtime);
  if (home.kind === 'failed') return home.outcome;
  const identity = openIdentity(home.value);
  if (identity.kind === 'failed') return identity.outcome;
  const network = openNetwork(settings, identity.value.caFile);
  if (network.kind === 'failed') return network.outcome;
  const lock = takeLock(settings.home);
  if (lock === undefined) return failed('already_running', 'An agent runs on this home folder.');
  const opened = openStore(home.value, runtime.clock);
  if (opened.kind === 'failed') return opened.outcome;
  const { store, quarantined } = opened.value;
  const confirming = setTimeout(() => confirmUpgrade(settings.home), wellAfterMs).unref();
  const log = openLog(settings.home, settings.logBytesMax);
  // Read anew: a source with its secrets may have been added since.
  const redaction = () => createRedaction(knownSecrets(home.value, settings, runtime));
  const report: Report = (event, said) => {
    if (event === 'connected') confirmUpgrade(settings.home);
    const at = runtime.clock().toISOString();
    const detail = redaction()(said);
    log({ at, level: levelOf(event), event, detail });
    if (output.json) runtime.stdout.write(`${JSON.stringify({ at, event, detail })}\n`);
    else if (!output.quiet) runtime.stderr.write(`${at} ${event} ${printable(detail)}\n`);
  };
  if (quarantined !== undefined) report('quarantined', `the queue was damaged: ${quarantined}`);
  const outcome = await runAgent({
    runtime,
    settings,
    home: home.value,
    identity: identity.value,
    network: network.value,
    store,
    sources: configuredSources(home.value, settings, runtime, store),
    redaction,
    report,
  });
  clearTimeout(confirming);
  if (outcome.kind === 'faulted') {
    const { code = 'no code', message } = outcome.error as NodeJS.ErrnoException;
    return failed('agent_fault', `The agent cannot go on (${code}): ${message}.`);
  }
  store.close();
  lock.release();
  if (outcome.kind === 'stopped') return { kind: 'done', data: { event: 'stopped' } };
  if (outcome.close === 'retired_key') {
    const cause = 'The control plane no longer has the key that this agent trusts.';
    return failed('control_plane_key_retired', cause);
  }
  if (outcome.close === 'bad_proof') {
    const cause =
      'Neither end knows the other by its key: another copy of this agent has changed its key, or something else answers for the control plane.';
    return failed('link_refused', cause);
  }
  return failed(
    'link_refused',
    `The control plane ended the link: ${closeReasons[outcome.close].reason}.`,
  );
}
