import { setTimeout } from 'node:timers/promises';
import { z } from 'zod';
import { ari, asterisk } from '../../../channels/asterisk/adapter.ts';
import type { Settings } from '../../../channels/asterisk/settings.ts';
import { jsonOf, numberOf, objectOf, textOf, within } from '../../../channels/reading.ts';
import type { VoiceAccount } from '../../../channels/voice-contract.ts';
import { type AnyRoute, route } from '../../../platform/http/route.ts';
import { placeOf } from '../../contacts/place.ts';
import { tag, type VoiceDesk } from '../desk.ts';
import { type OpenProvider, openRow } from '../providers/account.ts';
import { findTrunk, listProviders } from '../providers/store.ts';

const hostsMax = 200;
/** A host that is silent for longer is not healthy, and nobody waits for it. */
const answerMs = 3_000;
/** Some beats of the node that holds the websocket. */
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
    channels: z.int().nullable().describe('Channels that are there now'),
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

/** The PBXs of a tenant, asked how they are. */
export function healthRoutes(desk: VoiceDesk, stopwatch: () => number): AnyRoute[] {
  return [
    route({
      method: 'get',
      path: '/voice/api/ari-health/',
      operationId: 'getAriHealth',
      summary: 'Ask each configured PBX how it is',
      tag,
      auth: { scope: 'calls:read' },
      limit: 'read',
      responses: { 200: { description: 'One row a host.', schema: healthView } },
      handler: async ({ principal }) => {
        const place = placeOf(principal);
        const rows = await desk.db.tenant(place.tenantId, (tx) =>
          listProviders(tx, place, undefined, hostsMax),
        );
        const trunks = rows
          .filter(({ provider }) => provider === asterisk.id)
          .map((row) => openRow(desk, place, row));
        const results = await Promise.all(trunks.map((open) => hostOf(desk, open, stopwatch)));
        return { status: 200, body: { results } };
      },
    }),
  ];
}

async function hostOf(desk: VoiceDesk, open: OpenProvider, stopwatch: () => number) {
  const account = open.account as VoiceAccount<Settings>;
  const { technology, trunk } = account.settings;
  const begun = stopwatch();
  const ping = await ask(desk, account, 'asterisk/ping');
  const latency = Math.round(stopwatch() - begun);
  const isUp = textOf(objectOf(ping.body)?.ping) === 'pong';
  const none = { body: undefined, error: null };
  const [info, channels, endpoints] = isUp
    ? await Promise.all([
        ask(desk, account, 'asterisk/info'),
        ask(desk, account, 'channels'),
        ask(desk, account, `endpoints/${technology}`),
      ])
    : [none, none, none];
  const facts = objectOf(info.body);
  const listed = endpointsOf(endpoints.body);
  const found = listed.find(({ name }) => name === trunk);
  return {
    ...{ provider_config: open.row.id, name: open.row.name, host: new URL(account.endpoint).host },
    reachable: isUp,
    latency_ms: isUp ? latency : null,
    version: textOf(within(facts, 'system').version) ?? null,
    uptime_seconds: uptimeOf(textOf(within(facts, 'status').startup_time), desk.clock()),
    channels: Array.isArray(channels.body) ? channels.body.length : null,
    max_channels: numberOf(within(facts, 'config').max_channels) ?? null,
    endpoints: listed,
    trunk: { name: trunk, state: found?.state ?? 'unknown' },
    websocket: await websocketOf(desk, open),
    error: ping.error ?? (isUp ? null : 'what answers there is no ARI'),
  };
}

async function ask(desk: VoiceDesk, account: VoiceAccount<Settings>, path: string) {
  const tooLate = { kind: 'lost', reason: `no answer in ${answerMs / 1_000} s` } as const;
  const answer = desk.wire.send(ari(account, 'GET', path));
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

async function websocketOf(desk: VoiceDesk, { place, row }: OpenProvider) {
  const { tenantId } = place;
  const trunk = await desk.db.tenant(tenantId, (tx) => findTrunk(tx, tenantId, row.id));
  const heardMs = trunk?.heard_at?.getTime() ?? 0;
  // Whoever held it may have gone without a word.
  const isSilent = trunk?.state === 'connected' && desk.clock().getTime() - heardMs > silentMs;
  return {
    state: isSilent ? ('lost' as const) : (trunk?.state ?? ('never' as const)),
    since: trunk?.since.toISOString() ?? null,
    heard_at: trunk?.heard_at?.toISOString() ?? null,
    last_error: trunk?.last_error ?? null,
  };
}
