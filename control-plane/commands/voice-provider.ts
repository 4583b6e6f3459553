import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import type { z } from 'zod';
import type { MigratedDatabase } from '../installation/migrated-database.ts';
import type { CallingContext } from '../messaging/voice/context.ts';
import { readVoiceEndpoints } from '../messaging/voice/endpoint-file.ts';
import {
  changeProvider,
  createProvider,
  type ProviderChanged,
  type ProviderContext,
  testProvider,
} from '../messaging/voice/providers/actions.ts';
import { providerPatch, providerRequest } from '../messaging/voice/providers/schema.ts';
import {
  findProvider,
  listProviders,
  type ProviderRow,
} from '../messaging/voice/providers/store.ts';
import { openWire } from '../messaging/wire.ts';
import type { Environment } from '../platform/auth/principal.ts';
import { firstRows } from '../platform/db/keyset.ts';
import { ApiError } from '../platform/http/errors.ts';
import { newUuid } from '../platform/ids.ts';
import { openJobs } from '../platform/jobs/jobs.ts';
import { createMetrics } from '../platform/metrics/metrics.ts';
import { openSecrets } from '../platform/secrets/secrets.ts';
import { type OpenDatabase, print, UsageError } from './administration.ts';
import type { CommandContext } from './context.ts';
import type { HostAudit } from './host-audit.ts';
import type { AddOptions, ProviderOptions, ScopeOptions } from './voice-options.ts';

const shownMax = 200;

/** Configures a provider. */
export async function add(
  context: CommandContext,
  { db, audit }: OpenDatabase,
  options: AddOptions,
): Promise<void> {
  const { tenant, environment, provider: kind } = options;
  const draft = read(providerRequest, { provider: kind, ...(await readInput(options)) });
  const { calling, close } = await openProviderContext(context, db);
  const scope = { tenantId: tenant, environment };
  const changed = recorder(audit, tenant, 'voice provider add');
  const { row: made } = await createProvider(calling, scope, draft, { changed })
    .catch(asUsage)
    .finally(close);
  print(options, { id: made.id, provider: kind, name: made.name }, made.id);
}

/** Changes those settings of a provider that are given. */
export async function update(
  context: CommandContext,
  { db, audit }: OpenDatabase,
  id: string,
  options: ScopeOptions & ProviderOptions,
): Promise<void> {
  const { tenant, environment } = options;
  const edit = read(providerPatch, await readInput(options));
  const { calling, close } = await openProviderContext(context, db);
  const scope = { tenantId: tenant, environment };
  const changed = recorder(audit, tenant, 'voice provider update');
  const after = await changeProvider(calling, scope, id, edit, changed)
    .catch(asUsage)
    .finally(close);
  print(options, { id, provider: after.provider, name: after.name }, id);
}

/** Without the settings, which are secrets for the most part. */
function recorder(audit: HostAudit, tenant: string, action: string): ProviderChanged {
  const view = ({ provider, name, from_number, calls_per_second }: ProviderRow) => {
    return { provider, name, from_number, calls_per_second };
  };
  return (tx, before, after) =>
    audit(tx, tenant, {
      action,
      subject: after.id,
      ...(before === undefined ? {} : { before: view(before) }),
      after: view(after),
    });
}

/** The options under the names of the API; those not given are left out. */
async function readInput(options: ProviderOptions): Promise<Readonly<Record<string, unknown>>> {
  const number = (text: string | undefined) => (text === undefined ? undefined : Number(text));
  const { settings } = options;
  const members = {
    name: options.name,
    from_number: options.from,
    settings: settings === undefined ? undefined : await readJson(settings),
    calls_per_second: number(options.callsPerSecond),
    recording_policy: options.recordingPolicy,
    recording_retention_days: number(options.recordingDays),
  };
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

/** Throws `UsageError` naming the first fault and where it is. */
function read<Schema extends z.ZodType>(schema: Schema, given: unknown): z.output<Schema> {
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new UsageError(`${issue!.path.join('.')}: ${issue!.message}`);
}

/** Lists the configured providers, newest first. */
export async function list(
  _: CommandContext,
  { db }: MigratedDatabase,
  options: ScopeOptions,
): Promise<void> {
  const { tenant, environment } = options;
  const scope = { tenantId: tenant, environment };
  const rows = await db.tenant(tenant, (tx) => listProviders(tx, scope, firstRows(shownMax)));
  const shown = rows.map(({ id, provider: kind, name, from_number }) => {
    return { id, provider: kind, name, from_number };
  });
  print(options, shown, shown.map((row) => Object.values(row).join('  ')).join('\n'));
}

/** Asks a provider whether the credentials are valid. */
export async function test(
  context: CommandContext,
  { db }: MigratedDatabase,
  id: string,
  options: ScopeOptions,
): Promise<void> {
  const { tenant, environment } = options;
  const scope = { tenantId: tenant, environment };
  const row = await db.tenant(tenant, (tx) => findProvider(tx, scope, id));
  if (row === undefined || row.deleted_at !== null) throw new UsageError(`there is no ${id}`);
  const known = await readVoiceEndpoints(context.settings.voiceEndpointsFile);
  const addresses: Readonly<Record<string, string | undefined>> =
    environment === 'live'
      ? known.live
      : { ...(await simulatorsOf(context.settings.home)), ...given(known.sandbox) };
  const origins = Object.values(addresses).flatMap((each) =>
    each === undefined ? [] : new URL(each).origin,
  );
  const wire = openWire({
    isTrusted: (origin) => origins.includes(origin),
    allowPrivate: context.settings.voiceAllowPrivate,
  });
  const { calling, close } = await openProviderContext(context, db);
  const network = { endpointOf: (_: Environment, kind: string) => addresses[kind], wire };
  const whole = { ...calling, ...network, publicUrl: () => '' } as unknown as CallingContext;
  try {
    const outcome = await testProvider(whole, scope, row, context.stopwatch);
    const sentence = outcome.ok ? 'good' : `${outcome.code}: ${outcome.detail}`;
    print(options, outcome, `${sentence} (${outcome.latency_ms} ms)`);
    if (!outcome.ok) process.exitCode = 1;
  } finally {
    await wire.close();
    await close();
  }
}

/** Where the simulators of the running control plane are. */
async function simulatorsOf(home: string): Promise<Readonly<Record<string, string>>> {
  const text = await readFile(join(home, 'credentials.json'), 'utf8').catch(() => '{}');
  return (JSON.parse(text) as { simulators?: Record<string, string> }).simulators ?? {};
}

function given(addresses: Readonly<Record<string, string | undefined>>) {
  return Object.fromEntries(Object.entries(addresses).filter(([, url]) => url !== undefined));
}

async function readJson(path: string): Promise<unknown> {
  const text = path === '-' ? await textOf(process.stdin) : await readFile(path, 'utf8');
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError('the settings are not JSON');
  }
}

function asUsage(error: unknown): never {
  if (error instanceof ApiError) throw new UsageError(error.message);
  throw error;
}

async function openProviderContext(
  { settings, clock, random, log }: CommandContext,
  db: MigratedDatabase['db'],
): Promise<{ calling: ProviderContext; close: () => Promise<void> }> {
  const { home, secretKey } = settings;
  const newClaimId = () => newUuid(clock, random);
  const metrics = createMetrics({ processMetrics: false });
  const jobs = await openJobs({ db, log, metrics, newClaimId });
  const secrets = await openSecrets({ home, key: secretKey });
  const simulatorSettings = () => undefined;
  return {
    calling: { db, secrets, clock, random, jobs, simulatorSettings },
    close: () => jobs.close(),
  };
}
