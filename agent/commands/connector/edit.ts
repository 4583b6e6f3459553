import type { ConnectorKind } from '@drawbridge/connectors/contract.ts';
import { connectorKind } from '@drawbridge/connectors/registry.ts';
import { type Command, Option } from 'commander';
import { isSecret } from '../../config/connector-settings.ts';
import { type Failed, failed, type Outcome } from '../../outcome.ts';
import type { Runtime } from '../../runtime.ts';
import { addAction, type CommandContext, command } from '../command.ts';
import { readSettingsFile } from './add.ts';
import { settingsFault, tryConnector } from './source-calls.ts';
import { findOwnConnector, keepConnector } from './stored-connector.ts';

interface Options {
  readonly set: readonly string[];
  readonly unset: readonly string[];
  readonly settingsFile?: string;
  readonly watch?: boolean;
  readonly test: boolean;
}

export function connectorEditCommand(runtime: Runtime): Command {
  const target = command({
    name: 'edit',
    summary: 'Change settings of a source, once it answers with them.',
    examples: [
      'drawbridge connector edit erp --set host=db2.example.com --set port=3307',
      'drawbridge connector edit erp --unset changes --no-watch',
      'drawbridge connector edit erp --settings-file password.json',
    ],
  })
    .argument('<name>', 'name of the connector')
    .addOption(
      pairs('--set <path=value...>', 'change a setting; no secret, which others could see'),
    )
    .addOption(pairs('--unset <path...>', 'leave a setting to its default'))
    .option('--settings-file <file>', 'JSON file with the settings to change, secrets too')
    .option('--watch', 'tell the control plane of new and changed documents')
    .option('--no-watch', 'do not tell of them')
    .option('--no-test', 'keep it without logging in to the source');
  return addAction(target, runtime, edit);
}

function pairs(flags: string, description: string): Option {
  return new Option(flags, description).default([]);
}

async function edit(context: CommandContext, options: Options, name: string): Promise<Outcome> {
  const found = findOwnConnector(context, name);
  if (found.kind === 'failed') return found.outcome;
  const { connector, home } = found;
  const kind = connectorKind(connector.kind);
  if (kind === undefined) return failed('kind_unknown', `Its kind is "${connector.kind}".`);
  const file = options.settingsFile;
  const isSaid = options.set.length + options.unset.length > 0 || file !== undefined;
  if (!isSaid && options.watch === undefined) {
    return usage('Nothing is to be changed: give --set, --unset, --settings-file or --watch.');
  }
  const given = file === undefined ? undefined : await readSettingsFile(file);
  if (given?.kind === 'failed') return given;
  const change = (settings: unknown) => changedSettings(settings, given?.settings, kind, options);
  const changed = change(connector.settings);
  if (changed.kind === 'failed') return changed;
  const fault = settingsFault(kind, changed.settings);
  if (fault !== undefined) return fault;
  const watch = options.watch ?? connector.watch;
  const edited = { ...connector, settings: changed.settings, watch };
  if (options.test) {
    const tried = await tryConnector(context, { ...edited, enabled: true });
    if (tried.kind === 'failed') return tried;
  }
  const unkept = keepConnector(home, name, (now) => {
    const again = change(now.settings); // another command may have changed others meanwhile
    return again.kind === 'failed'
      ? edited
      : { ...now, settings: again.settings, watch: options.watch ?? now.watch };
  });
  if (unkept !== undefined) return unkept;
  const data = { name, kind: connector.kind, watch, tested: options.test };
  return { kind: 'done', data, shown: 'Changed. A running agent takes it from now on.' };
}

type Changed = { readonly kind: 'changed'; readonly settings: unknown } | Failed;

function changedSettings(
  settings: unknown,
  given: unknown,
  kind: ConnectorKind,
  { set, unset }: Options,
): Changed {
  let changed: unknown = { ...(settings as object), ...(given as object | undefined) };
  for (const pair of set) {
    const [path = '', ...rest] = pair.split('=');
    const names = path.split('.');
    if (rest.length === 0) return usage(`--set takes path=value, not "${path}".`);
    if (isSecret(names, kind.settings)) {
      return usage(
        `${path} is a secret: give it in --settings-file, as command lines can be seen.`,
      );
    }
    changed = withMember(changed, names, readValue(rest.join('=')));
  }
  for (const path of unset) changed = withMember(changed, path.split('.'), undefined);
  return { kind: 'changed', settings: changed };
}

/** JSON where it is such, else text. */
function readValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function withMember(
  value: unknown,
  [name = '', ...deeper]: readonly string[],
  to: unknown,
): object {
  const object = { ...(value as Record<string, unknown>) };
  const member = deeper.length === 0 ? to : withMember(object[name] ?? {}, deeper, to);
  if (member === undefined) delete object[name];
  else Object.defineProperty(object, name, { value: member, enumerable: true });
  return object;
}

function usage(cause: string): Failed {
  return failed('usage', cause);
}
