import { type Command, Option } from 'commander';
import type { Runtime } from '../runtime.ts';
import { addLoadedAction, command } from './command.ts';
import { withKey } from './key-options.ts';

/**
 * What the fields of invoices are read from. The actions are loaded when one of them runs: the profiles that they know are
 * large.
 */
export function mappingCommand(runtime: Runtime): Command {
  const group = command({
    name: 'mapping',
    summary:
      'Propose, look at, try, approve and carry what the fields of an invoice are read from.',
    examples: [
      'drawbridge mapping infer erp --profile PINT-AE',
      'drawbridge mapping test erp',
      'drawbridge mapping approve erp --key-file key.txt',
    ],
  });
  const commands = [
    inferCommand,
    showCommand,
    testCommand,
    diffCommand,
    approveCommand,
    exportCommand,
    importCommand,
  ];
  for (const one of commands) group.addCommand(one(runtime));
  return group;
}

function inferCommand(runtime: Runtime): Command {
  const target = ofConnector({
    name: 'infer',
    summary:
      'Propose a mapping from the columns and the newest documents; what a person decided stays.',
    examples: [
      'drawbridge mapping infer erp --profile PINT-AE',
      'drawbridge mapping infer erp --profile PINT-MY --json',
    ],
  });
  return addLoadedAction(target, runtime, async () => (await import('./mapping/infer.ts')).infer);
}

function showCommand(runtime: Runtime): Command {
  const target = ofConnector({
    name: 'show',
    summary:
      'Show the draft, with --source the columns that the source offers, or with --remote what waits at the control plane.',
    examples: [
      'drawbridge mapping show erp',
      'drawbridge mapping show erp --source --json',
      'drawbridge mapping show erp --remote --key-file key.txt',
    ],
  })
    .option('--source', 'the columns of the source, with samples', false)
    .option('--remote', 'the mapping of the control plane, and the documents that wait', false);
  return addLoadedAction(
    withKey(target),
    runtime,
    async () => (await import('./mapping/show.ts')).show,
  );
}

function testCommand(runtime: Runtime): Command {
  const target = ofConnector({
    name: 'test',
    summary: 'Say what the newest documents would come to by the draft; nothing is sent anywhere.',
    examples: ['drawbridge mapping test erp', 'drawbridge mapping test erp --documents 10 --json'],
  }).option('--documents <count>', 'how many of the newest documents', '50');
  return addLoadedAction(target, runtime, async () => (await import('./mapping/test.ts')).test);
}

function diffCommand(runtime: Runtime): Command {
  const target = ofConnector({
    name: 'diff',
    summary: 'Compare the draft with what this agent had approved last, or with the control plane.',
    examples: [
      'drawbridge mapping diff erp',
      'drawbridge mapping diff erp --remote --key-file key.txt',
    ],
  }).option('--remote', 'compare with what is approved at the control plane now', false);
  return addLoadedAction(
    withKey(target),
    runtime,
    async () => (await import('./mapping/diff.ts')).diff,
  );
}

function approveCommand(runtime: Runtime): Command {
  const target = ofConnector({
    name: 'approve',
    summary:
      'Send the draft to the control plane, answer what its preview objects to, and approve it.',
    examples: [
      'drawbridge mapping approve erp --key-file key.txt',
      'DRAWBRIDGE_API_KEY=keyring:api-key drawbridge mapping approve erp',
      'drawbridge mapping approve erp --key-file key.txt --answer "obj_1f2e3d4c5b6a79880716=The ERP rounds by line."',
    ],
  }).addOption(
    new Option(
      '--answer <objection=reason...>',
      'why it is approved although the objection stands',
    ).default([]),
  );
  return addLoadedAction(
    withKey(target),
    runtime,
    async () => (await import('./mapping/approve.ts')).approve,
  );
}

function exportCommand(runtime: Runtime): Command {
  const target = ofConnector({
    name: 'export',
    summary:
      'Write the draft as a file to review, keep in version control or carry to another agent.',
    examples: [
      'drawbridge mapping export erp erp.PINT-AE.yaml',
      'drawbridge mapping export erp - --approved',
    ],
  })
    .argument('<file>', 'file to write; - writes to standard output')
    .option('--approved', 'what this agent had approved last, not the draft', false);
  return addLoadedAction(
    target,
    runtime,
    async () => (await import('./mapping/export.ts')).exportMapping,
  );
}

function importCommand(runtime: Runtime): Command {
  const target = command({
    name: 'import',
    summary: 'Take a file as the draft; nothing of it is used before it is approved.',
    examples: [
      'drawbridge mapping import erp erp.PINT-AE.yaml',
      'drawbridge mapping import erp - < erp.PINT-AE.yaml',
    ],
  })
    .argument('<name>', 'name of the connector')
    .argument('<file>', 'file to read; - reads standard input');
  return addLoadedAction(
    target,
    runtime,
    async () => (await import('./mapping/import.ts')).importMapping,
  );
}

function ofConnector(text: Parameters<typeof command>[0]): Command {
  return command(text)
    .argument('<name>', 'name of the connector')
    .option('--profile <id>', 'whose fields, e.g. PINT-AE (default: that of the only draft)');
}
