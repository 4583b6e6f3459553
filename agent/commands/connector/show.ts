import { connectorKind } from '@drawbridge/connectors/registry.ts';
import type { Command } from 'commander';
import { masked } from '../../config/connector-settings.ts';
import type { Outcome } from '../../outcome.ts';
import type { Runtime } from '../../runtime.ts';
import { addAction, type CommandContext, command } from '../command.ts';
import { findConnector } from './stored-connector.ts';

export function connectorShowCommand(runtime: Runtime): Command {
  const target = command({
    name: 'show',
    summary: 'Show the settings of a source; secrets as ***.',
    examples: ['drawbridge connector show erp', 'drawbridge connector show erp --json'],
  }).argument('<name>', 'name of the connector');
  return addAction(target, runtime, show);
}

async function show(context: CommandContext, _: object, name: string): Promise<Outcome> {
  const found = findConnector(context, name);
  if (found.kind === 'failed') return found.outcome;
  const { kind, watch, enabled, settings } = found.connector;
  const known = connectorKind(kind);
  // Of a kind that this agent does not know nobody can say what is secret.
  const shown = known === undefined ? '***' : masked(settings, known.settings);
  const data = { name, kind, watch, enabled, settings: shown };
  const rows = [
    ['kind', kind],
    ['watched', watch ? 'yes' : 'no'],
    ['enabled', enabled ? 'yes' : 'no'],
    ['settings', JSON.stringify(shown, null, 2)],
  ];
  return { kind: 'done', data, shown: { head: ['', name], rows } };
}
