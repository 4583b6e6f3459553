import type { Channel } from '@drawbridge/messaging/message.ts';
import { channels } from '@drawbridge/messaging/message.ts';
import { z } from 'zod';
import { invalidRequest } from '../../platform/http/input.ts';
import { type AnyRoute, route } from '../../platform/http/route.ts';
import { idempotencyHeaders, onceOf } from '../../platform/idempotency/once.ts';
import { appId } from '../apps/schema.ts';
import { placeOf } from '../contacts/place.ts';
import type { Place } from '../contacts/store.ts';
import { invalid } from '../errors.ts';
import {
  type Asked,
  askedOfBotchat,
  askedOfRcs,
  askedOfSms,
  askedOfWa,
} from '../messages/compose.ts';
import { type QueueEdge, queueMessage } from '../messages/queue.ts';
import { sendErrors } from '../messages/routes.ts';
import { botchatRequest, queued, rcsRequest, smsRequest, waRequest } from '../messages/schema.ts';
import { findMessages } from '../messages/store.ts';
import { findContactOf } from './conversation-store.ts';
import { conversationNotFound } from './desk.ts';
import type { InboxEdge } from './edge.ts';
import { type InboxHooks, isPerson } from './intake.ts';
import { findLastApp } from './message-store.ts';
import { tag } from './query.ts';
import { params } from './schema.ts';

export interface ReplyEdge extends InboxEdge {
  readonly queue: QueueEdge;
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

export function replyRoutes(edge: ReplyEdge): AnyRoute[] {
  return [replyRoute(edge)];
}

function replyRoute(edge: ReplyEdge) {
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
    limit: 'submit',
    request: { params, body: replyRequest, headers: idempotencyHeaders },
    responses: { 202: { description: 'It is kept, and will be sent.', schema: queued } },
    errors: ['conversation_not_found', ...sendErrors],
    handler: async ({ params: { id }, body, headers, principal }) => {
      const place = placeOf(principal);
      const contactId = await edge.db.tenant(place.tenantId, (tx) => findContactOf(tx, place, id));
      if (contactId === undefined) throw conversationNotFound(id);
      const { channel, appId: app, address } = await routeOf(edge, place, contactId, body);
      const key = onceOf(`POST ${path} ${id}`, headers, body);
      const sent = await queueMessage(edge.queue, place, {
        ...{ channel, appId: app, to: { contactId, address } },
        asked: askedOf(channel, contactId, body),
        ...{ replyTo: body.reply_to, author: principal.id },
        ...(key === undefined ? {} : { key }),
      });
      if (!sent.isReplay && !isPerson(principal.id)) await answer(edge, place, contactId, sent.id);
      return {
        status: 202,
        body: { message_id: sent.id, status: sent.status },
        ...(sent.isReplay ? { headers: { 'idempotency-replayed': 'true' } } : {}),
      };
    },
  });
}

/** What a key sends from here is an answer too; what a member sends was counted when it was kept. */
async function answer(
  { db, hooks }: ReplyEdge,
  place: Place,
  contactId: string,
  messageId: string,
): Promise<void> {
  await db.tenant(place.tenantId, async (tx) => {
    const [row] = await findMessages(tx, place, [messageId]);
    if (row !== undefined) await hooks.answered(tx, place, { ...row, contact_id: contactId });
  });
}

type Body = z.output<typeof replyRequest>;

/** Where the person is answered: where they wrote, from the address they used, unless told otherwise. */
async function routeOf(
  { db }: ReplyEdge,
  place: Place,
  contactId: string,
  { channel, app_id }: Body,
): Promise<{ channel: Channel; appId: string | undefined; address: string | undefined }> {
  const last = await db.tenant(place.tenantId, (tx) => findLastApp(tx, place, contactId, channel));
  const chosen = channel ?? last?.channel;
  if (chosen === undefined) throw invalid('channel', 'is needed: the person has written on none');
  return { channel: chosen, appId: app_id ?? last?.app_id, address: last?.address };
}

interface Kind<Schema extends z.ZodType> {
  readonly schema: Schema;
  readonly asked: (body: z.output<Schema>) => Asked;
}
const kind = <Schema extends z.ZodType>(
  schema: Schema,
  asked: (body: z.output<Schema>) => Asked,
): Kind<Schema> => ({ schema, asked });

const kinds = {
  wa: kind(waRequest, askedOfWa),
  sms: kind(smsRequest, askedOfSms),
  botchat: kind(botchatRequest, askedOfBotchat),
  rcs: kind(rcsRequest, askedOfRcs),
};

/** The message in the words of the channel's own request, checked by its schema. */
function askedOf(channel: Channel, contactId: string, { text, message }: Body): Asked {
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
