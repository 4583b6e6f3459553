import { faultsOf } from '@drawbridge/messaging/content-check.ts';
import type { ContentLimits, OutboundMessage } from '@drawbridge/messaging/message.ts';
import type { Encoding } from './contract.ts';

const idPattern = /^[A-Za-z0-9_-]{1,64}$/;

/** Refuses what exceeds the channel's limits; undefined when the message is within them. */
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
