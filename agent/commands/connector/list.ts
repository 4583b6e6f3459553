import type { Command } from 'commander';
import type { Outcome } from '../../outcome.ts';
import type { Runtime } from '../../runtime.ts';
import { openConnectors, openHome } from '../../store/home.ts';
import { addAction, type CommandContext, command } from '../command.ts';

export function connectorListCommand(runtime: Runtime): Command {
  const target = command({
    name: 'list',
    summary: 'List the sources of this network, without their settings.',
    examples: ['drawbridge connector list', 'drawbridge connector list --json'],
  });
  return addAction(target, runtime, list);
}

async function list({ runtime, settings }: CommandContext): Promise<Outcome> {
  const home = openHome(settings, runtime);
  if (home.kind === 'failed') return home.outcome;
  const connectors = openConnectors(home.value);
  if (connectors.kind === 'failed') return connectors.outcome;
  const data = connectors.value.map(({ name, kind, watch, enabled }) => {
    return { name, kind, watch, enabled };
  });
  const rows = data.map(({ name, kind, watch, enabled }) => {
    return [name, kind, watch ? 'yes' : 'no', enabled ? 'yes' : 'no'];
  });
  const none = 'There are no sources yet: `drawbridge connect` leads to the first one.';
  const head = ['name', 'kind', 'watched', 'enabled'];
  return { kind: 'done', data, shown: { head, rows, none } };
}
