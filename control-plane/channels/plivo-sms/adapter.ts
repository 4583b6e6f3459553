import { digitsOf } from '@drawbridge/messaging/phone.ts';
import { basicAuthorization } from '../basic-authorization.ts';
import type { Channel } from '../contract.ts';
import { reportUrl, smsLimits, smsOf } from '../sms-content.ts';
import { given, jsonOf, textOf } from '../untrusted-input.ts';
import { connect } from './connect.ts';
import { errorOutcome } from './errors.ts';
import { type Settings, settings } from './settings.ts';
import { events, verify } from './webhook.ts';

const content = smsLimits(1_600);

/** SMS through Plivo. */
export const plivoSms: Channel<Settings> = {
  id: 'plivo-sms',
  title: 'Plivo',
  channel: 'sms',
  settings,
  endpoint: 'https://api.plivo.com',
  content,
  access: 'anyone',
  guarantee: { kind: 'at-most-once-unknown', reportsCarryOurId: true },
  farthest: 'delivered',
  webhookProof: 'signature',
  verify,
  events,
  connect,
  media: { file: (url) => ({ method: 'GET', url, headers: {} }) },

  limits: (app) => ({ app: { count: Number(app.settings.messages_per_second), perMs: 1_000 } }),

  encode(message, app) {
    const sms = smsOf(message, content);
    if (sms.kind !== 'sms') return sms;
    const { auth_id, auth_token, from } = app.settings;
    const request = {
      method: 'POST',
      url: `${app.endpoint}/v1/Account/${auth_id}/Message/`,
      headers: {
        authorization: basicAuthorization(auth_id, auth_token),
        'content-type': 'application/json',
      },
      body: JSON.stringify(
        given({
          src: from,
          dst: digitsOf(sms.phone),
          text: sms.text,
          type: 'sms',
          url: reportUrl(app, message.id),
          method: 'POST',
          message_expiry: message.ttlSeconds,
          dlt_entity_id: message.registration?.entityId,
          dlt_template_id: message.registration?.templateId,
        }),
      ),
    } as const;
    return { kind: 'request', request };
  },

  decode(response, now) {
    if (response.status !== 202) return errorOutcome(response, now);
    const ids = jsonOf(response.body)?.message_uuid;
    const providerId = Array.isArray(ids) ? textOf(ids[0]) : undefined;
    if (providerId === undefined) return { kind: 'unknown', reason: 'no message_uuid' };
    return { kind: 'accepted', providerId };
  },
};
