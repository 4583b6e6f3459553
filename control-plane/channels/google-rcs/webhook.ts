import { createHmac } from 'node:crypto';
import { fromDigits } from '@drawbridge/messaging/phone.ts';
import type { Status } from '@drawbridge/messaging/status.ts';
import type {
  App,
  ChannelEvent,
  EventReading,
  InboundContent,
  Verification,
  WebhookRequest,
} from '../contract.ts';
import { isSame } from '../proof.ts';
import { given, instantOf, type JsonObject, jsonOf, rowOf, textOf, within } from '../reading.ts';
import type { Settings } from './settings.ts';

/** `X-Goog-Signature` over the decoded data; a body with our token and a secret tries the address. */
export function verify(request: WebhookRequest, app: App<Settings>): Verification {
  const token = app.settings.client_token;
  const body = jsonOf(request.body);
  const secret = textOf(body?.secret);
  if (secret !== undefined && body?.message === undefined) {
    return isSame(textOf(body?.clientToken), token) && /^[\w.-]{1,256}$/.test(secret)
      ? { kind: 'answer', body: secret }
      : { kind: 'refused', status: 403, reason: 'the client token is wrong' };
  }
  const data = dataOf(body);
  const digest =
    data === undefined ? undefined : createHmac('sha512', token).update(data).digest('base64');
  return digest !== undefined && isSame(request.headers['x-goog-signature'], digest)
    ? { kind: 'ok' }
    : { kind: 'refused', status: 401, reason: 'the signature does not match' };
}

function dataOf(body: JsonObject | undefined): Buffer | undefined {
  const data = textOf(within(body, 'message').data);
  return data === undefined ? undefined : Buffer.from(data, 'base64');
}

/** One event or message in a Pub/Sub envelope. */
export function events(request: WebhookRequest): EventReading {
  const data = dataOf(jsonOf(request.body));
  const told = data === undefined ? undefined : jsonOf(data);
  if (told === undefined) return { kind: 'malformed', reason: 'no data in the envelope' };
  return { kind: 'events', events: [...readEvent(told), ...readMessage(told)] };
}

const statuses: Readonly<Record<string, Status>> = {
  DELIVERED: 'delivered',
  READ: 'read',
  // The message was taken back unread: now, and only now, another channel may carry it.
  TTL_EXPIRATION_REVOKED: 'expired',
};

function readEvent(told: JsonObject): readonly ChannelEvent[] {
  const word = textOf(told.eventType) ?? '';
  const providerId = textOf(told.messageId);
  const status = rowOf(statuses, word);
  if (providerId === undefined || status === undefined) return [];
  const failure = {
    code: word,
    detail: 'not delivered in time, and taken back',
    action: 'next-channel',
  } as const;
  const at = instantOf(told.sendTime);
  const more = given({ at, failure: status === 'expired' ? failure : undefined });
  return [{ kind: 'report', providerId, messageId: providerId, status, ...more }];
}

function readMessage(told: JsonObject): readonly ChannelEvent[] {
  const phone = fromDigits(textOf(told.senderPhoneNumber));
  const providerId = textOf(told.messageId);
  const content = contentOf(told);
  if (phone === undefined || providerId === undefined || content === undefined) return [];
  const more = given({ to: textOf(told.agentId), at: instantOf(told.sendTime) });
  return [{ kind: 'inbound', providerId, from: { phone }, content, ...more }];
}

function contentOf(told: JsonObject): InboundContent | undefined {
  if (told.eventType !== undefined) return undefined;
  const text = textOf(told.text);
  if (text !== undefined) return { kind: 'text', text };
  if (told.suggestionResponse !== undefined) {
    const tap = within(told, 'suggestionResponse');
    const label = textOf(tap.text) ?? '';
    return { kind: 'choice', payload: textOf(tap.postbackData) ?? label, text: label };
  }
  if (told.userFile !== undefined) return fileOf(within(within(told, 'userFile'), 'payload'));
  const { latitude, longitude } = within(told, 'location');
  if (typeof latitude === 'number' && typeof longitude === 'number') {
    return { kind: 'location', location: { latitude, longitude } };
  }
  return { kind: 'unsupported', what: Object.keys(told).join(' ') };
}

function fileOf(payload: JsonObject): InboundContent {
  const url = textOf(payload.fileUri);
  if (url === undefined) return { kind: 'unsupported', what: 'userFile' };
  const mimeType = textOf(payload.mimeType);
  const major = mimeType?.split('/')[0];
  const type = (['image', 'video', 'audio'] as const).find((each) => each === major);
  const more = given({ mimeType, filename: textOf(payload.fileName) });
  return { kind: 'media', type: type ?? 'document', source: { url }, ...more };
}
