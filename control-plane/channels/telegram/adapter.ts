import type { App, Channel, WireRequest } from '../contract.ts';
import { refusalOf, refuse } from '../refusals.ts';
import { jsonOf, textOf, within } from '../untrusted-input.ts';
import { content, encodeContent, payloadBytesMax, payloadsOf } from './content.ts';
import { errorOutcome } from './errors.ts';
import { media } from './media.ts';
import { type Settings, settings } from './settings.ts';
import { events, idOf, verify } from './webhook.ts';

/** The updates we subscribe to; the network neither sends nor keeps others. */
const updates = ['message', 'callback_query', 'my_chat_member'];
const connectionsMax = 40;

/** Telegram through the Bot API. */
export const telegram: Channel<Settings> = {
  id: 'telegram',
  title: 'Telegram Bot API',
  channel: 'botchat',
  settings,
  endpoint: 'https://api.telegram.org',
  content,
  access: 'started',
  guarantee: { kind: 'at-most-once-unknown', reportsCarryOurId: false },
  farthest: 'sent', // Telegram has no receipts
  reportsWithinMs: 0,
  webhookProof: 'secret',
  verify,
  events,
  media,

  limits: () => ({ app: { count: 30, perMs: 1_000 }, pair: { count: 1, perMs: 1_000 } }),

  encode(message, app) {
    const refusal = refusalOf(message, content);
    if (refusal !== undefined) return refusal;
    if (message.to.kind !== 'user' || !/^-?\d{1,15}$/.test(message.to.id)) {
      return refuse('recipient_unsupported', 'a bot writes to chats, not to numbers');
    }
    const call = encodeContent(message.content);
    if (call === undefined) return refuse('content_unsupported', message.content.kind);
    if (payloadsOf(call).some((each) => Buffer.byteLength(each) > payloadBytesMax)) {
      return refuse('content_too_long', `a button carries at most ${payloadBytesMax} bytes`);
    }
    // Message ids are unique within a chat only: the part before the colon is the chat's id.
    const answered = Number(message.replyTo?.split(':').at(-1));
    const fields = {
      chat_id: Number(message.to.id),
      ...call.fields,
      ...(Number.isInteger(answered)
        ? { reply_parameters: { message_id: answered, allow_sending_without_reply: true } }
        : {}),
    };
    return { kind: 'request', request: post(app, call.method, fields) };
  },

  decode(response, now) {
    const body = jsonOf(response.body);
    if (body?.ok !== true || response.status !== 200) return errorOutcome(response, now);
    const result = within(body, 'result');
    const [chat, id] = [textOf(within(result, 'chat').id), textOf(result.message_id)];
    return chat === undefined || id === undefined
      ? { kind: 'unknown', reason: 'no message in the answer' }
      : { kind: 'accepted', providerId: idOf(chat, id) };
  },

  connect(app, answers) {
    if (answers.length > 0) return { kind: 'done' };
    const request = post(app, 'setWebhook', {
      url: app.callbackUrl,
      secret_token: app.settings.webhook_secret,
      max_connections: connectionsMax,
      allowed_updates: updates,
    });
    return { kind: 'request', request };
  },
};

function post(
  app: App<Settings>,
  method: string,
  fields: Readonly<Record<string, unknown>>,
): WireRequest {
  return {
    method: 'POST',
    url: `${app.endpoint}/bot${app.settings.bot_token}/${method}`,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(fields),
  };
}
