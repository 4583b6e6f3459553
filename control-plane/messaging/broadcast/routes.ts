import type { Channel } from '@drawbridge/messaging/message.ts';
import { z } from 'zod';
import { scopeOf, type TenantScope } from '../../platform/auth/tenant-scope.ts';
import { pageOf } from '../../platform/http/cursor.ts';
import { pageSchema, requestedPage } from '../../platform/http/paging.ts';
import { type AnyRoute, type Input, type Reply, route } from '../../platform/http/route.ts';
import { idempotencyHeaders, onceOf } from '../../platform/idempotency/once.ts';
import type { BroadcastContext } from './context.ts';
import { type Command, reschedule, runCommand } from './control.ts';
import {
  type CreateRequest,
  createBroadcast,
  draftOf,
  resendDraftOf,
  testDraftOf,
} from './create.ts';
import { forecastOf } from './forecast.ts';
import { redirectRoute } from './links/redirect.ts';
import { broadcastNotFound } from './not-found.ts';
import { dashboardRoute } from './reports/dashboard.ts';
import { reportSettingsRoutes } from './reports/mail/routes.ts';
import { messagesRoute, trackingRoute } from './reports/messages.ts';
import { recipientsRoute } from './reports/recipients.ts';
import {
  type BroadcastRequest,
  broadcastId,
  broadcastPatch,
  broadcastQuery,
  broadcastRequest,
  broadcastResend,
  broadcastTestRequest,
  broadcastView,
  channelBroadcastRequest,
  forecast,
} from './schema.ts';
import { showAll } from './show.ts';
import { findBroadcast, listBroadcasts } from './store.ts';

const tag = 'Broadcast';
const path = '/broadcast/';
const params = z.strictObject({ id: broadcastId });

export function broadcastRoutes(context: BroadcastContext): AnyRoute[] {
  return [
    listRoute(context),
    createRoute(context, { path, word: '', tag }),
    testRoute(context),
    messagesRoute(context),
    trackingRoute(context),
    dashboardRoute(context),
    ...reportSettingsRoutes(context),
    getRoute(context),
    patchRoute(context),
    recipientsRoute(context),
    resendRoute(context),
    commandRoute(context, 'pause', 'Pause a broadcast'),
    commandRoute(context, 'resume', 'Resume a paused broadcast'),
    commandRoute(context, 'cancel', 'Cancel a broadcast; messages not yet sent are never sent'),
    createRoute(context, { path: '/sms/v1/broadcast/', word: 'Sms', tag: 'SMS', channel: 'sms' }),
    createRoute(context, {
      path: '/botchat/v1/broadcast/',
      word: 'Bot',
      tag: 'Bot chat',
      channel: 'botchat',
    }),
    createRoute(context, { path: '/rcs/v1/broadcast/', word: 'Rcs', tag: 'RCS', channel: 'rcs' }),
    redirectRoute(context),
  ];
}

function listRoute({ db }: BroadcastContext) {
  return route({
    method: 'get',
    path,
    operationId: 'listBroadcasts',
    summary: 'List broadcasts, newest first',
    tag,
    auth: { scope: 'broadcasts:read' },
    limit: 'read',
    request: { query: broadcastQuery },
    responses: {
      200: { description: 'A page.', schema: pageSchema(broadcastView, 'BroadcastPage') },
    },
    handler: async ({ query: { channel = null, status: state = null, ...asked }, principal }) => {
      const scope = scopeOf(principal);
      const page = requestedPage(asked, 'brc');
      const body = await db.tenant(scope.tenantId, async (tx) => {
        const rows = await listBroadcasts(tx, scope, { channel, state }, page);
        return pageOf(
          page,
          await showAll(tx, scope, rows),
          ({ id }) => id,
          (row) => row,
        );
      });
      return { status: 200, body };
    },
  });
}

/** Where a broadcast may be made, and for which channel when the path says so. */
interface Door {
  readonly path: string;
  readonly word: string;
  readonly tag: string;
  readonly channel?: Channel;
}

function createRoute(
  context: BroadcastContext,
  { path: at, word, tag: under, channel }: Door,
): AnyRoute {
  const schema: z.ZodType = channel === undefined ? broadcastRequest : channelBroadcastRequest;
  return route({
    method: 'post',
    path: at,
    operationId: `create${word}Broadcast`,
    summary: 'Send a template to a segment, now or later',
    description: descriptionOf(channel),
    tag: under,
    auth: { scope: 'broadcasts:write' },
    limit: 'write',
    request: { body: schema, headers: idempotencyHeaders },
    responses: {
      200: { description: 'What would be sent (`dry_run`).', schema: forecast },
      201: { description: 'The broadcast is queued.', schema: broadcastView },
    },
    errors: createErrors,
    handler: async (input) => {
      const { principal, headers } = input as Input<{ headers: typeof idempotencyHeaders }, false>;
      const scope = scopeOf(principal);
      const body = input.body as BroadcastRequest;
      const request = channel === undefined ? body : { ...body, channel };
      if (request.dry_run) return { status: 200, body: await forecastOf(context, scope, request) };
      const key = onceOf(`POST ${at}`, headers, body);
      const creation: CreateRequest = {
        draft: (tx, own) => draftOf(tx, context, scope, request, own),
        author: principal.id,
        key,
      };
      return create(context, scope, creation);
    },
  });
}

function create(
  context: BroadcastContext,
  scope: TenantScope,
  creation: CreateRequest,
): Promise<Reply> {
  return context.db.tenant(scope.tenantId, async (tx) => {
    const { row, isReplay } = await createBroadcast(tx, context, scope, creation);
    const [shown] = await showAll(tx, scope, [row]);
    const replayed = isReplay ? { 'idempotency-replayed': 'true' } : {};
    return { status: 201, body: shown, headers: { location: `${path}${row.id}/`, ...replayed } };
  });
}

function testRoute(context: BroadcastContext) {
  return route({
    method: 'post',
    path: `${path}test/`,
    operationId: 'testBroadcast',
    summary: 'Send a template to a few people who are named, as a broadcast would',
    description: 'At once, whatever the hour. Who opted out is left out here too.',
    tag,
    auth: { scope: 'broadcasts:write' },
    limit: 'write',
    request: { body: broadcastTestRequest, headers: idempotencyHeaders },
    responses: { 201: { description: 'The test, which is a broadcast.', schema: broadcastView } },
    errors: createErrors.filter((code) => code !== 'segment_not_found'),
    handler: async ({ body, principal, headers }) => {
      const scope = scopeOf(principal);
      return create(context, scope, {
        draft: (tx, own) => testDraftOf(tx, context, scope, body, own),
        author: principal.id,
        key: onceOf(`POST ${path}test/`, headers, body),
      });
    },
  });
}

function resendRoute(context: BroadcastContext) {
  return route({
    method: 'post',
    path: `${path}{id}/resend/`,
    operationId: 'resendBroadcast',
    summary: 'Send a broadcast again to those whom it did not reach',
    description: 'This makes another broadcast. Who opted out since is left out.',
    tag,
    auth: { scope: 'broadcasts:write' },
    limit: 'write',
    request: { params, body: broadcastResend.prefault({}), headers: idempotencyHeaders },
    responses: { 201: { description: 'The new broadcast.', schema: broadcastView } },
    errors: [
      ...createErrors.filter((code) => code !== 'segment_not_found'),
      'broadcast_not_found',
      'broadcast_state',
      'broadcast_resent',
    ],
    handler: async ({ params: { id }, body, principal, headers }) => {
      const scope = scopeOf(principal);
      return create(context, scope, {
        draft: (tx, own) => resendDraftOf(tx, context, scope, id, body, own),
        author: principal.id,
        key: onceOf(`POST ${path}${id}/resend/`, headers, body),
      });
    },
  });
}

const createErrors = [
  'app_not_found',
  'app_stopped',
  'idempotency_payload_mismatch',
  'insufficient_funds',
  'provider_refused',
  'segment_not_found',
  'template_not_approved',
  'template_not_found',
  'template_refused',
] as const;

function descriptionOf(channel: Channel | undefined): string {
  const all =
    'Who gets it is fixed at `schedule_at`, in one moment: the contacts that the segment has then, ' +
    'without those who opted out. With `dry_run` nothing is sent; the answer tells how many would ' +
    'get it, what it costs, when it is done, and who is left out and why.';
  return channel === 'rcs'
    ? `${all} Numbers that RCS does not reach are left out: the network is asked, and once a day at most.`
    : all;
}

function getRoute({ db }: BroadcastContext) {
  return route({
    method: 'get',
    path: `${path}{id}/`,
    operationId: 'getBroadcast',
    summary: 'Read a broadcast',
    tag,
    auth: { scope: 'broadcasts:read' },
    limit: 'read',
    request: { params },
    responses: { 200: { description: 'The broadcast.', schema: broadcastView } },
    errors: ['broadcast_not_found'],
    handler: async ({ params: { id }, principal }) => {
      const scope = scopeOf(principal);
      const body = await db.tenant(scope.tenantId, async (tx) => {
        const row = await findBroadcast(tx, scope, id);
        if (row === undefined) throw broadcastNotFound(id);
        return (await showAll(tx, scope, [row]))[0];
      });
      return { status: 200, body };
    },
  });
}

function patchRoute(context: BroadcastContext) {
  return route({
    method: 'patch',
    path: `${path}{id}/`,
    operationId: 'updateBroadcast',
    summary: 'Change when a broadcast is sent',
    description: 'Possible until its audience is fixed.',
    tag,
    auth: { scope: 'broadcasts:write' },
    limit: 'write',
    request: { params, body: broadcastPatch },
    responses: { 200: { description: 'The broadcast as it is now.', schema: broadcastView } },
    errors: ['broadcast_not_found', 'broadcast_state', 'broadcast_busy'],
    handler: async ({ params: { id }, body: { schedule_at }, principal }) => {
      const scope = scopeOf(principal);
      const row = await reschedule(context, scope, id, schedule_at);
      const [body] = await context.db.tenant(scope.tenantId, (tx) => showAll(tx, scope, [row]));
      return { status: 200, body };
    },
  });
}

function commandRoute(context: BroadcastContext, action: Command, summary: string) {
  return route({
    method: 'post',
    path: `${path}{id}/${action}/`,
    operationId: `${action}Broadcast`,
    summary,
    description: 'A repeat changes nothing.',
    tag,
    auth: { scope: 'broadcasts:write' },
    limit: 'write',
    request: { params },
    responses: { 200: { description: 'The broadcast as it is now.', schema: broadcastView } },
    errors: ['broadcast_not_found', 'broadcast_state', 'broadcast_busy'],
    handler: async ({ params: { id }, principal }) => {
      const scope = scopeOf(principal);
      const row = await runCommand(context, scope, id, action);
      const [body] = await context.db.tenant(scope.tenantId, (tx) => showAll(tx, scope, [row]));
      return { status: 200, body };
    },
  });
}
