import { z } from 'zod';
import { scopeOf, type TenantScope } from '../../../platform/auth/tenant-scope.ts';
import { firstRows } from '../../../platform/db/keyset.ts';
import { pageOf } from '../../../platform/http/cursor.ts';
import { pageQuery, pageSchema, requestedPage } from '../../../platform/http/paging.ts';
import { type AnyRoute, route } from '../../../platform/http/route.ts';
import type { OpenedApp } from '../../apps/app-opener.ts';
import { listApps } from '../../apps/store.ts';
import type { IntakeContext } from './intake-context.ts';
import {
  listUnrouted,
  type NewUnrouted,
  takeUnrouted,
  type UnroutedRow,
} from './unrouted-store.ts';
import { applyEvents, numbersMax, settleEarlyReports } from './webhook-intake.ts';
import { routeOf } from './webhook-verdict.ts';

/** Replayed in one transaction, and in one request. */
const batchSize = 10;
const replayedMax = 1_000;

const number = z.string().min(1).max(100).describe('The network’s id of the number.');

const unroutedView = z
  .strictObject({
    id: z.string(),
    phone_number_id: z.string(),
    counts: z
      .record(z.string(), z.int())
      .describe('What is in it, by kind: `inbound` are messages of people, `report` statuses.'),
    received_at: z.iso.datetime(),
  })
  .meta({ id: 'UnroutedWebhook' });

const replayRequest = z
  .strictObject({
    phone_number_id: number.optional().describe('Only those of this number.'),
  })
  .meta({ id: 'UnroutedReplay' });

const replayView = z
  .strictObject({
    replayed: z.int(),
    is_complete: z.boolean().describe('False: there are more, ask again.'),
  })
  .meta({ id: 'UnroutedReplayed' });

export function unroutedRoutes(context: IntakeContext): AnyRoute[] {
  return [listRoute(context), replayRoute(context)];
}

function listRoute({ db }: IntakeContext) {
  return route({
    method: 'get',
    path: '/wa/v1/unrouted/',
    operationId: 'listUnroutedWebhooks',
    summary: 'List webhooks about numbers that no app has, newest first',
    description: 'They are kept for 30 days. Make the app of the number, then replay them.',
    tag: 'Chat app',
    auth: { scope: 'channels:read' },
    limit: 'read',
    request: { query: pageQuery.extend({ phone_number_id: number.optional() }) },
    responses: {
      200: { description: 'A page.', schema: pageSchema(unroutedView, 'UnroutedWebhookPage') },
    },
    handler: async ({ query: { phone_number_id: number = null, ...asked }, principal }) => {
      const scope = scopeOf(principal);
      const page = requestedPage(asked, 'unr');
      const rows = await db.tenant(scope.tenantId, (tx) => listUnrouted(tx, scope, number, page));
      return { status: 200, body: pageOf(page, rows, ({ id }) => id, show) };
    },
  });
}

function replayRoute(context: IntakeContext) {
  return route({
    method: 'post',
    path: '/wa/v1/unrouted/replay/',
    operationId: 'replayUnroutedWebhooks',
    summary: 'Take in webhooks that came before their number had an app',
    description: `In their order, at most ${replayedMax} at once; what was taken in already changes nothing.`,
    tag: 'Chat app',
    auth: { scope: 'channels:write' },
    limit: 'write',
    request: { body: replayRequest.prefault({}) },
    responses: { 200: { description: 'How many were taken in.', schema: replayView } },
    handler: async ({ body: { phone_number_id }, principal }) => {
      const scope = scopeOf(principal);
      let replayed = 0;
      for (let count = batchSize; count === batchSize && replayed < replayedMax; ) {
        count = await replaySome(context, scope, phone_number_id);
        replayed += count;
      }
      return { status: 200, body: { replayed, is_complete: replayed < replayedMax } };
    },
  });
}

/** Returns how many were taken in, at most a batch. */
async function replaySome(
  context: IntakeContext,
  scope: TenantScope,
  asked: string | undefined,
): Promise<number> {
  const { db, appOpener } = context;
  const { rows, earlyReports } = await db.tenant(scope.tenantId, async (tx) => {
    const apps = await listApps(tx, scope, 'wa', firstRows(numbersMax));
    const opened = apps.map((row) => appOpener.open(scope, row));
    const numbers = opened.flatMap(({ app }) => {
      const { phone_number_id: id } = app.settings as { readonly phone_number_id: string };
      return asked === undefined || asked === id ? [id] : [];
    });
    const taken = await takeUnrouted(tx, scope, numbers, batchSize);
    const items = taken.flatMap((row) => eventsOf(row, opened));
    return { rows: taken, earlyReports: await applyEvents(tx, context, scope, items) };
  });
  await settleEarlyReports(context, scope, earlyReports);
  return rows.length;
}

/** The events of its number; a webhook with several numbers is there for each of them. */
function eventsOf({ body, number: own }: NewUnrouted, apps: readonly OpenedApp[]) {
  const [first] = apps;
  if (first === undefined) return [];
  const request = { method: 'POST', url: '', headers: {}, body: Buffer.from(body) } as const;
  const reading = first.channel.events(request);
  if (reading.kind === 'malformed') return [];
  const events = reading.events.filter((event) => event.number === own);
  return routeOf(events, [first], apps).routed;
}

function show({ id, number: phone_number_id, counts, received_at }: UnroutedRow) {
  return { id, phone_number_id, counts, received_at: received_at.toISOString() };
}
