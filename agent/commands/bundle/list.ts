import type { Command } from 'commander';
import type { Outcome } from '../../outcome.ts';
import type { Runtime } from '../../runtime.ts';
import { openBundles } from '../../store/bundles.ts';
import { openHome } from '../../store/home.ts';
import { addAction, type CommandContext, command } from '../command.ts';

export function bundleListCommand(runtime: Runtime): Command {
  const target = command({
    name: 'list',
    summary: 'Show the bundles of both ways, and which of them are on their way.',
    examples: ['drawbridge bundle list', 'drawbridge bundle list --json'],
  });
  return addAction(target, runtime, list);
}

/** Bundles that are shown. */
const listMax = 1_000;

async function list({ runtime, settings }: CommandContext): Promise<Outcome> {
  const home = openHome(settings, runtime);
  if (home.kind === 'failed') return home.outcome;
  const bundles = openBundles(settings.home, runtime.clock);
  const data = bundles.list(listMax);
  bundles.close();
  const rows = data.map(({ direction, number, messages, made_at, taken_at, digest }) => [
    direction === 'to_control_plane' ? 'to the control plane' : 'from the control plane',
    String(number),
    String(messages),
    made_at,
    taken_at ?? 'on its way',
    digest.slice(0, 12),
  ]);
  const head = ['direction', 'number', 'messages', 'made', 'taken', 'digest'];
  const none = 'No bundle was carried yet: `drawbridge bundle export` makes the first.';
  return { kind: 'done', data, shown: { head, rows, none } };
}
