import { createHmac } from 'node:crypto';
import { fromDigits } from '@drawbridge/messaging/phone.ts';
import type { Status } from '@drawbridge/messaging/status.ts';
import { isEqualSecret } from '../../platform/secrets/secret-equality.ts';
import type { App, EventReading, Verification, WebhookRequest } from '../contract.ts';
import { reportedId } from '../sms-content.ts';
import { fieldsOf, given, type JsonObject, jsonOf, rowOf, textOf } from '../untrusted-input.ts';
import { failureOf } from './errors.ts';
import type { Settings } from './settings.ts';

export function verify(request: WebhookRequest, app: App<Settings>): Verification {
  // The signature of nothing is the same each time, and would prove whatever stands in the address.
  if (request.body.length === 0) return { kind: 'refused', status: 401, reason: 'it has no body' };
  const secret = app.settings.webhook_secret;
  const digest = createHmac('sha256', secret).update(request.body).digest('hex');
  return isEqualSecret(request.headers['x-signature'], `sha256=${digest}`)
    ? { kind: 'ok' }
    : { kind: 'refused', status: 401, reason: 'the signature does not match' };
}

/** Statuses that gateways use, including those of SMPP, in lower case. */
const statuses: Readonly<Record<string, Status>> = {
  queued: 'sending',
  accepted: 'sending',
  acceptd: 'sending',
  enroute: 'sent',
  sent: 'sent',
  submitted: 'sent',
  buffered: 'sent',
  unknown: 'sent',
  delivered: 'delivered',
  delivrd: 'delivered',
  read: 'read',
  failed: 'failed',
  undelivered: 'failed',
  undeliv: 'failed',
  rejected: 'failed',
  rejectd: 'failed',
  expired: 'expired',
  deleted: 'canceled',
  canceled: 'canceled',
};

/** A delivery report (it has `status`) or a message (it has `text`), as JSON or as a form. */
export function events(request: WebhookRequest): EventReading {
  const fields: JsonObject =
    jsonOf(request.body) ?? Object.fromEntries(fieldsOf(request.url, request.body));
  const providerId = textOf(fields.id) ?? textOf(fields.message_id);
  if (providerId === undefined) return { kind: 'malformed', reason: 'no id' };
  const word = (textOf(fields.status) ?? '').toLowerCase();
  const status = rowOf(statuses, word);
  if (status !== undefined) {
    const code = textOf(fields.error_code);
    const failure = failureOf(code ?? word, textOf(fields.error) ?? word);
    const more = given({
      messageId: textOf(fields.reference) ?? reportedId(request.url),
      failure: status === 'failed' ? failure : undefined,
    });
    return { kind: 'events', events: [{ kind: 'report', providerId, status, ...more }] };
  }
  const phone = fromDigits(textOf(fields.from));
  const text = textOf(fields.text);
  if (phone === undefined || text === undefined) return { kind: 'events', events: [] };
  const content = { kind: 'text', text } as const;
  const more = given({ to: textOf(fields.to) });
  const event = { kind: 'inbound', providerId, from: { phone }, content, ...more } as const;
  return { kind: 'events', events: [event] };
}
