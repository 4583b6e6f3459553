import type { Command } from 'commander';
import type { Runtime } from '../runtime.ts';
import { command } from './command.ts';
import { cursorReconcileCommand } from './cursor/reconcile.ts';
import { cursorRewindCommand } from './cursor/rewind.ts';
import { cursorShowCommand } from './cursor/show.ts';

export function cursorCommand(runtime: Runtime): Command {
  const group = command({
    name: 'cursor',
    summary:
      'Show how far the sources are read, read them again, or compare them with what was read.',
    examples: ['drawbridge cursor show', 'drawbridge cursor reconcile erp'],
  });
  group.addCommand(cursorShowCommand(runtime));
  group.addCommand(cursorRewindCommand(runtime));
  group.addCommand(cursorReconcileCommand(runtime));
  return group;
}
