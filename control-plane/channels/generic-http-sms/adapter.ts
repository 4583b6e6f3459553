import { digitsOf } from '@drawbridge/messaging/phone.ts';
import type { Channel } from '../contract.ts';
import { refuse } from '../refusals.ts';
import { reportUrl, smsLimits, smsOf } from '../sms-content.ts';
import { jsonOf, objectsOf, textOf, within } from '../untrusted-input.ts';
import { errorOutcome } from './errors.ts';
import { type Settings, settings } from './settings.ts';
import { events, verify } from './webhook.ts';

const content = smsLimits(1_600);

/** SMS through any gateway that takes one POST for each message. */
export const genericHttpSms: Channel<Settings> = {
  id: 'generic-http-sms',
  title: 'Simple SMS gateway',
  channel: 'sms',
  settings,
  endpoint: '', // the settings of each app have the gateway's address
  content,
  access: 'anyone',
  guarantee: { kind: 'at-most-once-unknown', reportsCarryOurId: true },
  farthest: 'delivered',
  webhookProof: 'signature',
  verify,
  events,
  consoleHelp: 'At your gateway. Reports need nothing: each message says where they go.',

  limits: (app) => ({ app: { count: Number(app.settings.messages_per_second), perMs: 1_000 } }),

  encode(message, app) {
    const sms = smsOf(message, content);
    if (sms.kind !== 'sms') return sms;
    const { settings: mine } = app;
    const base = app.endpoint === '' ? mine.base_url : app.endpoint;
    if (base === undefined) return refuse('settings_incomplete', 'base_url is not set');
    const { phone } = sms;
    const fields = {
      [mine.to_field]: mine.number_format === 'digits' ? digitsOf(phone) : phone,
      [mine.from_field]: mine.from,
      [mine.text_field]: sms.text,
      [mine.reference_field]: message.id,
      [mine.report_url_field]: reportUrl(app, message.id),
    };
    const isJson = mine.format === 'json';
    const type = isJson ? 'application/json' : 'application/x-www-form-urlencoded';
    const request = {
      method: 'POST',
      url: base + mine.path,
      headers: { [mine.auth_header]: mine.auth_value, 'content-type': type },
      body: isJson ? JSON.stringify(fields) : new URLSearchParams(fields).toString(),
    } as const;
    return { kind: 'request', request };
  },

  decode(response, now) {
    if (response.status < 200 || response.status > 299) return errorOutcome(response, now);
    const body = jsonOf(response.body);
    const [first] = objectsOf(body?.messages);
    // Gateways use a few names for their id; all of them are tried.
    const providerId =
      textOf(body?.id) ??
      textOf(body?.message_id) ??
      textOf(within(body, 'data').id) ??
      textOf(first?.id);
    return providerId === undefined
      ? { kind: 'unknown', reason: 'no id in the answer' }
      : { kind: 'accepted', providerId };
  },
};
