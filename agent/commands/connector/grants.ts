import type { ConnectorKind } from '@drawbridge/connectors/contract.ts';
import { connectorKind, connectorKinds } from '@drawbridge/connectors/registry.ts';
import type { Command } from 'commander';
import { failed, type Outcome } from '../../outcome.ts';
import type { Runtime } from '../../runtime.ts';
import { addAction, type CommandContext, command } from '../command.ts';
import { findConnector } from './stored-connector.ts';

const kinds = connectorKinds.filter((kind) => kind.grants !== undefined).map(({ kind }) => kind);

/** What is printed for a kind, where no settings say what the database is like. */
const example = {
  host: 'localhost',
  database: 'erp',
  user: 'drawbridge_reader',
  sections: {
    header: { table: 'invoice', key: 'id', match: 'number' },
    lines: { table: 'invoice_line', key: 'id', match: 'invoice_id', matchFrom: 'id' },
  },
  writeBack: { mode: 'side-table', user: 'drawbridge_writer' },
};

export function connectorGrantsCommand(runtime: Runtime): Command {
  const target = command({
    name: 'grants',
    summary: 'Print the least rights that a source needs, as a script for its administrator.',
    examples: [
      'drawbridge connector grants erp > grants.sql',
      'drawbridge connector grants --kind postgres',
    ],
  })
    .argument('[name]', 'name of the connector')
    .option('--kind <kind>', `an example for a kind instead: ${kinds.join(', ')}`);
  return addAction(target, runtime, grants);
}

async function grants(
  context: CommandContext,
  { kind }: { readonly kind?: string },
  name?: string,
): Promise<Outcome> {
  if ((name === undefined) === (kind === undefined)) {
    return failed('usage', 'Give the name of a connector, or --kind.');
  }
  if (name === undefined) return script(connectorKind(kind ?? ''), kind ?? '', example);
  const found = findConnector(context, name);
  if (found.kind === 'failed') return found.outcome;
  const { kind: itsKind, settings } = found.connector;
  return script(connectorKind(itsKind), itsKind, settings);
}

function script(kind: ConnectorKind | undefined, name: string, settings: unknown): Outcome {
  if (kind?.grants === undefined) {
    const cause = `A source of kind "${name}" grants no rights by a script; ${kinds.join(', ')} do.`;
    return failed('kind_unknown', cause);
  }
  const parsed = kind.settings.safeParse(settings);
  if (!parsed.success)
    return failed('settings_invalid', 'The settings of this connector do not read.');
  const text = kind.grants(parsed.data);
  return { kind: 'done', data: { kind: name, script: text }, shown: text.trimEnd() };
}
