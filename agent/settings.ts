import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import {
  exceptions,
  flag,
  integer,
  optionalPath,
  path,
  paths,
  proxyAddress,
  type Reader,
  tlsVersion,
} from './setting-readers.ts';

interface Row<T> {
  /** Of names that are not the agent's own the form in lower case counts too, as elsewhere. */
  readonly env: string;
  /** As a person would type it into the environment. */
  readonly default: string;
  readonly help: string;
  /** A secret is shown as `***`, wherever it is shown. */
  readonly secret: boolean;
  readonly read: Reader<T>;
  /** Of a secret setting: whether this text holds one. */
  holdsSecret(text: string): boolean;
}

/** Every setting of the agent: environment, configuration file, `--help`, `doctor` and mask read these rows. */
export const settingRows = {
  home: row('DRAWBRIDGE_AGENT_HOME', join(userFolder(), '.drawbridge-agent'), path, {
    help: 'Folder of the identity, the connectors and the queue; only its owner may enter (0700).',
  }),
  keyFile: row('DRAWBRIDGE_KEY_FILE', '', optionalPath, {
    help: 'File of the key that seals secrets at rest (0600). Empty: `key` in the home folder.',
  }),
  fileRoots: row('DRAWBRIDGE_FILE_ROOTS', '', paths, {
    help: `Folders that file connectors may read, separated by "${delimiter}".`,
  }),
  allowHttp: row('DRAWBRIDGE_ALLOW_HTTP', 'false', flag, {
    help: 'Accept a control plane without TLS that is not on this host (a test network).',
  }),
  httpsProxy: row('HTTPS_PROXY', '', proxyAddress, {
    help: 'Proxy for https: and wss:, such as http://user:password@proxy:3128.',
    secret: true,
  }),
  httpProxy: row('HTTP_PROXY', '', proxyAddress, {
    help: 'Proxy for http: and ws:.',
    secret: true,
  }),
  noProxy: row('NO_PROXY', '', exceptions, {
    help: 'What is reached without a proxy: names, .suffixes, addresses and ranges, with or without a port.',
  }),
  caFile: row('DRAWBRIDGE_CA_FILE', '', optionalPath, {
    help: 'PEM file of CAs to trust besides those of the host. Empty: the one named when enrolling.',
  }),
  sslCertFile: row('SSL_CERT_FILE', '', optionalPath, {
    help: 'PEM file of CAs to trust in place of those of the host.',
  }),
  tlsMin: row('DRAWBRIDGE_TLS_MIN', '1.2', tlsVersion, {
    help: 'The least version of TLS: 1.2 or 1.3.',
  }),
  redialBaseMs: row('DRAWBRIDGE_REDIAL_BASE_MS', '1000', integer(1, 3_600_000), {
    help: 'First ceiling, in milliseconds, of the random wait before dialling again.',
  }),
  redialCapMs: row('DRAWBRIDGE_REDIAL_CAP_MS', '60000', integer(1, 3_600_000), {
    help: 'The ceiling, in milliseconds, that the doubling wait never grows past.',
  }),
  watchSeconds: row('DRAWBRIDGE_WATCH_SECONDS', '60', integer(1, 86_400), {
    help: 'How often a watched connector is asked for documents that are new or changed.',
  }),
  reconcileMinutes: row('DRAWBRIDGE_RECONCILE_MINUTES', '60', integer(0, 525_600), {
    help: 'How often all documents of a watched source are compared with those seen; 0: never.',
  }),
  queueBytesMax: row('DRAWBRIDGE_QUEUE_BYTES_MAX', '1073741824', integer(1_048_576, 2 ** 50), {
    help: 'Bytes that may wait for the control plane; with more, no source is read.',
  }),
  queueHoursMax: row('DRAWBRIDGE_QUEUE_HOURS_MAX', '72', integer(1, 8_760), {
    help: 'Hours that the oldest event may wait for the control plane before no source is read.',
  }),
  keyDays: row('DRAWBRIDGE_KEY_DAYS', '90', integer(0, 3_650), {
    help: 'Days after which the agent changes its own key by itself; 0: never.',
  }),
  graceSeconds: row('DRAWBRIDGE_GRACE_SECONDS', '30', integer(0, 3_600), {
    help: 'How long a stopping agent lets work in hand finish.',
  }),
  logBytesMax: row('DRAWBRIDGE_LOG_BYTES_MAX', '20000000', integer(100_000, 2 ** 40), {
    help: 'Bytes of the log in the home folder; the oldest lines go first.',
  }),
  probesPort: row('DRAWBRIDGE_PROBES_PORT', '0', integer(0, 65_535), {
    help: 'Port of /metrics, /healthz and /readyz on 127.0.0.1; 0: none.',
  }),
  freeBytesMin: row('DRAWBRIDGE_FREE_BYTES_MIN', '268435456', integer(0, 2 ** 50), {
    help: 'Free disk space, in bytes, below which no source is read and `doctor` fails.',
  }),
} as const;

type Rows = typeof settingRows;
type SettingName = keyof Rows;
export type Settings = {
  readonly [K in SettingName]: Rows[K] extends Row<infer T> ? T : never;
} & {
  /** Those of the configuration file. */
  readonly connectors: readonly DeclaredConnector[];
};

/** A source of the configuration file; its secrets are references. */
export interface DeclaredConnector {
  readonly name: string;
  readonly kind: string;
  readonly settings: unknown;
  readonly watch: boolean;
  readonly enabled: boolean;
}

export type SettingRow = Row<unknown>;

/** The name of a setting in the configuration file. */
export function yamlName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** What the configuration file says: texts of settings by their names, and connectors. */
interface Configured {
  readonly values: Readonly<Record<string, string>>;
  readonly connectors: readonly DeclaredConnector[];
}

const nothing: Configured = { values: {}, connectors: [] };

export type SettingsOutcome =
  | { readonly kind: 'settings'; readonly settings: Settings }
  | { readonly kind: 'invalid'; readonly cause: string };

/**
 * Reads all settings from an environment and, where that has none, from the configuration file; an error
 * names the first one that is not valid.
 */
export function readSettings(
  env: Readonly<Record<string, string | undefined>>,
  { values, connectors } = nothing,
): SettingsOutcome {
  const settings: Record<string, unknown> = { connectors };
  for (const [name, row] of Object.entries(settingRows) as [string, Row<unknown>][]) {
    const text = env[row.env] ?? env[row.env.toLowerCase()] ?? values[name] ?? row.default;
    const value = row.read(text);
    if (value === undefined) {
      const shown = row.secret ? '***' : JSON.stringify(text);
      return { kind: 'invalid', cause: `${row.env} cannot be ${shown}` };
    }
    settings[name] = value;
  }
  return { kind: 'settings', settings: settings as unknown as Settings };
}

function row<T>(
  env: string,
  byDefault: string,
  read: Reader<T>,
  { help, secret = false }: { help: string; secret?: boolean },
): Row<T> {
  // An address without a user holds no secret.
  return { env, default: byDefault, read, help, secret, holdsSecret: (text) => /@/.test(text) };
}

/** The user's home; the current folder for users who have none, as in a container. */
function userFolder(): string {
  try {
    return homedir();
  } catch {
    return process.cwd();
  }
}
