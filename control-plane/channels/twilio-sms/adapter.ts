import { basicAuthorization } from '../basic-authorization.ts';
import type { Channel } from '../contract.ts';
import { reportUrl, smsLimits, smsOf } from '../sms-content.ts';
import { retries } from '../twilio-signature.ts';
import { given, jsonOf, textOf } from '../untrusted-input.ts';
import { connect } from './connect.ts';
import { errorOutcome, failureOf } from './errors.ts';
import { media } from './media.ts';
import { type Settings, settings } from './settings.ts';
import { events, statusOf, verify } from './webhook.ts';

const content = smsLimits(1_600);
const validityMax = 36_000;

/** SMS through Twilio. */
export const twilioSms: Channel<Settings> = {
  id: 'twilio-sms',
  title: 'Twilio',
  channel: 'sms',
  settings,
  endpoint: 'https://api.twilio.com',
  content,
  access: 'anyone',
  guarantee: { kind: 'at-most-once-unknown', reportsCarryOurId: true },
  farthest: 'delivered',
  webhookProof: 'signature',
  verify,
  events,
  media,
  connect,

  limits: (app) => ({ app: { count: Number(app.settings.messages_per_second), perMs: 1_000 } }),

  encode(message, app) {
    const sms = smsOf(message, content);
    if (sms.kind !== 'sms') return sms;
    const { account_sid, auth_token, from, messaging_service_sid } = app.settings;
    const fields = given({
      To: sms.phone,
      From: from,
      MessagingServiceSid: messaging_service_sid,
      Body: sms.text,
      StatusCallback: reportUrl(app, message.id) + retries,
      ValidityPeriod:
        message.ttlSeconds === undefined
          ? undefined
          : String(Math.min(Math.max(Math.floor(message.ttlSeconds), 1), validityMax)),
    });
    const request = {
      method: 'POST',
      url: `${app.endpoint}/2010-04-01/Accounts/${account_sid}/Messages.json`,
      headers: {
        authorization: basicAuthorization(account_sid, auth_token),
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: new URLSearchParams(fields as Record<string, string>).toString(),
    } as const;
    return { kind: 'request', request };
  },

  decode(response, now) {
    if (response.status !== 201) return errorOutcome(response, now);
    const providerId = textOf(jsonOf(response.body)?.sid);
    if (providerId === undefined) return { kind: 'unknown', reason: 'no sid in the answer' };
    return { kind: 'accepted', providerId };
  },

  lookUp: {
    request: (providerId, app) => ({
      method: 'GET',
      url:
        `${app.endpoint}/2010-04-01/Accounts/${app.settings.account_sid}` +
        `/Messages/${encodeURIComponent(providerId)}.json`,
      headers: {
        authorization: basicAuthorization(app.settings.account_sid, app.settings.auth_token),
      },
    }),
    read(response) {
      const body = jsonOf(response.body);
      const providerId = textOf(body?.sid);
      const status = statusOf(textOf(body?.status) ?? null);
      if (response.status !== 200 || providerId === undefined || status === undefined) {
        return undefined;
      }
      const code = textOf(body?.error_code);
      const failure = code === undefined ? {} : { failure: failureOf(code) };
      return { kind: 'report', providerId, status, ...failure };
    },
  },
};
