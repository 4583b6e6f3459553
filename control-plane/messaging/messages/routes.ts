import type { Channel } from '@drawbridge/messaging/message.ts';
import { statuses } from '@drawbridge/messaging/status.ts';
import { z } from 'zod';
import { scopeOf } from '../../platform/auth/tenant-scope.ts';
import { pageOf } from '../../platform/http/cursor.ts';
import { pageQuery, pageSchema, requestedPage } from '../../platform/http/paging.ts';
import { type AnyRoute, type Input, route } from '../../platform/http/route.ts';
import { idempotencyHeaders, madeHeaders, onceOf } from '../../platform/idempotency/once.ts';
import { appId } from '../apps/schema.ts';
import { contactId } from '../contacts/schema.ts';
import { fail } from '../errors.ts';
import { costOf, type MessageRow } from './message-row.ts';
import {
  botchatRequest,
  messageId,
  messageView,
  queued,
  rcsRequest,
  smsRequest,
  waRequest,
} from './schema.ts';
import { type QueueContext, type QueueTarget, queueMessage } from './sending/queue.ts';
import {
  contentOfBotchat,
  contentOfRcs,
  contentOfSms,
  contentOfWa,
  type RequestedContent,
} from './sending/requested-content.ts';
import { findMessages, listMessages } from './store.ts';

/** What differs by channel. */
interface Kind<Body extends z.ZodType = z.ZodType> {
  readonly channel: Channel;
  readonly path: string;
  readonly tag: string;
  /** In operation ids. */
  readonly word: string;
  readonly summary: string;
  readonly body: Body;
  readonly target: (body: z.output<Body>) => QueueTarget;
  readonly asked: (body: z.output<Body>) => RequestedContent;
}

interface Envelope {
  readonly app_id?: string | undefined;
  readonly contact_id?: string | undefined;
  readonly reply_to?: string | undefined;
  readonly ttl_seconds?: number | undefined;
}

const byPhone = ({ to, contact_id }: { to?: string | undefined } & Envelope): QueueTarget => {
  return { phone: to, contactId: contact_id };
};

const wa: Kind<typeof waRequest> = {
  channel: 'wa',
  path: '/wa/v1/messages/',
  tag: 'Chat app',
  word: 'WaMessage',
  summary: 'Send a template or a session message',
  body: waRequest,
  target: ({ to, recipient, contact_id }) => {
    return { phone: to, userId: recipient, contactId: contact_id };
  },
  asked: contentOfWa,
};
const sms: Kind<typeof smsRequest> = {
  channel: 'sms',
  path: '/sms/v1/messages/',
  tag: 'SMS',
  word: 'Sms',
  summary: 'Send an SMS',
  body: smsRequest,
  target: byPhone,
  asked: contentOfSms,
};
const botchat: Kind<typeof botchatRequest> = {
  channel: 'botchat',
  path: '/botchat/v1/messages/',
  tag: 'Bot chat',
  word: 'BotMessage',
  summary: 'Send a message to a chat that started the bot',
  body: botchatRequest,
  target: ({ to, contact_id }) => ({ userId: to, contactId: contact_id }),
  asked: contentOfBotchat,
};
const rcs: Kind<typeof rcsRequest> = {
  channel: 'rcs',
  path: '/rcs/v1/messages/',
  tag: 'RCS',
  word: 'RcsMessage',
  summary: 'Send a rich card, suggested replies or a text',
  body: rcsRequest,
  target: byPhone,
  asked: contentOfRcs,
};

/** Sending and listing on every channel: the same routes on four paths. */
export function messageRoutes(context: QueueContext): AnyRoute[] {
  return [
    ...routesOf(wa, context),
    ...routesOf(sms, context),
    ...routesOf(botchat, context),
    ...routesOf(rcs, context),
  ];
}

function routesOf<Body extends z.ZodType<Envelope>>(
  kind: Kind<Body>,
  context: QueueContext,
): AnyRoute[] {
  return [listRoute(kind, context), sendRoute(kind, context), getRoute(kind, context)];
}

function sendRoute<Body extends z.ZodType<Envelope>>(
  kind: Kind<Body>,
  context: QueueContext,
): AnyRoute {
  const { channel, path, tag, word, summary, body: schema } = kind;
  return route({
    method: 'post',
    path,
    operationId: `send${word}`,
    summary,
    description:
      'It is checked at once for whatever can be known: opt-outs, the service window, templates, ' +
      'the wallet. What becomes of it later, webhooks and GET tell.',
    tag,
    auth: { scope: 'messages:write' },
    unaudited: 'a message says itself who sent it',
    limit: 'submit',
    request: { body: schema, headers: idempotencyHeaders },
    responses: { 202: { description: 'It is kept, and will be sent.', schema: queued } },
    errors: sendErrors,
    handler: async (input) => {
      const { principal, headers } = input as Input<{ headers: typeof idempotencyHeaders }, false>;
      const body = input.body as z.output<Body> & Envelope;
      const key = onceOf(`POST ${path}`, headers, body);
      const { id, status, isReplay } = await queueMessage(context, scopeOf(principal), {
        channel,
        appId: body.app_id,
        to: kind.target(body),
        content: kind.asked(body),
        replyTo: body.reply_to,
        ttlSeconds: body.ttl_seconds,
        author: principal.id,
        ...(key === undefined ? {} : { key }),
      });
      return {
        status: 202,
        body: { message_id: id, status },
        headers: madeHeaders(`${path}${id}/`, { isReplay }),
      };
    },
  });
}

/** Codes with which a message may be refused at once. */
export const sendErrors = [
  'app_not_found',
  'app_stopped',
  'contact_not_found',
  'content_refused',
  'idempotency_payload_mismatch',
  'insufficient_funds',
  'not_started',
  'opted_out',
  'registration_missing',
  'template_not_approved',
  'template_not_found',
  'window_closed',
] as const;

const query = pageQuery.extend({
  direction: z.enum(['in', 'out']).optional(),
  status: z.enum([...statuses, 'received']).optional(),
  app_id: appId.optional(),
  contact_id: contactId.optional(),
  address: z.string().max(200).optional().describe('A phone, or the network’s id of a person.'),
});

function listRoute({ channel, path, tag, word }: Kind, { db }: QueueContext): AnyRoute {
  return route({
    method: 'get',
    path,
    operationId: `list${word}s`,
    summary: 'List sent and received messages, newest first',
    tag,
    auth: { scope: 'messages:read' },
    limit: 'read',
    request: { query },
    responses: { 200: { description: 'A page.', schema: pageSchema(messageView, 'MessagePage') } },
    handler: async ({ query: asked, principal }) => {
      const scope = scopeOf(principal);
      const { direction = null, status = null, address = null } = asked;
      const { app_id: app = null, contact_id: contact = null } = asked;
      const filter = { direction, status, appId: app, contactId: contact, address };
      const page = requestedPage(asked, 'msg');
      const rows = await db.tenant(scope.tenantId, (tx) =>
        listMessages(tx, scope, channel, filter, page),
      );
      return { status: 200, body: pageOf(page, rows, (row) => row.id, showMessage) };
    },
  });
}

const params = z.strictObject({ id: messageId });

function getRoute({ channel, path, tag, word }: Kind, { db }: QueueContext): AnyRoute {
  return route({
    method: 'get',
    path: `${path}{id}/`,
    operationId: `get${word}`,
    summary: 'Read a message',
    tag,
    auth: { scope: 'messages:read' },
    limit: 'read',
    request: { params },
    responses: { 200: { description: 'The message.', schema: messageView } },
    errors: ['message_not_found'],
    handler: async ({ params: { id }, principal }) => {
      const scope = scopeOf(principal);
      const [row] = await db.tenant(scope.tenantId, (tx) => findMessages(tx, scope, [id]));
      if (row?.channel !== channel) {
        throw fail('message_not_found', `There is no message "${id}" on this channel.`);
      }
      return { status: 200, body: showMessage(row) };
    },
  });
}

/** A message in the form of the API. */
export function showMessage(row: MessageRow) {
  const { error_code, error_detail, currency } = row;
  const price = costOf(row);
  const instant = (at: Date | null) => at?.toISOString() ?? null;
  return {
    id: row.id,
    channel: row.channel,
    direction: row.direction,
    app_id: row.app_id,
    contact_id: row.contact_id,
    address: row.address,
    broadcast_id: row.broadcast_id,
    preview: row.preview,
    content: row.content as unknown as Record<string, unknown>,
    status: row.status,
    provider_id: row.provider_id,
    reply_to: row.reply_to,
    error: error_code === null ? null : { code: error_code, detail: error_detail },
    price: price === null ? null : { amount: price, currency: currency! },
    hold_released_at: instant(row.hold_released_at),
    created_at: row.created_at.toISOString(),
    sent_at: instant(row.sent_at),
    delivered_at: instant(row.delivered_at),
    read_at: instant(row.read_at),
    failed_at: instant(row.failed_at),
  };
}
