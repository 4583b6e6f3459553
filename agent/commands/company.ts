import type { Command } from 'commander';
import type { Runtime } from '../runtime.ts';
import { addLoadedAction, command } from './command.ts';
import { withKey } from './key-options.ts';

/** The company profile of the tenant, as this agent knows it. */
export function companyCommand(runtime: Runtime): Command {
  const group = command({
    name: 'company',
    summary:
      'Keep the company profile that the control plane has signed, for what sources do not hold.',
    examples: [
      'drawbridge company fetch --key-file key.txt',
      'drawbridge company import company.json',
    ],
  });
  for (const one of [showCommand, fetchCommand, importCommand]) group.addCommand(one(runtime));
  return group;
}

function showCommand(runtime: Runtime): Command {
  const target = command({
    name: 'show',
    summary: 'Show what this agent knows of the company.',
    examples: ['drawbridge company show', 'drawbridge company show --json'],
  });
  return addLoadedAction(
    target,
    runtime,
    async () => (await import('./company/actions.ts')).showCompany,
  );
}

function fetchCommand(runtime: Runtime): Command {
  const target = command({
    name: 'fetch',
    summary: 'Ask the control plane for the company profile of its environment.',
    examples: ['drawbridge company fetch --key-file key.txt'],
  });
  return addLoadedAction(
    withKey(target),
    runtime,
    async () => (await import('./company/actions.ts')).showFetched,
  );
}

function importCommand(runtime: Runtime): Command {
  const target = command({
    name: 'import',
    summary:
      'Take the company profile from a file: the answer of GET /v1/company/signed, carried here.',
    examples: ['drawbridge company import company.json'],
  }).argument('<file>', 'file to read; - reads standard input');
  return addLoadedAction(
    target,
    runtime,
    async () => (await import('./company/actions.ts')).importCompany,
  );
}
