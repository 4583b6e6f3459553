import { createHmac } from 'node:crypto';
import { fromDigits } from '@drawbridge/messaging/phone.ts';
import type { Status } from '@drawbridge/messaging/status.ts';
import { isEqualSecret } from '../../platform/secrets/secret-equality.ts';
import type {
  App,
  ChannelEvent,
  EventReading,
  Failure,
  InboundContent,
  Verification,
  WebhookRequest,
} from '../contract.ts';
import {
  given,
  instantOf,
  type JsonObject,
  jsonOf,
  rowOf,
  textOf,
  within,
} from '../untrusted-input.ts';
import type { Settings } from './settings.ts';

/**
 * Checks `X-Goog-Signature` over the decoded data; a body with our token and a secret is a test of
 * the address.
 */
export function verify(request: WebhookRequest, app: App<Settings>): Verification {
  const token = app.settings.client_token;
  const body = jsonOf(request.body);
  const secret = textOf(body?.secret);
  if (secret !== undefined && body?.message === undefined) {
    return isEqualSecret(textOf(body?.clientToken), token) && /^[\w.-]{1,256}$/.test(secret)
      ? { kind: 'answer', body: secret }
      : { kind: 'refused', status: 403, reason: 'the client token is wrong' };
  }
  const data = dataOf(body);
  const digest =
    data === undefined ? undefined : createHmac('sha512', token).update(data).digest('base64');
  return digest !== undefined && isEqualSecret(request.headers['x-goog-signature'], digest)
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
  const body = data === undefined ? undefined : jsonOf(data);
  if (body === undefined) return { kind: 'malformed', reason: 'no data in the envelope' };
  return { kind: 'events', events: [...readEvent(body), ...readMessage(body)] };
}

const statuses: Readonly<Record<string, Status>> = {
  DELIVERED: 'delivered',
  READ: 'read',
  // The message was withdrawn unread: only now may another channel carry it.
  TTL_EXPIRATION_REVOKED: 'expired',
  // It may still arrive, so it stays with the network.
  TTL_EXPIRATION_REVOKE_FAILED: 'sent',
};

const failures: Readonly<Record<string, Failure>> = {
  TTL_EXPIRATION_REVOKED: {
    code: 'TTL_EXPIRATION_REVOKED',
    detail: 'not delivered in time, and withdrawn',
    action: 'next-channel',
  },
  TTL_EXPIRATION_REVOKE_FAILED: {
    code: 'TTL_EXPIRATION_REVOKE_FAILED',
    detail: 'not delivered in time, and could not be withdrawn: it may still arrive',
    action: 'fail',
  },
};

/** Google Messages has buttons for these; what is not essential may no longer be sent, or may again. */
const consents = { UNSUBSCRIBE: 'stop', SUBSCRIBE: 'start' } as const;

function readEvent(body: JsonObject): readonly ChannelEvent[] {
  const word = textOf(body.eventType) ?? '';
  const at = instantOf(body.sendTime);
  const change = rowOf(consents, word);
  const phone = fromDigits(textOf(body.senderPhoneNumber));
  if (change !== undefined && phone !== undefined) {
    return [{ kind: 'consent', person: { phone }, change, scope: 'marketing', ...given({ at }) }];
  }
  const providerId = textOf(body.messageId);
  const status = rowOf(statuses, word);
  if (providerId === undefined || status === undefined) return [];
  const more = given({ at, failure: rowOf(failures, word) });
  return [{ kind: 'report', providerId, messageId: providerId, status, ...more }];
}

function readMessage(body: JsonObject): readonly ChannelEvent[] {
  const phone = fromDigits(textOf(body.senderPhoneNumber));
  const providerId = textOf(body.messageId);
  const content = contentOf(body);
  if (phone === undefined || providerId === undefined || content === undefined) return [];
  const more = given({ to: textOf(body.agentId), at: instantOf(body.sendTime) });
  return [{ kind: 'inbound', providerId, from: { phone }, content, ...more }];
}

function contentOf(body: JsonObject): InboundContent | undefined {
  if (body.eventType !== undefined) return undefined;
  const text = textOf(body.text);
  if (text !== undefined) return { kind: 'text', text };
  if (body.suggestionResponse !== undefined) {
    const tap = within(body, 'suggestionResponse');
    const label = textOf(tap.text) ?? '';
    return { kind: 'choice', payload: textOf(tap.postbackData) ?? label, text: label };
  }
  if (body.userFile !== undefined) return fileOf(within(within(body, 'userFile'), 'payload'));
  const { latitude, longitude } = within(body, 'location');
  if (typeof latitude === 'number' && typeof longitude === 'number') {
    return { kind: 'location', location: { latitude, longitude } };
  }
  return { kind: 'unsupported', what: Object.keys(body).join(' ') };
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
