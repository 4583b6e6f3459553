import { closes } from '@drawbridge/link/closes.ts';
import type { Command } from 'commander';
import { runBridge } from '../bridge.ts';
import type { Edge } from '../edge.ts';
import { failed, type Outcome } from '../output.ts';
import { openHome, openIdentity, openStore } from '../store/home.ts';
import { takeLock } from '../store/lock.ts';
import { sourcesOf } from '../sync/configured.ts';
import { act, command, type Setting, settingsHelp } from './command.ts';

export function runCommand(edge: Edge): Command {
  const target = command({
    name: 'run',
    summary: 'Link to the control plane and serve it until stopped (SIGTERM drains first).',
    examples: ['drawbridge run', 'DRAWBRIDGE_GRACE_SECONDS=60 drawbridge run --json'],
  }).addHelpText('after', settingsHelp());
  return act(target, edge, run);
}

async function run({ edge, settings, output }: Setting): Promise<Outcome> {
  const home = openHome(settings, edge);
  if (home.kind === 'failed') return home.outcome;
  const identity = openIdentity(home.value);
  if (identity.kind === 'failed') return identity.outcome;
  const lock = takeLock(settings.home);
  if (lock === undefined) return failed('already_running', 'An agent runs on this home folder.');
  const opened = openStore(home.value, edge.clock);
  if (opened.kind === 'failed') return opened.outcome;
  const { store, quarantined } = opened.value;
  const report = (event: string, detail: string) => {
    const at = edge.clock().toISOString();
    if (output.json) edge.stdout.write(`${JSON.stringify({ at, event, detail })}\n`);
    else if (!output.quiet) edge.stderr.write(`${at} ${event} ${detail}\n`);
  };
  if (quarantined !== undefined) report('quarantined', `the queue was damaged: ${quarantined}`);
  const outcome = await runBridge({
    edge,
    settings,
    home: home.value,
    identity: identity.value,
    store,
    sources: sourcesOf(home.value, settings, edge),
    report,
  });
  store.close();
  lock.release();
  if (outcome.kind === 'stopped') return { kind: 'done', data: { event: 'stopped' } };
  return failed(
    'link_refused',
    `The control plane ended the link: ${closes[outcome.close].reason}.`,
  );
}
