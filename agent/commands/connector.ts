import type { Command } from 'commander';
import type { Runtime } from '../runtime.ts';
import { addLoadedAction, command } from './command.ts';
import { connectorAddCommand } from './connector/add.ts';
import { connectorEditCommand } from './connector/edit.ts';
import { connectorDisableCommand, connectorEnableCommand } from './connector/enable-disable.ts';
import { connectorGrantsCommand } from './connector/grants.ts';
import { connectorListCommand } from './connector/list.ts';
import { connectorRemoveCommand } from './connector/remove.ts';
import { connectorShowCommand } from './connector/show.ts';
import type { TakeOverOptions } from './connector/take-over.ts';
import { connectorTestCommand } from './connector/test.ts';
import { withKey } from './key-options.ts';

const commands = [
  connectorAddCommand,
  connectorListCommand,
  connectorShowCommand,
  connectorEditCommand,
  connectorTestCommand,
  connectorGrantsCommand,
  connectorEnableCommand,
  connectorDisableCommand,
  connectorRemoveCommand,
  takeOverCommand,
];

export function connectorCommand(runtime: Runtime): Command {
  const group = command({
    name: 'connector',
    summary: 'Add, try, change and remove the sources of this network.',
    examples: ['drawbridge connector add sqlite --name erp --settings-file erp.json'],
  });
  for (const one of commands) group.addCommand(one(runtime));
  return group;
}

function takeOverCommand(runtime: Runtime): Command {
  const target = command({
    name: 'take-over',
    summary: 'Have the control plane read by this agent what it read by the one before it.',
    examples: [
      'drawbridge connector take-over --key-file key.txt',
      'drawbridge connector take-over --from agt_01k9zq3v7m2n4p6r8t0w2y4a6c',
    ],
  }).option('--from <agent>', 'the former agent (default: those that this host was)');
  return addLoadedAction<TakeOverOptions>(
    withKey(target),
    runtime,
    async () => (await import('./connector/take-over.ts')).takeOver,
  );
}
