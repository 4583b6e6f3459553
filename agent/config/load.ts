import type { ErrorName } from '../errors.ts';
import type { Runtime } from '../runtime.ts';
import { readSettings, type Settings, settingRows } from '../settings.ts';
import { keyringOf } from '../store/home.ts';
import { configPath } from './config-path.ts';
import type { ConfigFile, ConfigFileOutcome } from './file.ts';
import { reveal } from './secret-reference.ts';

type Loaded =
  | { readonly kind: 'settings'; readonly settings: Settings }
  | { readonly kind: 'invalid'; readonly error: ErrorName; readonly cause: string };

type Environment = Pick<Runtime, 'env' | 'randomBytes'>;

/** The settings of this run: the environment goes before the configuration file, and that before the defaults. */
export async function loadSettings(runtime: Environment): Promise<Loaded> {
  const path = configPath(runtime.env);
  if (path === undefined) return settingsWith(runtime, { kind: 'absent' });
  // Imported here: most hosts have no such file.
  const { readConfigFile } = await import('./file.ts');
  return settingsWith(runtime, await readConfigFile(path));
}

/** The settings with what the configuration file came to. */
export function settingsWith(runtime: Environment, read: ConfigFileOutcome): Loaded {
  if (read.kind === 'invalid') {
    const isLiteral = read.faults.every(({ kind }) => kind === 'literal-secret');
    const cause = `${read.path}: ${read.faults.map((fault) => fault.cause).join('; ')}`;
    return { kind: 'invalid', error: isLiteral ? 'secret_literal' : 'config_invalid', cause };
  }
  if (read.kind === 'absent') return invalidAs(readSettings(runtime.env));
  const values = { ...read.file.values };
  for (const [name, row] of Object.entries(settingRows)) {
    const text = values[name];
    if (!row.secret || text === undefined) continue;
    const revealed = reveal(text, secretSources(runtime, read.file));
    if (revealed.kind === 'missing') {
      return { kind: 'invalid', error: 'secret_missing', cause: `${name}: ${revealed.cause}` };
    }
    values[name] = revealed.value;
  }
  return invalidAs(readSettings(runtime.env, { values, connectors: read.file.connectors }));
}

function invalidAs(outcome: ReturnType<typeof readSettings>): Loaded {
  return outcome.kind === 'settings' ? outcome : { ...outcome, error: 'setting_invalid' };
}

/** The home folder has the keyring, so its own place is no secret. */
function secretSources(runtime: Environment, { values }: ConfigFile) {
  const { home, keyFile } = values;
  const placed = readSettings(runtime.env, {
    values: { ...(home && { home }), ...(keyFile && { keyFile }) },
    connectors: [],
  });
  const keyring = (name: string) =>
    placed.kind === 'settings' ? keyringOf(placed.settings, runtime).read(name) : undefined;
  return { env: runtime.env, keyring };
}
