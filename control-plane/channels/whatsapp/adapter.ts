import { digitsOf } from '@drawbridge/messaging/phone.ts';
import type { Channel, Encoding, SendOutcome } from '../contract.ts';
import { refusalOf, refuse } from '../refusals.ts';
import { given, jsonOf, objectsOf, textOf } from '../untrusted-input.ts';
import { connect, health } from './account.ts';
import { content, encodeContent } from './content.ts';
import { errorOutcome } from './errors.ts';
import { media } from './media.ts';
import { type Settings, settings } from './settings.ts';
import { templates } from './templates.ts';
import { events, verify } from './webhook.ts';

const second = 1_000;

/** WhatsApp through the Cloud API. */
export const whatsapp: Channel<Settings> = {
  id: 'whatsapp',
  title: 'WhatsApp Cloud API',
  channel: 'wa',
  settings,
  endpoint: 'https://graph.facebook.com',
  content,
  access: 'service-window',
  // The network has no idempotency key, but its reports contain `biz_opaque_callback_data`.
  guarantee: { kind: 'at-most-once-unknown', reportsCarryOurId: true },
  farthest: 'read',
  reportsWithinMs: 7 * 24 * 3_600 * second, // webhooks are retried for this long
  webhookProof: 'signature',
  templates,
  health,
  media,
  verify,
  events,
  connect,

  limits: (app) => ({
    app: { count: Number(app.settings.throughput), perMs: second },
    pair: { count: 1, perMs: 6 * second, burst: 45 },
  }),

  encode(message, app): Encoding {
    const refusal = refusalOf(message, content);
    if (refusal !== undefined) return refusal;
    const body = encodeContent(message.content);
    if (body === undefined) return refuse('content_unsupported', message.content.kind);
    const { api_version, phone_number_id, access_token } = app.settings;
    const to =
      message.to.kind === 'phone'
        ? { to: digitsOf(message.to.phone) }
        : { recipient: message.to.id };
    const request = {
      method: 'POST',
      url: `${app.endpoint}/${api_version}/${phone_number_id}/messages`,
      headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        messaging_product: 'whatsapp',
        recipient_type: 'individual',
        ...to,
        ...given({
          context: message.replyTo === undefined ? undefined : { message_id: message.replyTo },
        }),
        ...body,
        biz_opaque_callback_data: message.id,
      }),
    } as const;
    return { kind: 'request', request };
  },

  decode(response, now): SendOutcome {
    if (response.status !== 200) return errorOutcome(response, now);
    const [message] = objectsOf(jsonOf(response.body)?.messages);
    const providerId = textOf(message?.id);
    if (providerId === undefined) return { kind: 'unknown', reason: 'no message id in the answer' };
    const status = textOf(message?.message_status) ?? 'accepted';
    return { kind: 'accepted', providerId, ...(status === 'accepted' ? {} : { held: status }) };
  },
};
