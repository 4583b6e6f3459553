import type { Command } from 'commander';
import type { Outcome } from '../../outcome.ts';
import type { Runtime } from '../../runtime.ts';
import { addAction, type CommandContext, command } from '../command.ts';
import { findOwnConnector, keepConnector } from './stored-connector.ts';

export function connectorEnableCommand(runtime: Runtime): Command {
  return switchCommand(runtime, true, {
    name: 'enable',
    summary: 'Offer a disabled source to the control plane again.',
    examples: ['drawbridge connector enable erp'],
  });
}

export function connectorDisableCommand(runtime: Runtime): Command {
  return switchCommand(runtime, false, {
    name: 'disable',
    summary: 'Keep a source and its settings, and let nobody use it; what is to be written waits.',
    examples: ['drawbridge connector disable erp'],
  });
}

function switchCommand(runtime: Runtime, enabled: boolean, text: Parameters<typeof command>[0]) {
  const target: Command = command(text).argument('<name>', 'name of the connector');
  return addAction(target, runtime, async (context: CommandContext, _: object, name: string) => {
    const found = findOwnConnector(context, name);
    if (found.kind === 'failed') return found.outcome;
    const fault = keepConnector(found.home, name, (now) => ({ ...now, enabled }));
    if (fault !== undefined) return fault;
    const shown = enabled ? 'Enabled.' : 'Disabled.';
    return { kind: 'done', data: { name, enabled }, shown } satisfies Outcome;
  });
}
