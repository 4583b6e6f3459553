import { readFile } from 'node:fs/promises';
import { nearest } from '@drawbridge/explanations/edit-distance.ts';
import type { Command } from 'commander';
import { type Failed, failed, type Outcome } from '../../outcome.ts';
import type { Runtime } from '../../runtime.ts';
import { type ConfiguredConnector, connectorName } from '../../store/connectors.ts';
import { type Home, openAddedConnectors, openHome } from '../../store/home.ts';
import { exclusively } from '../../store/lock.ts';
import { textOfFile } from '../../text-file.ts';
import { addAction, type CommandContext, command } from '../command.ts';
import { localKinds, settingsFault, tryConnector } from './source-calls.ts';

interface Options {
  readonly name: string;
  readonly settingsFile: string;
  readonly watch: boolean;
  readonly replace: boolean;
  readonly test: boolean;
}

export function connectorAddCommand(runtime: Runtime): Command {
  const kinds = localKinds.map((one) => one.kind).join(', ');
  const target = command({
    name: 'add',
    summary:
      'Add a source by a file of settings, once it answers; they are sealed here and never leave this host. `drawbridge connect` asks instead.',
    examples: [
      'drawbridge connector add sqlite --name erp --settings-file erp.json',
      'drawbridge connector add postgres --name odoo --settings-file odoo.json --watch',
    ],
  })
    .argument('<kind>', `one of ${kinds}`)
    .requiredOption('--name <name>', 'the name by which the control plane asks for it')
    .requiredOption('--settings-file <file>', 'JSON file with the settings')
    .option('--watch', 'tell the control plane of new and changed documents', false)
    .option('--replace', 'replace the connector of this name', false)
    .option('--no-test', 'add it without logging in to the source');
  return addAction(target, runtime, add);
}

async function add(context: CommandContext, options: Options, kindName: string): Promise<Outcome> {
  const { runtime, settings } = context;
  const kind = localKinds.find((one) => one.kind === kindName);
  if (kind === undefined) return kindUnknown(kindName);
  const name = connectorName.safeParse(options.name);
  if (!name.success) return failed('settings_invalid', `--name: ${name.error.issues[0]!.message}`);
  const home = openHome(settings, runtime);
  if (home.kind === 'failed') return home.outcome;
  if (home.value.declared.some((one) => one.name === name.data)) {
    return failed('connector_declared', `"${name.data}" is of the configuration file.`);
  }
  const others = othersThan(home.value, name.data, options);
  if (others.kind === 'failed') return others.outcome;
  const given = await readSettingsFile(options.settingsFile);
  if (given.kind === 'failed') return given;
  const fault = settingsFault(kind, given.settings);
  if (fault !== undefined) return fault;
  const { watch } = options;
  const added = {
    name: name.data,
    kind: kind.kind,
    settings: given.settings,
    watch,
    enabled: true,
  };
  let waiting = '';
  if (options.test) {
    const tried = await tryConnector(context, added);
    if (tried.kind === 'failed') return tried;
    if (tried.writeBack !== undefined)
      waiting = `\nWrite-back: waiting, ${tried.writeBack.message}`;
  }
  const unkept = keep(home.value, added, options);
  if (unkept !== undefined) return unkept;
  const next = options.test ? 'drawbridge run' : `drawbridge connector test ${name.data}`;
  const data = { name: name.data, kind: kind.kind, watch, tested: options.test };
  return { kind: 'done', data, shown: `Added. Next: ${next}${waiting}` };
}

/** The name is looked at again: another command may have taken it while the source was tried. */
function keep(home: Home, added: ConfiguredConnector, options: Options): Outcome | undefined {
  return exclusively(home.path, () => {
    const others = othersThan(home, added.name, options);
    if (others.kind === 'failed') return others.outcome;
    home.connectors.write([...others.value, added]);
    return undefined;
  });
}

function othersThan(home: Home, name: string, { replace }: Options) {
  const known = openAddedConnectors(home);
  if (known.kind === 'failed') return known;
  const value = known.value.filter((one) => one.name !== name);
  if (value.length === known.value.length || replace) return { kind: 'opened', value } as const;
  const outcome = failed('name_taken', `There is a connector named "${name}".`);
  return { kind: 'failed', outcome } as const;
}

function kindUnknown(named: string): Outcome {
  const kinds = localKinds.map((one) => one.kind);
  const meant = nearest(named, kinds);
  const perhaps = meant === undefined ? '' : ` Perhaps ${meant}?`;
  const cause = `No connector is of kind "${named}".${perhaps} The kinds are ${kinds.join(', ')}.`;
  return failed('kind_unknown', cause);
}

type Given = { kind: 'settings'; settings: unknown } | Failed;

/** The settings in a JSON file. */
export async function readSettingsFile(file: string): Promise<Given> {
  let text: string;
  try {
    text = textOfFile(await readFile(file));
  } catch {
    return failed('file_missing', `${file} cannot be read.`);
  }
  try {
    return { kind: 'settings', settings: JSON.parse(text) };
  } catch {
    return failed('settings_invalid', `${file} is not JSON.`);
  }
}
