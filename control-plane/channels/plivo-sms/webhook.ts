import { fromDigits } from '@drawbridge/messaging/phone.ts';
import type { Status } from '@drawbridge/messaging/status.ts';
import type { App, EventReading, Verification, WebhookRequest } from '../contract.ts';
import { isSigned } from '../plivo-signature.ts';
import { inboundSms, reportedId, type SmsFile } from '../sms-content.ts';
import { fieldsOf, given, rowOf } from '../untrusted-input.ts';
import { failureOf } from './errors.ts';
import type { Settings } from './settings.ts';

export function verify(request: WebhookRequest, app: App<Settings>): Verification {
  return isSigned(request, app.settings.auth_token)
    ? { kind: 'ok' }
    : { kind: 'refused', status: 401, reason: 'the signature does not match' };
}

const statuses: Readonly<Record<string, Status>> = {
  queued: 'sending',
  sent: 'sent',
  delivered: 'delivered',
  read: 'read',
  undelivered: 'failed',
  rejected: 'failed',
  failed: 'failed',
};

/** A delivery report, or a message; both are forms. */
export function events(request: WebhookRequest): EventReading {
  const fields = fieldsOf(request.url, request.body);
  const providerId = fields.get('ParentMessageUUID') || fields.get('MessageUUID');
  if (!providerId) return { kind: 'malformed', reason: 'no MessageUUID' };
  const word = fields.get('Status') ?? '';
  const status = rowOf(statuses, word);
  if (status !== undefined) {
    const code = fields.get('ErrorCode') || undefined;
    const isFailed = code !== undefined && code !== '000' && status === 'failed';
    const messageId = reportedId(request.url);
    const more = given({ messageId, failure: isFailed ? failureOf(code) : undefined });
    return { kind: 'events', events: [{ kind: 'report', providerId, status, ...more }] };
  }
  const phone = fromDigits(fields.get('From') ?? undefined);
  const to = fields.get('To');
  if (phone === undefined || !to) return { kind: 'events', events: [] };
  // An MMS has its text in `Body`.
  const text = fields.get('Text') || fields.get('Body') || '';
  return { kind: 'events', events: inboundSms({ providerId, phone, to }, text, filesOf(fields)) };
}

/** Up to ten files, counted from 0 or from 1, without their types. */
function filesOf(fields: URLSearchParams): SmsFile[] {
  const urls = Array.from({ length: 11 }, (_, at) => fields.get(`Media${at}`) ?? '');
  return urls.filter((url) => url !== '').map((url) => ({ url }));
}
