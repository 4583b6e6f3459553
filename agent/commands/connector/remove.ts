import type { Command } from 'commander';
import { openDrafts } from '../../mapping/drafts.ts';
import type { Outcome } from '../../outcome.ts';
import type { Runtime } from '../../runtime.ts';
import { openStore } from '../../store/home.ts';
import { addAction, type CommandContext, command } from '../command.ts';
import { confirmed } from '../confirmation.ts';
import { findOwnConnector, keepConnector } from './stored-connector.ts';

export function connectorRemoveCommand(runtime: Runtime): Command {
  const target = command({
    name: 'remove',
    summary:
      'Forget a source, its settings, its mapping drafts and how far it was read; the source itself is not touched.',
    examples: ['drawbridge connector remove erp', 'drawbridge connector remove erp --yes'],
  })
    .argument('<name>', 'name of the connector')
    .option('-y, --yes', 'do not ask', false);
  return addAction(target, runtime, remove);
}

async function remove(context: CommandContext, options: { yes: boolean }, name: string) {
  const found = findOwnConnector(context, name);
  if (found.kind === 'failed') return found.outcome;
  const refusal = await confirmed(context, options, `Forget the connector "${name}"?`);
  if (refusal !== undefined) return refusal;
  const opened = openStore(found.home, context.runtime.clock);
  if (opened.kind === 'failed') return opened.outcome;
  const fault = keepConnector(found.home, name, () => undefined);
  if (fault === undefined) {
    opened.value.store.forgetSource(name);
    openDrafts(found.home.path).remove(name);
  }
  opened.value.store.close();
  if (fault !== undefined) return fault;
  return { kind: 'done', data: { name, removed: true }, shown: 'Removed.' } satisfies Outcome;
}
