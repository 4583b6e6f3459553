import { digitsOf } from '@drawbridge/messaging/phone.ts';
import { segmentsOf } from '@drawbridge/messaging/sms-segments.ts';
import type { Channel } from '../contract.ts';
import { outcomeOfStatus } from '../http-outcome.ts';
import { smsLimits, smsOf } from '../sms-content.ts';
import { given, jsonOf, objectsOf, textOf } from '../untrusted-input.ts';
import { refusalOfStatus } from './errors.ts';
import { type Settings, settings } from './settings.ts';
import { signatureOf } from './signature.ts';
import { events, verify } from './webhook.ts';

const content = smsLimits(3_200);
const ttlMs = { min: 20_000, max: 604_800_000 };

/** SMS through Vonage; every call is signed, so the account's secret is not sent. */
export const vonageSms: Channel<Settings> = {
  id: 'vonage-sms',
  title: 'Vonage',
  channel: 'sms',
  settings,
  endpoint: 'https://rest.nexmo.com',
  content,
  access: 'anyone',
  guarantee: { kind: 'at-most-once-unknown', reportsCarryOurId: true },
  farthest: 'delivered',
  webhookProof: 'signature',
  verify,
  events,
  consoleHelp:
    'In the Vonage dashboard: Numbers, Your numbers, Edit, SMS, Inbound webhook URL. Under API ' +
    'settings choose POST-JSON or POST, and sign webhooks with the method of the settings. Reports ' +
    'need nothing: each message says where they go.',

  limits: (app) => ({ app: { count: Number(app.settings.messages_per_second), perMs: 1_000 } }),

  encode(message, app, { now }) {
    const sms = smsOf(message, content);
    if (sms.kind !== 'sms') return sms;
    const { text } = sms;
    const ttl = message.ttlSeconds;
    const fields = given({
      api_key: app.settings.api_key,
      from: digitsOf(app.settings.from),
      to: digitsOf(sms.phone),
      text,
      type: segmentsOf(text).alphabet === 'gsm7' ? 'text' : 'unicode',
      ttl:
        ttl === undefined
          ? undefined
          : String(Math.min(Math.max(ttl * 1_000, ttlMs.min), ttlMs.max)),
      'status-report-req': '1',
      callback: `${app.callbackUrl}dlr/`,
      'client-ref': message.id,
      'entity-id': message.registration?.entityId,
      'content-id': message.registration?.templateId,
      timestamp: String(Math.floor(now.getTime() / 1_000)),
    }) as Readonly<Record<string, string>>;
    const signed = { ...fields, sig: signatureOf(fields, app.settings) };
    const request = {
      method: 'POST',
      url: `${app.endpoint}/sms/json`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(signed).toString(),
    } as const;
    return { kind: 'request', request };
  },

  decode(response, now) {
    const [part] = objectsOf(jsonOf(response.body)?.messages);
    const status = textOf(part?.status);
    if (response.status !== 200) {
      const detail = `HTTP ${response.status}`;
      return outcomeOfStatus(response, now, { code: String(response.status), detail });
    }
    if (status === undefined) return { kind: 'unknown', reason: 'no status in the answer' };
    if (status !== '0') return refusalOfStatus(status, textOf(part?.['error-text']) ?? status);
    const providerId = textOf(part?.['message-id']);
    return providerId === undefined
      ? { kind: 'unknown', reason: 'no message-id in the answer' }
      : { kind: 'accepted', providerId };
  },
};
