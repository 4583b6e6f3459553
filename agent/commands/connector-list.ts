import type { Command } from 'commander';
import type { Edge } from '../edge.ts';
import type { Outcome } from '../output.ts';
import { openConnectors, openHome } from '../store/home.ts';
import { act, command, type Setting } from './command.ts';

export function connectorListCommand(edge: Edge): Command {
  const target = command({
    name: 'list',
    summary: 'List the sources of this network, without their settings.',
    examples: ['drawbridge connector list', 'drawbridge connector list --json'],
  });
  return act(target, edge, list);
}

async function list({ edge, settings }: Setting): Promise<Outcome> {
  const home = openHome(settings, edge);
  if (home.kind === 'failed') return home.outcome;
  const connectors = openConnectors(home.value);
  if (connectors.kind === 'failed') return connectors.outcome;
  const data = connectors.value.map(({ name, kind, watch }) => ({ name, kind, watch }));
  const rows = data.map(({ name, kind, watch }) => [name, kind, watch ? 'yes' : 'no']);
  return { kind: 'done', data, shown: { head: ['name', 'kind', 'watched'], rows } };
}
