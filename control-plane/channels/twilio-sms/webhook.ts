import { fromDigits } from '@drawbridge/messaging/phone.ts';
import type { Status } from '@drawbridge/messaging/status.ts';
import type { App, ChannelEvent, EventReading, Verification, WebhookRequest } from '../contract.ts';
import { inboundSms, reportedId, type SmsFile } from '../sms-content.ts';
import { isSigned } from '../twilio-signature.ts';
import { fieldsOf, given, rowOf } from '../untrusted-input.ts';
import { failureOf } from './errors.ts';
import type { Settings } from './settings.ts';

export function verify(request: WebhookRequest, app: App<Settings>): Verification {
  return isSigned(request, app.settings.auth_token)
    ? { kind: 'ok' }
    : { kind: 'refused', status: 401, reason: 'the signature does not match' };
}

const statuses: Readonly<Record<string, Status>> = {
  accepted: 'sending',
  scheduled: 'sending',
  queued: 'sending',
  sending: 'sending',
  sent: 'sent',
  partially_delivered: 'sent',
  delivered: 'delivered',
  read: 'read',
  undelivered: 'failed',
  failed: 'failed',
  canceled: 'canceled',
};

/** Our status for Twilio's status. */
export function statusOf(word: string | null): Status | undefined {
  return rowOf(statuses, word ?? undefined);
}

/** A delivery report, or a message; both are forms. */
export function events(request: WebhookRequest): EventReading {
  const fields = fieldsOf(request.url, request.body);
  const providerId = fields.get('MessageSid') ?? fields.get('SmsSid');
  if (!providerId) return { kind: 'malformed', reason: 'no MessageSid' };
  const status = statusOf(fields.get('MessageStatus'));
  if (status === undefined) return { kind: 'events', events: inbound(providerId, fields) };
  const code = fields.get('ErrorCode') || undefined;
  const report = given({
    messageId: reportedId(request.url),
    failure: code === undefined || code === '0' ? undefined : failureOf(code),
  });
  return { kind: 'events', events: [{ kind: 'report', providerId, status, ...report }] };
}

function inbound(providerId: string, fields: URLSearchParams): readonly ChannelEvent[] {
  const phone = fromDigits(fields.get('From')?.replace(/^\w+:/, ''));
  const to = fields.get('To');
  if (phone === undefined || !to) return [];
  const text = fields.get('Body') ?? '';
  const written = inboundSms({ providerId, phone, to }, text, filesOf(fields));
  // Where Twilio keeps opt-outs itself, it reports what it made of the message.
  const change = rowOf({ STOP: 'stop', START: 'start' } as const, fields.get('OptOutType') ?? '');
  if (change === undefined) return written;
  return [...written, { kind: 'consent', person: { phone }, change, scope: 'all' }];
}

/** A message holds at most ten files. */
const filesMax = 10;

function filesOf(fields: URLSearchParams): SmsFile[] {
  return Array.from({ length: filesMax }, (_, at) => {
    const url = fields.get(`MediaUrl${at}`) || undefined;
    const mimeType = fields.get(`MediaContentType${at}`) ?? undefined;
    return url === undefined ? undefined : { url, ...given({ mimeType }) };
  }).filter((file) => file !== undefined);
}
