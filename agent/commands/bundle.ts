import type { Command } from 'commander';
import type { Runtime } from '../runtime.ts';
import { bundleExportCommand } from './bundle/export.ts';
import { bundleImportCommand } from './bundle/import.ts';
import { bundleListCommand } from './bundle/list.ts';
import { command } from './command.ts';

export function bundleCommand(runtime: Runtime): Command {
  const group = command({
    name: 'bundle',
    summary: 'Carry the messages of the link as files, where no connection is possible.',
    examples: ['drawbridge bundle export --to /media/usb', 'drawbridge bundle import FILE'],
  });
  group.addCommand(bundleExportCommand(runtime));
  group.addCommand(bundleImportCommand(runtime));
  group.addCommand(bundleListCommand(runtime));
  return group;
}
