/**
 * All settings of the control plane, as one table: `const settings = readSettings(process.env)`.
 * Reading, defaults, the printed help and the masked print derive from the rows.
 */
import { isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import { cidrOf } from './platform/auth/address-ranges.ts';
import { isSealingKey } from './platform/secrets/secrets.ts';
import { samplerNames } from './platform/tracing/span.ts';

interface Row<Value> {
  readonly env: string;
  readonly default: string;
  readonly help: string;
  /** Never printed. */
  readonly secret?: boolean;
  /** The value of a text; throws an error whose message says what it must be. */
  readonly parse: (text: string) => Value;
}

const rows = {
  home: row('DRAWBRIDGE_HOME', '.drawbridge', 'folder for what this machine keeps', text),
  port: row('PORT', '8080', 'port of the production address', integer(0, 65_535)),
  sandboxPort: row('SANDBOX_PORT', '8081', 'port of the sandbox address', integer(0, 65_535)),
  host: row('HOST', '', 'address to listen on; empty: all', optional(text)),
  baseUrl: row('PUBLIC_URL', '', 'production address as clients reach it', optional(url)),
  sandboxBaseUrl: row(
    'SANDBOX_PUBLIC_URL',
    '',
    'sandbox address as clients reach it',
    optional(url),
  ),
  sandboxHost: row(
    'SANDBOX_HOST',
    '',
    'host name that means the sandbox on the production port, behind a proxy',
    optional(text),
  ),
  trustProxy: row(
    'TRUST_PROXY',
    '',
    'proxies that may say who the caller is: how many, or their ranges',
    optional(proxies),
  ),
  databaseUrl: secret(
    'DATABASE_URL',
    'PostgreSQL 15 or later, as the owner; empty: the embedded server under DRAWBRIDGE_HOME',
    postgresUrl,
  ),
  databaseDirectUrl: secret(
    'DATABASE_DIRECT_URL',
    'the same database without the pooler that DATABASE_URL leads through; empty: there is none',
    postgresUrl,
  ),
  databaseAppUrl: secret(
    'DATABASE_APP_URL',
    'the same database as the application role; empty: the role is made by the owner',
    postgresUrl,
  ),
  databasePool: row('DATABASE_POOL', '20', 'connections of this process, at most', integer(2, 500)),
  secretKey: secret(
    'DRAWBRIDGE_SECRET_KEY',
    '32 bytes in base64 that seal stored secrets, older keys after commas; the same on all nodes',
    sealingKeys,
  ),
  logLevel: row('LOG_LEVEL', 'info', 'debug, info, warn, error or silent', oneOf(logLevels())),
  otlpEndpoint: row(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    '',
    'receiver of traces (OTLP/HTTP), without /v1/traces; empty: none are recorded',
    optional(url),
  ),
  tracesSampler: row(
    'OTEL_TRACES_SAMPLER',
    'parentbased_always_on',
    `which traces are recorded: ${samplerNames.join(', ')}`,
    oneOf(samplerNames),
  ),
  tracesSamplerRatio: row(
    'OTEL_TRACES_SAMPLER_ARG',
    '1',
    'the part of the traces that a sampler by ratio records, from 0 to 1',
    ratio,
  ),
  metricsFrom: row('METRICS_FROM', '127.0.0.1,::1', 'who may read /metrics', ranges),
  readLimit: row('READ_LIMIT', '100', 'reads per key and second', integer(1, 100_000)),
  writeLimit: row('WRITE_LIMIT', '100', 'changes per key and second', integer(1, 100_000)),
  submitLimit: row('SUBMIT_LIMIT', '1000', 'submissions per key and second', integer(1, 100_000)),
  tenantLimitFactor: row(
    'TENANT_LIMIT_FACTOR',
    '10',
    'requests of all keys and members of a tenant together: this many times the limit of one key',
    integer(1, 1_000),
  ),
  failedKeyLimit: row(
    'FAILED_KEY_LIMIT',
    '100',
    'refused keys and tokens of one address per minute; unknown ones then wait',
    integer(1, 100_000),
  ),
  connectionsMax: row(
    'CONNECTIONS_MAX',
    '10000',
    'open connections of each of the two addresses; more are closed at once',
    integer(10, 1_000_000),
  ),
  broadcastRate: row(
    'BROADCAST_RATE',
    '500',
    'broadcast messages a second of a tenant, unless something else was agreed with it',
    integer(1, 100_000),
  ),
  browserIdleMinutes: row(
    'BROWSER_IDLE_MINUTES',
    '30',
    'a session in a browser ends when nobody did anything in it for so long',
    integer(1, 1_440),
  ),
  browserLifeHours: row(
    'BROWSER_LIFE_HOURS',
    '12',
    'a session in a browser ends after so long, however it is used',
    integer(1, 336),
  ),
  jobLeaseMs: row(
    'JOB_LEASE_MS',
    '30000',
    'how long the work of a node that died stays with it',
    integer(1_000, 600_000),
  ),
  jobLossesMax: row(
    'JOB_LOSSES_MAX',
    '5',
    'a job is parked after so many claims in a row whose node died or stalled (see `jobs list`)',
    integer(2, 1_000),
  ),
  documentThreads: row(
    'DOCUMENT_THREADS',
    '0',
    'threads that check large documents; 0: one less than there are processors, one at least',
    threads,
  ),
  largeBodiesMb: row(
    'LARGE_BODIES_MB',
    '256',
    'megabytes of large request bodies that are held at once; one tenant has a quarter of it',
    integer(80, 100_000),
  ),
  lateMs: row(
    'LATE_MS',
    '500',
    'requests are refused (503) while this process is later than that for a second; 0: never',
    integer(0, 60_000),
  ),
  shutdownMs: row(
    'SHUTDOWN_MS',
    '10000',
    'time to finish after a signal to stop',
    integer(0, 600_000),
  ),
  authoritiesFile: row(
    'AUTHORITIES_FILE',
    '',
    'JSON file: where each authority is, by environment; the sandbox plays those it lacks itself',
    optional(text),
  ),
  channelsFile: row(
    'CHANNELS_FILE',
    '',
    'JSON file: where each messaging provider is, by environment; the sandbox plays those it lacks',
    optional(text),
  ),
  connectorRoots: row(
    'CONNECTOR_ROOTS',
    '',
    'where connectors may read files: a folder a tenant, called by its id, in each of these, with ' +
      'colons between; empty: files/ under DRAWBRIDGE_HOME',
    folders,
  ),
  connectorAllowPrivate: row(
    'CONNECTOR_ALLOW_PRIVATE',
    'false',
    'lets connectors that this service opens itself dial private and loopback addresses',
    flag,
  ),
  submitWaitMs: row(
    'SUBMIT_WAIT_MS',
    '5000',
    'how long a submission waits for its verdict unless it says otherwise',
    integer(0, 30_000),
  ),
  sourceTimeoutMs: row(
    'SOURCE_TIMEOUT_MS',
    '30000',
    'how long one call to a source may take; its work in the source is stopped then',
    integer(100, 60_000),
  ),
  sourceGiveUpHours: row(
    'SOURCE_GIVE_UP_HOURS',
    '72',
    'how long a source may stay unreachable before its invoices are rejected',
    integer(1, 8_760),
  ),
  authorityGiveUpHours: row(
    'AUTHORITY_GIVE_UP_HOURS',
    '720',
    'how long a submitted invoice is asked for while neither authority nor receiver answers',
    integer(1, 8_760),
  ),
  webhookAllowPrivate: row(
    'WEBHOOK_ALLOW_PRIVATE',
    'false',
    'lets sandbox webhooks go to this machine (loopback addresses), by http too',
    flag,
  ),
  webhookStuckMinutes: row(
    'WEBHOOK_STUCK_MINUTES',
    '10',
    'how long a failing webhook delays later ones of its subject while its endpoint answers others',
    integer(1, 1_440),
  ),
  webhookDeliveryDays: row(
    'WEBHOOK_DELIVERY_DAYS',
    '90',
    'how long a settled webhook delivery is kept, with its attempts; events of invoices stay',
    integer(7, 36_500),
  ),
  agentHistoryDays: row(
    'AGENT_HISTORY_DAYS',
    '90',
    'how long events and finished write-backs of bridge agents are kept',
    integer(7, 36_500),
  ),
  networkPollSeconds: row(
    'NETWORK_POLL_SECONDS',
    '30',
    'how often a network is asked for documents of suppliers, over all nodes',
    integer(1, 3_600),
  ),
  voiceEndpointsFile: row(
    'VOICE_ENDPOINTS_FILE',
    '',
    'JSON file: where voice providers are, by environment; the sandbox plays those it lacks itself',
    optional(text),
  ),
  voiceAllowPrivate: row(
    'VOICE_ALLOW_PRIVATE',
    'false',
    'lets PBXs be reached at private and loopback addresses, by http too',
    flag,
  ),
  transcriberUrl: row(
    'TRANSCRIBER_URL',
    '',
    'where recordings of calls are turned into text, asked as https://api.openai.com/v1/audio/transcriptions is; empty: only by providers whose configuration has it',
    optional(url),
  ),
  transcriberKey: secret('TRANSCRIBER_KEY', 'its bearer token; empty: none is sent'),
  transcriberModel: row('TRANSCRIBER_MODEL', 'whisper-1', 'the model that is asked for', text),
  objectStore: row(
    'OBJECT_STORE',
    '',
    's3://bucket/prefix?endpoint=https://…&region=… for large files; empty: objects/ under DRAWBRIDGE_HOME',
    optional(bucket),
  ),
  objectStoreKey: secret(
    'OBJECT_STORE_KEY',
    'access key id and secret of the bucket, with a colon between',
  ),
  documentsToObjectsDays: row(
    'DOCUMENTS_TO_OBJECTS_DAYS',
    '',
    'days after which documents of settled invoices move to the object store; empty: they stay in the database',
    optional(integer(1, 36_500)),
  ),
  identityProviderAllowPrivate: row(
    'IDENTITY_PROVIDER_ALLOW_PRIVATE',
    'false',
    'lets identity providers of workspaces be reached at private and loopback addresses, by http too',
    flag,
  ),
  passwordResetUrl: row(
    'PASSWORD_RESET_URL',
    '',
    'your page where people choose a new password; #token=… is appended. Empty: mails name the API',
    optional(url),
  ),
  dnsServers: row(
    'DNS_SERVERS',
    '',
    'name servers that are asked whether domains and mail senders are their tenants’ own, separated by commas; empty: those of this machine',
    nameServers,
  ),
  smtpUrl: secret(
    'SMTP_URL',
    'where mail is handed in; empty: into mail/ under DRAWBRIDGE_HOME',
    smtpUrl,
  ),
  mailFrom: row('MAIL_FROM', 'Drawbridge <no-reply@localhost>', 'sender of mail', sender),
} as const;

export type Settings = {
  readonly [Name in keyof typeof rows]: ReturnType<(typeof rows)[Name]['parse']>;
};

/** Environment variables are not valid; the message names each and contains no secret. */
export class SettingsError extends Error {
  constructor(faults: readonly string[]) {
    super(`settings:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
    this.name = 'SettingsError';
  }
}

/** Reads the settings of an environment; empty values count as not set. Throws `SettingsError`. */
export function readSettings(env: Readonly<Record<string, string | undefined>>): Settings {
  const faults: string[] = [];
  const entries = Object.entries<Row<unknown>>(rows).map(([name, { env: variable, ...rest }]) => {
    try {
      return [name, rest.parse(env[variable] || rest.default)];
    } catch (error) {
      faults.push(`${variable} ${(error as Error).message}`);
      return [name, undefined];
    }
  });
  if (faults.length > 0) throw new SettingsError(faults);
  return Object.fromEntries(entries) as Settings;
}

/** The table for `--help`: variable, default, meaning. */
export function settingsHelp(): string {
  const all = Object.values<Row<unknown>>(rows);
  const width = Math.max(...all.map(({ env }) => env.length));
  return all
    .map(({ env, default: value, help }) => {
      return `  ${env.padEnd(width)}  ${help}${value === '' ? '' : ` (${value})`}`;
    })
    .join('\n');
}

/** The settings by variable, for the log: secrets show only whether they are set. */
export function maskedSettings(settings: Settings): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries<Row<unknown>>(rows).map(([name, { env, secret: isSecret }]) => {
      const value = settings[name as keyof Settings];
      return [env, isSecret && value !== undefined ? '(set)' : value];
    }),
  );
}

function row<Value>(
  env: string,
  value: string,
  help: string,
  parse: (text: string) => Value,
): Row<Value> {
  return { env, default: value, help, parse };
}

function secret(
  env: string,
  help: string,
  parse: (text: string) => string = text,
): Row<string | undefined> {
  return { ...row(env, '', help, optional(parse)), secret: true };
}

function text(value: string): string {
  return value;
}

function folders(value: string): readonly string[] {
  return value === '' ? [] : value.split(':');
}

function nameServers(value: string): readonly string[] {
  const servers = value === '' ? [] : value.split(',').map((each) => each.trim());
  const isAddress = (each: string) =>
    isIP(each) !== 0 || /^(\d{1,3}(\.\d{1,3}){3}|\[[\da-f:]+\]):\d{1,5}$/i.test(each);
  if (servers.every(isAddress)) return servers;
  throw new Error('must be addresses such as 10.0.0.53 or 10.0.0.53:5353, separated by commas');
}

function optional<Value>(parse: (text: string) => Value): (text: string) => Value | undefined {
  return (value) => (value === '' ? undefined : parse(value));
}

function integer(min: number, max: number): (text: string) => number {
  return (value) => {
    const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
    if (number >= min && number <= max) return number;
    throw new Error(`must be a whole number from ${min} to ${max}`);
  };
}

function ratio(value: string): number {
  const number = /^\d(\.\d{1,9})?$/.test(value) ? Number(value) : Number.NaN;
  if (number <= 1) return number;
  throw new Error('must be a number from 0 to 1');
}

function threads(value: string): number {
  const given = integer(0, 64)(value);
  return given > 0 ? given : Math.max(1, availableParallelism() - 1);
}

function oneOf(values: readonly string[]): (text: string) => string {
  return (value) => {
    if (values.includes(value)) return value;
    throw new Error(`must be one of ${values.join(', ')}`);
  };
}

function flag(value: string): boolean {
  return oneOf(['true', 'false'])(value) === 'true';
}

function url(value: string): string {
  if (URL.canParse(value) && /^https?:/.test(value)) return value.replace(/\/$/, '');
  throw new Error('must be an http or https address');
}

function postgresUrl(value: string): string {
  const parsed = URL.parse(value);
  const isPostgres = parsed !== null && /^postgres(ql)?:$/.test(parsed.protocol);
  if (!isPostgres || parsed.pathname.length < 2) {
    throw new Error('must be postgres://user:password@host:port/database');
  }
  refuseStrayPercent(parsed.username + parsed.password + parsed.pathname);
  return value;
}

function smtpUrl(value: string): string {
  const parsed = URL.parse(value);
  if (parsed === null || !/^smtps?:$/.test(parsed.protocol) || parsed.hostname === '') {
    throw new Error('must be smtp://user:password@host:port, or smtps:// where TLS begins at once');
  }
  refuseStrayPercent(parsed.username + parsed.password);
  return value;
}

function refuseStrayPercent(encoded: string): void {
  try {
    decodeURIComponent(encoded);
  } catch {
    throw new Error('has a % that encodes nothing: a % of a password is written as %25');
  }
}

function sender(value: string): string {
  if (/^[^<>]*<[^\s@<>]+@[^\s@<>]+>$|^[^\s@<>]+@[^\s@<>]+$/.test(value)) return value;
  throw new Error('must be an address, or Name <address>');
}

function sealingKeys(value: string): string {
  if (value.split(',').every(isSealingKey)) return value;
  throw new Error('must be 32 bytes in base64 or hex: openssl rand -base64 32');
}

function bucket(value: string): string {
  if (URL.canParse(value) && /^s3:\/\/[^/]/.test(value)) return value;
  throw new Error('must be s3://bucket');
}

function ranges(value: string): readonly string[] {
  return value.split(',').map((part) => {
    const range = cidrOf(part.trim());
    if (range === undefined)
      throw new Error('must be addresses or CIDR ranges, separated by commas');
    return range;
  });
}

function proxies(value: string): number | string {
  return /^\d+$/.test(value) ? Number(value) : ranges(value).join(',');
}

function logLevels(): string[] {
  return ['debug', 'info', 'warn', 'error', 'silent'];
}
