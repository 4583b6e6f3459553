import type { Channel } from '@drawbridge/messaging/message.ts';
import { channels } from '@drawbridge/messaging/message.ts';
import { z } from 'zod';
import { scopeOf, type TenantScope } from '../../../platform/auth/tenant-scope.ts';
import { invalidRequest } from '../../../platform/http/input.ts';
import { type AnyRoute, route } from '../../../platform/http/route.ts';
import { idempotencyHeaders, onceOf } from '../../../platform/idempotency/once.ts';
import { appId } from '../../apps/schema.ts';
import { invalid } from '../../errors.ts';
import { sendErrors } from '../../messages/routes.ts';
import {
  botchatRequest,
  queued,
  rcsRequest,
  smsRequest,
  waRequest,
} from '../../messages/schema.ts';
import { type QueueContext, queueMessage } from '../../messages/sending/queue.ts';
import {
  contentOfBotchat,
  contentOfRcs,
  contentOfSms,
  contentOfWa,
  type RequestedContent,
} from '../../messages/sending/requested-content.ts';
import { findMessages } from '../../messages/store.ts';
import { type InboxContext, tag } from '../context.ts';
import { conversationNotFound } from '../conversations/actions.ts';
import { findContactOf } from '../conversations/store.ts';
import { params } from '../schema.ts';
import { type InboxHooks, isPerson } from './hooks.ts';
import { findLastApp } from './store.ts';

export interface ReplyContext extends InboxContext {
  readonly queue: QueueContext;
  readonly hooks: InboxHooks;
}

const path = '/team-inbox/api/conversations/{id}/reply/';

const replyRequest = z
  .strictObject({
    channel: z
      .enum(channels)
      .optional()
      .describe('Default: that of the newest message of the person.'),
    app_id: appId.optional().describe('Default: the app that the person wrote to.'),
    text: z.string().min(1).max(10_000).optional(),
    message: z
      .record(z.string(), z.unknown())
      .optional()
      .describe('In place of `text`: the body of the channel’s POST, without the recipient.'),
    reply_to: z.string().max(200).optional().describe('Id of the message that is answered.'),
  })
  .refine(({ text, message }) => (text === undefined) !== (message === undefined), {
    message: 'give `text` or `message`',
    path: ['text'],
  })
  .meta({ id: 'ConversationReplyRequest' });

export function replyRoutes(context: ReplyContext): AnyRoute[] {
  return [replyRoute(context)];
}

function replyRoute(context: ReplyContext) {
  return route({
    method: 'post',
    path,
    operationId: 'replyToConversation',
    summary: 'Answer the person',
    description:
      'By the rules of the channel, as its own POST: opt-outs, the service window, templates, the ' +
      'wallet. Ends the wait of the person, and opens a conversation that is closed.',
    tag,
    auth: { scope: 'inbox:write' },
    unaudited: 'a message says itself who sent it',
    limit: 'submit',
    request: { params, body: replyRequest, headers: idempotencyHeaders },
    responses: { 202: { description: 'It is kept, and will be sent.', schema: queued } },
    errors: ['conversation_not_found', ...sendErrors],
    handler: async ({ params: { id }, body, headers, principal }) => {
      const scope = scopeOf(principal);
      const contactId = await context.db.tenant(scope.tenantId, (tx) =>
        findContactOf(tx, scope, id),
      );
      if (contactId === undefined) throw conversationNotFound(id);
      const { channel, appId: app, address } = await routeOf(context, scope, contactId, body);
      const key = onceOf(`POST ${path} ${id}`, headers, body);
      const sent = await queueMessage(context.queue, scope, {
        channel,
        appId: app,
        to: { contactId, address },
        content: askedOf(channel, contactId, body),
        placeOf: (member) => (body.message === undefined ? 'text' : `message.${member}`),
        replyTo: body.reply_to,
        author: principal.id,
        ...(key === undefined ? {} : { key }),
      });
      if (!sent.isReplay && !isPerson(principal.id))
        await answer(context, scope, contactId, sent.id);
      return {
        status: 202,
        body: { message_id: sent.id, status: sent.status },
        ...(sent.isReplay ? { headers: { 'idempotency-replayed': 'true' } } : {}),
      };
    },
  });
}

/** An API key's reply also counts as an answer; a member's was counted when it was queued. */
async function answer(
  { db, hooks }: ReplyContext,
  scope: TenantScope,
  contactId: string,
  messageId: string,
): Promise<void> {
  await db.tenant(scope.tenantId, async (tx) => {
    const [row] = await findMessages(tx, scope, [messageId]);
    if (row !== undefined) await hooks.answered(tx, scope, { ...row, contact_id: contactId });
  });
}

type Body = z.output<typeof replyRequest>;

/** The channel, app and address of the reply: by default those of the person's last message. */
async function routeOf(
  { db }: ReplyContext,
  scope: TenantScope,
  contactId: string,
  { channel, app_id }: Body,
): Promise<{ channel: Channel; appId: string | undefined; address: string | undefined }> {
  const last = await db.tenant(scope.tenantId, (tx) => findLastApp(tx, scope, contactId, channel));
  const chosen = channel ?? last?.channel;
  if (chosen === undefined) throw invalid('channel', 'is needed: the person has written on none');
  return { channel: chosen, appId: app_id ?? last?.app_id, address: last?.address };
}

interface Kind<Schema extends z.ZodType> {
  readonly schema: Schema;
  readonly asked: (body: z.output<Schema>) => RequestedContent;
}
const kind = <Schema extends z.ZodType>(
  schema: Schema,
  asked: (body: z.output<Schema>) => RequestedContent,
): Kind<Schema> => ({ schema, asked });

const kinds = {
  wa: kind(waRequest, contentOfWa),
  sms: kind(smsRequest, contentOfSms),
  botchat: kind(botchatRequest, contentOfBotchat),
  rcs: kind(rcsRequest, contentOfRcs),
};

/** The message, checked with the request schema of its channel. */
function askedOf(channel: Channel, contactId: string, { text, message }: Body): RequestedContent {
  const plain = channel === 'wa' ? { type: 'text', text: { body: text } } : { text };
  const { schema, asked } = kinds[channel] as Kind<z.ZodType>;
  const reading = schema.safeParse({ ...(message ?? plain), contact_id: contactId });
  if (reading.success) return asked(reading.data);
  const issues = reading.error.issues.map((issue) => ({
    ...issue,
    path: ['message', ...issue.path],
  }));
  throw invalidRequest(issues);
}
