import { states } from '@drawbridge/lifecycle/transitions.ts';
import { type Command, Option } from 'commander';
import type { Runtime } from '../runtime.ts';
import { addLoadedAction, command } from './command.ts';
import { withKey } from './key-options.ts';

/** What became of invoices, and what waits for a person. */
export function invoiceCommand(runtime: Runtime): Command {
  const group = command({
    name: 'invoice',
    summary: 'Look at what became of invoices, and release, approve or withdraw those that wait.',
    examples: [
      'drawbridge invoice list --status rejected',
      'drawbridge invoice list --waits-for release',
      'drawbridge invoice release inv_01k9zq3v7m2n4p6r8t0w2y4a6c',
    ],
  });
  const commands = [listCommand, showCommand, releaseCommand, approveCommand, withdrawCommand];
  for (const one of commands) group.addCommand(one(runtime));
  return group;
}

function listCommand(runtime: Runtime): Command {
  const target = command({
    name: 'list',
    summary: 'List the newest invoices of the workspace or of one source, and what they wait for.',
    examples: [
      'drawbridge invoice list --key-file key.txt',
      'drawbridge invoice list --connector erp --status rejected',
      'drawbridge invoice list --waits-for release --json',
    ],
  })
    .option('--connector <name>', 'read through this source of this host only')
    .addOption(new Option('--status <status>', 'in this state only').choices(states))
    .addOption(
      new Option('--waits-for <step>', 'held until somebody does this').choices([
        'release',
        'approval',
      ]),
    )
    .option('--number <number>', 'with this invoice number only')
    .option('--limit <count>', 'how many, at most 200', '20');
  return addLoadedAction(
    withKey(target),
    runtime,
    async () => (await import('./invoice/list.ts')).list,
  );
}

function showCommand(runtime: Runtime): Command {
  const target = command({
    name: 'show',
    summary: 'Say what became of one invoice: what failed, where it stands in the ERP, what to do.',
    examples: ['drawbridge invoice show inv_01k9zq3v7m2n4p6r8t0w2y4a6c --key-file key.txt'],
  }).argument('<id>', 'id that `invoice list` shows');
  return addLoadedAction(
    withKey(target),
    runtime,
    async () => (await import('./invoice/show.ts')).show,
  );
}

function releaseCommand(runtime: Runtime): Command {
  return stepCommand(
    runtime,
    'release',
    'Let held invoices go; where two people are asked for, they then wait for an approval.',
  );
}

function approveCommand(runtime: Runtime): Command {
  return stepCommand(runtime, 'approve', 'Approve released invoices, as the second person.');
}

function stepCommand(runtime: Runtime, step: 'release' | 'approve', summary: string): Command {
  const target = command({
    name: step,
    summary,
    examples: [
      `drawbridge invoice ${step} inv_01k9zq3v7m2n4p6r8t0w2y4a6c --key-file key.txt`,
      `drawbridge invoice list --waits-for ${step === 'release' ? 'release' : 'approval'} --json | jq -r '.invoices[].id' | xargs drawbridge invoice ${step}`,
    ],
  }).argument('<id...>', 'ids that `invoice list` shows, at most 500');
  return addLoadedAction(withKey(target), runtime, async () => {
    const { letGoBy } = await import('./invoice/hold.ts');
    return letGoBy(step);
  });
}

function withdrawCommand(runtime: Runtime): Command {
  const target = command({
    name: 'withdraw',
    summary: 'Take a held invoice back: it is never sent, and its document may be submitted again.',
    examples: [
      'drawbridge invoice withdraw inv_01k9zq3v7m2n4p6r8t0w2y4a6c --reason "Wrong customer"',
    ],
  })
    .argument('<id>', 'id that `invoice list` shows')
    .option('--reason <words>', 'why, for those who look at it later');
  return addLoadedAction(
    withKey(target),
    runtime,
    async () => (await import('./invoice/hold.ts')).withdraw,
  );
}
