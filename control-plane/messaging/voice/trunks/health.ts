import { setTimeout } from 'node:timers/promises';
import { z } from 'zod';
import { ari, asterisk } from '../../../channels/asterisk/adapter.ts';
import type { Settings } from '../../../channels/asterisk/settings.ts';
import { jsonOf, numberOf, objectOf, textOf, within } from '../../../channels/untrusted-input.ts';
import type { VoiceAccount } from '../../../channels/voice-contract.ts';
import { scopeOf } from '../../../platform/auth/tenant-scope.ts';
import { firstRows } from '../../../platform/db/keyset.ts';
import { type AnyRoute, route } from '../../../platform/http/route.ts';
import { type CallingContext, tag } from '../context.ts';
import { type OpenProvider, openRow } from '../providers/account.ts';
import { findTrunkStatus, listProviders } from '../providers/store.ts';

const hostsMax = 200;
/** A host that takes longer to answer is not healthy, and the request does not wait for it. */
const answerMs = 3_000;
/** Several heartbeats of the node that holds the websocket. */
const silentMs = 90_000;
const instant = z.iso.datetime();

const hostView = z
  .strictObject({
    provider_config: z.string(),
    name: z.string(),
    host: z.string(),
    reachable: z.boolean(),
    latency_ms: z.int().nullable(),
    version: z.string().nullable(),
    uptime_seconds: z.int().nullable(),
    channels: z.int().nullable().describe('Current channels'),
    max_channels: z.int().nullable(),
    endpoints: z.array(z.strictObject({ name: z.string(), state: z.string(), channels: z.int() })),
    trunk: z
      .strictObject({ name: z.string(), state: z.string() })
      .describe('The endpoint that calls go through: online when it is registered'),
    websocket: z.strictObject({
      state: z.enum(['connecting', 'connected', 'lost', 'never']),
      since: instant.nullable(),
      heard_at: instant.nullable(),
      last_error: z.string().nullable(),
    }),
    error: z.string().nullable(),
  })
  .meta({ id: 'AriHost' });

const healthView = z.strictObject({ results: z.array(hostView) }).meta({ id: 'AriHealth' });

/** The health of a tenant's PBXs, each asked directly. */
export function healthRoutes(context: CallingContext, stopwatch: () => number): AnyRoute[] {
  return [
    route({
      method: 'get',
      path: '/voice/api/ari-health/',
      operationId: 'getAriHealth',
      summary: 'Check the health of each configured PBX',
      tag,
      auth: { scope: 'calls:read' },
      limit: 'read',
      responses: { 200: { description: 'One row for each host.', schema: healthView } },
      handler: async ({ principal }) => {
        const scope = scopeOf(principal);
        const rows = await context.db.tenant(scope.tenantId, (tx) =>
          listProviders(tx, scope, firstRows(hostsMax)),
        );
        const trunks = rows
          .filter(({ provider }) => provider === asterisk.id)
          .map((row) => openRow(context, scope, row));
        const results = await Promise.all(trunks.map((open) => hostOf(context, open, stopwatch)));
        return { status: 200, body: { results } };
      },
    }),
  ];
}

async function hostOf(context: CallingContext, open: OpenProvider, stopwatch: () => number) {
  const account = open.account as VoiceAccount<Settings>;
  const { technology, trunk } = account.settings;
  const begun = stopwatch();
  const ping = await fetchAri(context, account, 'asterisk/ping');
  const latency = Math.round(stopwatch() - begun);
  const isUp = textOf(objectOf(ping.body)?.ping) === 'pong';
  const none = { body: undefined, error: null };
  const [info, channels, endpoints] = isUp
    ? await Promise.all([
        fetchAri(context, account, 'asterisk/info'),
        fetchAri(context, account, 'channels'),
        fetchAri(context, account, `endpoints/${technology}`),
      ])
    : [none, none, none];
  const facts = objectOf(info.body);
  const listed = endpointsOf(endpoints.body);
  const found = listed.find(({ name }) => name === trunk);
  return {
    provider_config: open.row.id,
    name: open.row.name,
    host: new URL(account.endpoint).host,
    reachable: isUp,
    latency_ms: isUp ? latency : null,
    version: textOf(within(facts, 'system').version) ?? null,
    uptime_seconds: uptimeOf(textOf(within(facts, 'status').startup_time), context.clock()),
    channels: Array.isArray(channels.body) ? channels.body.length : null,
    max_channels: numberOf(within(facts, 'config').max_channels) ?? null,
    endpoints: listed,
    trunk: { name: trunk, state: found?.state ?? 'unknown' },
    websocket: await websocketOf(context, open),
    error: ping.error ?? (isUp ? null : 'the answer is not from an ARI'),
  };
}

async function fetchAri(context: CallingContext, account: VoiceAccount<Settings>, path: string) {
  const tooLate = { kind: 'maybe-sent', reason: `no answer in ${answerMs / 1_000} s` } as const;
  const answer = context.wire.send(ari(account, 'GET', path));
  const exchange = await Promise.race([answer, setTimeout(answerMs, tooLate, { ref: false })]);
  if (exchange.kind !== 'answered') return { body: undefined, error: exchange.reason };
  const { status, body } = exchange.response;
  // Asterisk answers 503 while it is still starting.
  if (status !== 200) return { body: undefined, error: `HTTP ${status}` };
  return { body: body.startsWith('[') ? listOf(body) : jsonOf(body), error: null };
}

function listOf(text: string): unknown {
  return jsonOf(`{"list":${text}}`)?.list;
}

function endpointsOf(body: unknown) {
  return (Array.isArray(body) ? body : []).slice(0, hostsMax).flatMap((each) => {
    const endpoint = objectOf(each);
    const name = textOf(endpoint?.resource);
    if (name === undefined) return [];
    const ids = endpoint?.channel_ids;
    const state = textOf(endpoint?.state) ?? 'unknown';
    return [{ name, state, channels: Array.isArray(ids) ? ids.length : 0 }];
  });
}

function uptimeOf(started: string | undefined, now: Date): number | null {
  const at = started === undefined ? Number.NaN : new Date(started).getTime();
  return Number.isNaN(at) ? null : Math.max(0, Math.round((now.getTime() - at) / 1_000));
}

async function websocketOf(context: CallingContext, { scope, row }: OpenProvider) {
  const { tenantId } = scope;
  const trunk = await context.db.tenant(tenantId, (tx) => findTrunkStatus(tx, tenantId, row.id));
  const heardMs = trunk?.heard_at?.getTime() ?? 0;
  // The node that held the websocket may have died.
  const isSilent = trunk?.state === 'connected' && context.clock().getTime() - heardMs > silentMs;
  return {
    state: isSilent ? ('lost' as const) : (trunk?.state ?? ('never' as const)),
    since: trunk?.since.toISOString() ?? null,
    heard_at: trunk?.heard_at?.toISOString() ?? null,
    last_error: trunk?.last_error ?? null,
  };
}
