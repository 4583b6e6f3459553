import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import type { z } from 'zod';
import type { Database } from '../database.ts';
import type { VoiceDesk } from '../messaging/voice/desk.ts';
import { readEndpoints } from '../messaging/voice/endpoint-file.ts';
import {
  changeProvider,
  createProvider,
  type DirectoryDesk,
  testProvider,
} from '../messaging/voice/providers/directory.ts';
import { providerPatch, providerRequest } from '../messaging/voice/providers/schema.ts';
import { findProvider, listProviders } from '../messaging/voice/providers/store.ts';
import { openWire } from '../messaging/wire.ts';
import type { Environment } from '../platform/auth/principal.ts';
import { ApiError } from '../platform/http/errors.ts';
import { newUuid } from '../platform/ids.ts';
import { openJobs } from '../platform/jobs/jobs.ts';
import { createMetrics } from '../platform/metrics/metrics.ts';
import { openSecrets } from '../platform/secrets/secrets.ts';
import { print, UsageError } from './administration.ts';
import type { Edge } from './edge.ts';
import type { AddOptions, PlaceOptions, Told } from './voice.ts';

const shownMax = 200;

/** Configures a provider. */
export async function add(edge: Edge, { db }: Database, options: AddOptions): Promise<void> {
  const { tenant, environment, provider: kind } = options;
  const draft = read(providerRequest, { provider: kind, ...(await told(options)) });
  const { desk, close } = await openDesk(edge, db);
  const place = { tenantId: tenant, environment };
  const { row: made } = await createProvider(desk, place, draft).catch(asUsage).finally(close);
  print(options, { id: made.id, provider: kind, name: made.name }, made.id);
}

/** Changes what is named of a provider. */
export async function update(
  edge: Edge,
  { db }: Database,
  id: string,
  options: PlaceOptions & Told,
): Promise<void> {
  const { tenant, environment } = options;
  const edit = read(providerPatch, await told(options));
  const { desk, close } = await openDesk(edge, db);
  const place = { tenantId: tenant, environment };
  const after = await changeProvider(desk, place, id, edit).catch(asUsage).finally(close);
  print(options, { id, provider: after.provider, name: after.name }, id);
}

/** The options under the names of the API; those not given are left out. */
async function told(options: Told): Promise<Readonly<Record<string, unknown>>> {
  const number = (text: string | undefined) => (text === undefined ? undefined : Number(text));
  const { settings } = options;
  const members = {
    ...{ name: options.name, from_number: options.from },
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

/** Lists what is configured, newest first. */
export async function list(_: Edge, { db }: Database, options: PlaceOptions): Promise<void> {
  const { tenant, environment } = options;
  const place = { tenantId: tenant, environment };
  const rows = await db.tenant(tenant, (tx) => listProviders(tx, place, undefined, shownMax));
  const shown = rows.map(({ id, provider: kind, name, from_number }) => {
    return { id, provider: kind, name, from_number };
  });
  print(options, shown, shown.map((row) => Object.values(row).join('  ')).join('\n'));
}

/** Asks a provider whether the credentials are good. */
export async function test(
  edge: Edge,
  { db }: Database,
  id: string,
  options: PlaceOptions,
): Promise<void> {
  const { tenant, environment } = options;
  const place = { tenantId: tenant, environment };
  const row = await db.tenant(tenant, (tx) => findProvider(tx, place, id));
  if (row === undefined || row.deleted_at !== null) throw new UsageError(`there is no ${id}`);
  const known = await readEndpoints(edge.settings.voiceEndpointsFile);
  const addresses: Readonly<Record<string, string | undefined>> =
    environment === 'live'
      ? known.live
      : { ...(await simulatorsOf(edge.settings.home)), ...given(known.sandbox) };
  const origins = Object.values(addresses).flatMap((each) =>
    each === undefined ? [] : new URL(each).origin,
  );
  const wire = openWire({
    isTrusted: (origin) => origins.includes(origin),
    allowPrivate: edge.settings.voiceAllowPrivate,
  });
  const { desk, close } = await openDesk(edge, db);
  const told = { endpointOf: (_: Environment, kind: string) => addresses[kind], wire };
  const whole = { ...desk, ...told, publicUrl: () => '' } as unknown as VoiceDesk;
  try {
    const outcome = await testProvider(whole, place, row, edge.stopwatch);
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

async function openDesk(
  { settings, clock, random, log }: Edge,
  db: Database['db'],
): Promise<{ desk: DirectoryDesk; close: () => Promise<void> }> {
  const { home, secretKey } = settings;
  const newClaimId = () => newUuid(clock, random);
  const metrics = createMetrics({ processMetrics: false });
  const jobs = await openJobs({ db, log, metrics, newClaimId });
  const secrets = await openSecrets({
    home,
    ...(secretKey === undefined ? {} : { key: secretKey }),
  });
  const playedSettings = () => undefined;
  return { desk: { db, secrets, clock, random, jobs, playedSettings }, close: () => jobs.close() };
}
