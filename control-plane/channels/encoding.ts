import { faultsOf } from '@drawbridge/messaging/content-check.ts';
import type { ContentLimits, OutboundMessage } from '@drawbridge/messaging/message.ts';
import type { Encoding } from './contract.ts';

const idPattern = /^[A-Za-z0-9_-]{1,64}$/;

/** Refuses what the channel's limits do not let through; undefined when all is well. */
export function refusalOf(message: OutboundMessage, limits: ContentLimits): Encoding | undefined {
  if (!idPattern.test(message.id)) throw new Error('a message id is 1 to 64 of [A-Za-z0-9_-]');
  const [fault] = faultsOf(message.content, limits);
  if (fault === undefined) return undefined;
  return refuse(`content_${fault.code}`, `${fault.field}: ${fault.message}`);
}

/** A refusal before anything is sent. */
export function refuse(code: string, detail: string): Encoding {
  return { kind: 'refused', code, detail };
}

/** `Authorization` of HTTP Basic. */
export function basic(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}
