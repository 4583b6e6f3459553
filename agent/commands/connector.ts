import type { Command } from 'commander';
import type { Runtime } from '../runtime.ts';
import { command } from './command.ts';
import { connectorAddCommand } from './connector/add.ts';
import { connectorEditCommand } from './connector/edit.ts';
import { connectorDisableCommand, connectorEnableCommand } from './connector/enable-disable.ts';
import { connectorGrantsCommand } from './connector/grants.ts';
import { connectorListCommand } from './connector/list.ts';
import { connectorRemoveCommand } from './connector/remove.ts';
import { connectorShowCommand } from './connector/show.ts';
import { connectorTestCommand } from './connector/test.ts';

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
