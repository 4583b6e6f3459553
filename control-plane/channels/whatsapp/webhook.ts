import { createHmac } from 'node:crypto';
import type { Status } from '@drawbridge/messaging/status.ts';
import { isEqualSecret } from '../../platform/secrets/secret-equality.ts';
import type { App, ChannelEvent, EventReading, Verification, WebhookRequest } from '../contract.ts';
import {
  given,
  type JsonObject,
  jsonOf,
  objectsOf,
  rowOf,
  secondsOf,
  textOf,
  within,
} from '../untrusted-input.ts';
import { accountEvent } from './account.ts';
import { failureOf } from './errors.ts';
import { personOf, readInbound } from './inbound.ts';
import type { Settings } from './settings.ts';
import { templateEvent } from './templates.ts';

/** Checks `X-Hub-Signature-256` over the raw bytes; a GET asks for the challenge back. */
export function verify(request: WebhookRequest, app: App<Settings>): Verification {
  if (request.method === 'GET') return handshake(request.url, app.settings.verify_token);
  const digest = createHmac('sha256', app.settings.app_secret).update(request.body).digest('hex');
  return isEqualSecret(request.headers['x-hub-signature-256'], `sha256=${digest}`)
    ? { kind: 'ok' }
    : { kind: 'refused', status: 401, reason: 'the signature does not match' };
}

function handshake(url: string, verifyToken: string): Verification {
  const query = new URL(url).searchParams;
  const isAsked = query.get('hub.mode') === 'subscribe';
  const challenge = query.get('hub.challenge');
  const isKnown = isEqualSecret(query.get('hub.verify_token') ?? undefined, verifyToken);
  // The challenge is echoed, so only characters that the network sends may come back out.
  return isAsked && isKnown && challenge !== null && /^[\w.-]{1,200}$/.test(challenge)
    ? { kind: 'answer', body: challenge }
    : { kind: 'refused', status: 403, reason: 'the verify token is wrong' };
}

/** All events in a batch; an unknown field or type is skipped. */
export function events({ body }: WebhookRequest): EventReading {
  const envelope = jsonOf(body);
  if (envelope === undefined) return { kind: 'malformed', reason: 'not a JSON object' };
  const events = objectsOf(envelope.entry).flatMap((entry) =>
    objectsOf(entry.changes).flatMap((change) => readChange(change, textOf(entry.id))),
  );
  return { kind: 'events', events };
}

function readChange(change: JsonObject, account: string | undefined): readonly ChannelEvent[] {
  const value = within(change, 'value');
  const number = given({ number: textOf(within(value, 'metadata').phone_number_id) });
  return readValue(change, value, account).map((event) => ({ ...event, ...number }));
}

function readValue(
  change: JsonObject,
  value: JsonObject,
  account: string | undefined,
): readonly ChannelEvent[] {
  const field = textOf(change.field) ?? '';
  switch (field) {
    case 'messages':
      return [...objectsOf(value.statuses).flatMap(readStatus), ...readInbound(value)];
    case 'message_template_status_update':
    case 'message_template_quality_update':
    case 'template_category_update':
      return templateEvent(value, account);
    case 'user_preferences':
      return objectsOf(value.user_preferences).flatMap((each) => readPreference(each, value));
    case 'account_update':
    case 'account_alerts':
    case 'phone_number_quality_update':
    case 'business_capability_update':
      return [accountEvent(value, field, account)];
    default:
      return [];
  }
}

const statuses: Readonly<Record<string, Status>> = {
  sent: 'sent',
  delivered: 'delivered',
  read: 'read',
  played: 'read',
  failed: 'failed',
};

function readStatus(from: JsonObject): readonly ChannelEvent[] {
  const providerId = textOf(from.id);
  const word = textOf(from.status) ?? '';
  const status = rowOf(statuses, word);
  if (providerId === undefined || status === undefined) return [];
  const [error] = objectsOf(from.errors);
  const pricing = within(from, 'pricing');
  const category = textOf(pricing.category);
  return [
    {
      kind: 'report',
      providerId,
      status,
      ...given({
        messageId: textOf(from.biz_opaque_callback_data),
        at: secondsOf(from.timestamp),
        failure: error === undefined ? undefined : failureOf(error),
        pricing:
          category === undefined ? undefined : { category, isBillable: pricing.billable === true },
      }),
    },
  ];
}

function readPreference(from: JsonObject, value: JsonObject): readonly ChannelEvent[] {
  const person = personOf(textOf(from.wa_id), textOf(from.user_id), objectsOf(value.contacts));
  const word = textOf(from.value);
  if (person === undefined || (word !== 'stop' && word !== 'resume')) return [];
  return [
    {
      kind: 'consent',
      person,
      change: word === 'stop' ? 'stop' : 'start',
      scope: 'marketing',
      ...given({ at: secondsOf(from.timestamp) }),
    },
  ];
}
