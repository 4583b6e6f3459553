import type { Command } from 'commander';
import type { Edge } from '../edge.ts';
import { command } from './command.ts';
import { connectorAddCommand } from './connector-add.ts';
import { connectorListCommand } from './connector-list.ts';
import { connectorMapCommand } from './connector-map.ts';
import { connectorTestCommand } from './connector-test.ts';

export function connectorCommand(edge: Edge): Command {
  const group = command({
    name: 'connector',
    summary: 'Add, list, test and map the sources of this network.',
    examples: ['drawbridge connector add sqlite --name erp --settings-file erp.json'],
  });
  group.addCommand(connectorAddCommand(edge));
  group.addCommand(connectorListCommand(edge));
  group.addCommand(connectorTestCommand(edge));
  group.addCommand(connectorMapCommand(edge));
  return group;
}
