/** The configuration file: one YAML, whose schema is docs/agent-config.schema.json. */
import { readFileSync } from 'node:fs';
import { connectorKind } from '@drawbridge/connectors/registry.ts';
import { nearest } from '@drawbridge/explanations/edit-distance.ts';
import { parseDocument } from 'yaml';
import { textOf } from '../setting-readers.ts';
import { type DeclaredConnector, type SettingRow, settingRows, yamlName } from '../settings.ts';
import { connectorName } from '../store/connectors.ts';
import { textOfFile } from '../text-file.ts';
import { faultsOf, secretsIn } from './connector-settings.ts';
import { isReference, referenceForms } from './secret-reference.ts';

export interface ConfigFile {
  readonly path: string;
  /** Texts of the settings that it names, by their names. */
  readonly values: Readonly<Record<string, string>>;
  readonly connectors: readonly DeclaredConnector[];
}

export type ConfigFileOutcome =
  | { readonly kind: 'absent' }
  | { readonly kind: 'read'; readonly file: ConfigFile }
  | { readonly kind: 'invalid'; readonly path: string; readonly faults: readonly ConfigFault[] };

/** One thing that is wrong with the file; a literal secret is told apart, and never by its value. */
interface ConfigFault {
  readonly kind: 'unreadable' | 'unknown' | 'invalid' | 'literal-secret';
  readonly cause: string;
}

/** More than thousands of connectors take. */
const bytesMax = 4_000_000;

/** Reads and checks a configuration file. */
export async function readConfigFile(path: string | undefined): Promise<ConfigFileOutcome> {
  if (path === undefined) return { kind: 'absent' };
  let text: string;
  try {
    text = textOfFile(readFileSync(path));
  } catch {
    return invalid(path, { kind: 'unreadable', cause: `${path} cannot be read` });
  }
  if (text.length > bytesMax) {
    return invalid(path, { kind: 'unreadable', cause: `${path} is over ${bytesMax} bytes` });
  }
  return parse(path, text);
}

function parse(path: string, text: string): ConfigFileOutcome {
  const document = parseDocument(text, { prettyErrors: false, uniqueKeys: true });
  const [error] = document.errors;
  if (error !== undefined) {
    const line = text.slice(0, error.pos[0]).split('\n').length;
    return invalid(path, { kind: 'unreadable', cause: `${path} is no YAML: line ${line}` });
  }
  let content: unknown;
  try {
    content = document.toJS({ maxAliasCount: 0 }) ?? {};
  } catch {
    return invalid(path, { kind: 'unreadable', cause: `${path} has an alias: write it out` });
  }
  if (!isObject(content)) {
    return invalid(path, { kind: 'invalid', cause: `${path} is no list of names and values` });
  }
  const { connectors = {}, ...others } = content;
  const settings = readValues(others);
  const declared = readConnectors(connectors);
  const faults = [...settings.faults, ...declared.faults];
  if (faults.length > 0) return { kind: 'invalid', path, faults };
  return {
    kind: 'read',
    file: { path, values: settings.values, connectors: declared.connectors },
  };
}

function readValues(content: Readonly<Record<string, unknown>>) {
  const faults: ConfigFault[] = [];
  const values: Record<string, string> = {};
  const rows = new Map(
    Object.entries(settingRows).map(([name, row]) => [yamlName(name), { name, row }]),
  );
  for (const [key, value] of Object.entries(content)) {
    const known = rows.get(key);
    if (known === undefined) {
      faults.push({ kind: 'unknown', cause: unknown(key, [...rows.keys(), 'connectors']) });
      continue;
    }
    const fault = faultOf(key, value, known.row);
    if (fault === undefined) values[known.name] = textOf(value)!;
    else faults.push(fault);
  }
  return { values, faults };
}

function faultOf(key: string, value: unknown, row: SettingRow): ConfigFault | undefined {
  const text = textOf(value);
  if (text !== undefined && row.secret && isReference(text)) return undefined;
  if (text !== undefined && row.secret && row.holdsSecret(text)) return literal(key);
  if (text !== undefined && row.read(text) !== undefined) return undefined;
  const shown = row.secret ? '***' : JSON.stringify(value);
  return { kind: 'invalid', cause: `${key} cannot be ${shown}` };
}

function readConnectors(content: unknown) {
  const faults: ConfigFault[] = [];
  const connectors: DeclaredConnector[] = [];
  if (!isObject(content)) {
    faults.push({ kind: 'invalid', cause: 'connectors is no list of names and connectors' });
    return { connectors, faults };
  }
  for (const [name, value] of Object.entries(content)) {
    const found = readConnector(name, value);
    if ('connector' in found) connectors.push(found.connector);
    else faults.push(...found.faults);
  }
  return { connectors, faults };
}

type FoundConnector =
  | { readonly connector: DeclaredConnector }
  | { readonly faults: readonly ConfigFault[] };

function readConnector(name: string, value: unknown): FoundConnector {
  const at = `connectors.${name}`;
  const wrong = (cause: string) => ({ faults: [{ kind: 'invalid', cause } as const] });
  if (!connectorName.safeParse(name).success) return wrong(`${at} is no name of a connector`);
  if (!isObject(value)) return wrong(`${at} is no connector`);
  const { kind: kindName, watch = false, enabled = true, settings = {}, ...others } = value;
  const [other] = Object.keys(others);
  if (other !== undefined) {
    return wrong(`${at}.${unknown(other, ['kind', 'watch', 'enabled', 'settings'])}`);
  }
  const kind = typeof kindName === 'string' ? connectorKind(kindName) : undefined;
  if (kind === undefined || kind.pattern === 'agent') return wrong(`${at}.kind is no kind`);
  if (typeof watch !== 'boolean' || typeof enabled !== 'boolean') {
    return wrong(`${at}: watch and enabled are true or false`);
  }
  const secrets = secretsIn(settings, kind.settings);
  const literals = secrets.filter(({ value: secret }) => !isReference(String(secret)));
  if (literals.length > 0) {
    return { faults: literals.map(({ path }) => literal([at, 'settings', ...path].join('.'))) };
  }
  const parsed = kind.settings.safeParse(settings);
  // A reference is no address; what it names is looked at when the source is opened.
  if (!parsed.success && secrets.length === 0) {
    return wrong(`${at}.settings: ${faultsOf(parsed.error, kind.settings)}`);
  }
  return { connector: { name, kind: kind.kind, settings, watch, enabled } };
}

function literal(path: string): ConfigFault {
  const cause = `${path} is a secret and stands here: give ${referenceForms} in its place`;
  return { kind: 'literal-secret', cause };
}

function unknown(key: string, known: readonly string[]): string {
  const meant = nearest(key, known);
  const perhaps = meant === undefined ? '' : `, perhaps ${meant}`;
  return `${key} is no setting${perhaps}; known: ${known.join(', ')}`;
}

function invalid(path: string, fault: ConfigFault): ConfigFileOutcome {
  return { kind: 'invalid', path, faults: [fault] };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
