import { fromDigits } from '@drawbridge/messaging/phone.ts';
import type { Status } from '@drawbridge/messaging/status.ts';
import type { App, ChannelEvent, EventReading, Verification, WebhookRequest } from '../contract.ts';
import { given, instantOf, jsonOf, numberOf, rowOf, textOf } from '../untrusted-input.ts';
import { failureOf } from './errors.ts';
import type { Settings } from './settings.ts';
import { isSigned } from './signature.ts';

export function verify(request: WebhookRequest, app: App<Settings>): Verification {
  return isSigned(fieldsOf(request), app.settings)
    ? { kind: 'ok' }
    : { kind: 'refused', status: 401, reason: 'the signature does not match' };
}

/** The account chooses the form of its webhooks: a query, a form or JSON. */
function fieldsOf({ method, url, headers, body }: WebhookRequest): Record<string, string> {
  if (method === 'GET') return URL.canParse(url) ? rowsOf(new URL(url).searchParams) : {};
  if (!/json/.test(headers['content-type'] ?? '')) {
    return rowsOf(new URLSearchParams(Buffer.from(body).toString()));
  }
  const rows = Object.entries(jsonOf(body) ?? {});
  return Object.fromEntries(rows.map(([name, value]) => [name, textOf(value) ?? '']));
}

function rowsOf(fields: URLSearchParams): Record<string, string> {
  return Object.fromEntries(fields);
}

const statuses: Readonly<Record<string, Status>> = {
  accepted: 'sent',
  buffered: 'sent',
  unknown: 'sent',
  delivered: 'delivered',
  expired: 'expired',
  failed: 'failed',
  rejected: 'failed',
};

/** A delivery report, or a message. */
export function events(request: WebhookRequest): EventReading {
  const fields = fieldsOf(request);
  const providerId = textOf(fields.messageId);
  if (providerId === undefined) return { kind: 'malformed', reason: 'no messageId' };
  const word = fields.status ?? '';
  const status = rowOf(statuses, word);
  const at = timeOf(fields['message-timestamp']);
  if (status === undefined) return { kind: 'events', events: inbound(providerId, fields, at) };
  const code = textOf(fields['err-code']);
  const more = given({
    messageId: textOf(fields['client-ref']),
    at,
    failure: code === undefined || code === '0' ? undefined : failureOf(code),
  });
  return { kind: 'events', events: [{ kind: 'report', providerId, status, ...more }] };
}

function inbound(
  providerId: string,
  fields: Readonly<Record<string, string>>,
  at: Date | undefined,
): readonly ChannelEvent[] {
  const phone = fromDigits(fields.msisdn);
  const { to, text } = fields;
  if (phone === undefined || !to || text === undefined) return [];
  const reference = textOf(fields['concat-ref']);
  const index = numberOf(fields['concat-part']);
  const total = numberOf(fields['concat-total']);
  const isPart = fields.concat === 'true' && reference !== undefined;
  const part =
    isPart && index !== undefined && total !== undefined ? { reference, index, total } : undefined;
  const content = { kind: 'text', text } as const;
  const more = given({ at, part });
  return [{ kind: 'inbound', providerId, from: { phone }, to, content, ...more }];
}

/** Reads `2026-11-21 08:00:00`, which is UTC. */
function timeOf(text: string | undefined): Date | undefined {
  return text === undefined ? undefined : instantOf(`${text.replace(' ', 'T')}Z`);
}
