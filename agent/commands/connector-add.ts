import { readFile } from 'node:fs/promises';
import type { ConnectorKind } from '@drawbridge/connectors/contract.ts';
import { connectorKinds } from '@drawbridge/connectors/registry.ts';
import type { Command } from 'commander';
import type { z } from 'zod';
import { failed, type Outcome } from '../output.ts';
import type { Runtime } from '../runtime.ts';
import { connectorName } from '../store/connectors.ts';
import { openConnectors, openHome } from '../store/home.ts';
import { addAction, type CommandContext, command } from './command.ts';
import { askSettings } from './settings-wizard.ts';

interface Options {
  readonly name: string;
  readonly settingsFile?: string;
  readonly watch: boolean;
  readonly replace: boolean;
}

/** Kinds that this host can open; an agent does not read through another agent. */
const localKinds = connectorKinds.filter((one) => one.pattern !== 'agent');

export function connectorAddCommand(runtime: Runtime): Command {
  const kinds = localKinds.map((one) => one.kind).join(', ');
  const target = command({
    name: 'add',
    summary: 'Add a source; its settings are sealed on this host and never leave it.',
    examples: [
      'drawbridge connector add sqlite --name erp --settings-file erp.json',
      'drawbridge connector add postgres --name odoo --watch',
    ],
  })
    .argument('<kind>', `one of ${kinds}`)
    .requiredOption('--name <name>', 'the name by which the control plane asks for it')
    .option('--settings-file <file>', 'JSON file with the settings (default: ask, on a terminal)')
    .option('--watch', 'tell the control plane of new and changed documents', false)
    .option('--replace', 'replace the connector of this name', false);
  return addAction(target, runtime, add);
}

async function add({ runtime, settings }: CommandContext, options: Options, kindName: string) {
  const kind = localKinds.find((one) => one.kind === kindName);
  if (kind === undefined) return failed('kind_unknown', `No connector is of kind "${kindName}".`);
  const name = connectorName.safeParse(options.name);
  if (!name.success) return failed('settings_invalid', `--name: ${issuesOf(name.error)}`);
  const home = openHome(settings, runtime);
  if (home.kind === 'failed') return home.outcome;
  const known = openConnectors(home.value);
  if (known.kind === 'failed') return known.outcome;
  const others = known.value.filter((one) => one.name !== name.data);
  if (others.length < known.value.length && !options.replace) {
    return failed('name_taken', `There is a connector named "${name.data}".`);
  }
  const given = await settingsOf(kind, runtime, options.settingsFile);
  if (given.kind === 'failed') return given;
  const parsed = kind.settings.safeParse(given.settings);
  if (!parsed.success) return failed('settings_invalid', issuesOf(parsed.error));
  const added = {
    name: name.data,
    kind: kind.kind,
    settings: given.settings,
    watch: options.watch,
  };
  home.value.connectors.write([...others, added]);
  const shown = `Added. Next: drawbridge connector test ${name.data}`;
  return { kind: 'done', data: { name: name.data, kind: kind.kind }, shown } satisfies Outcome;
}

type Given = { kind: 'settings'; settings: unknown } | Extract<Outcome, { kind: 'failed' }>;

async function settingsOf(
  kind: ConnectorKind,
  runtime: Runtime,
  file: string | undefined,
): Promise<Given> {
  if (file === undefined) {
    if (runtime.stdin.isTTY)
      return { kind: 'settings', settings: await askSettings(kind.settings) };
    return {
      kind: 'failed',
      error: 'usage',
      cause: 'Give --settings-file when not on a terminal.',
    };
  }
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch {
    return { kind: 'failed', error: 'file_missing', cause: `${file} cannot be read.` };
  }
  try {
    return { kind: 'settings', settings: JSON.parse(text) };
  } catch {
    return { kind: 'failed', error: 'settings_invalid', cause: `${file} is not JSON.` };
  }
}

/** Names the fields and what is wrong with each, never a value: one may be a password. */
function issuesOf(error: z.ZodError): string {
  return error.issues
    .slice(0, 10)
    .map((issue) => [issue.path.join('.'), issue.message].filter(Boolean).join(': '))
    .join('; ');
}
