import type { Command } from 'commander';
import type { Runtime } from '../runtime.ts';
import { command } from './command.ts';
import { connectorAddCommand } from './connector-add.ts';
import { connectorListCommand } from './connector-list.ts';
import { connectorMapCommand } from './connector-map.ts';
import { connectorTestCommand } from './connector-test.ts';

export function connectorCommand(runtime: Runtime): Command {
  const group = command({
    name: 'connector',
    summary: 'Add, list, test and map the sources of this network.',
    examples: ['drawbridge connector add sqlite --name erp --settings-file erp.json'],
  });
  group.addCommand(connectorAddCommand(runtime));
  group.addCommand(connectorListCommand(runtime));
  group.addCommand(connectorTestCommand(runtime));
  group.addCommand(connectorMapCommand(runtime));
  return group;
}
