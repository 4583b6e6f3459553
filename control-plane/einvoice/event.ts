import type { WebhookPayload } from '@drawbridge/webhooks/events.ts';
import type { Environment } from '../platform/auth/principal.ts';
import { newId, type RandomBytes } from '../platform/ids.ts';
import type { NewEvent } from '../webhooks/store.ts';

/** When something happened, and what an event's id is made of. */
export interface Moment {
  readonly now: Date;
  readonly random: RandomBytes;
}

/** An event of an invoice or of a supplier's document. */
export function einvoiceEvent(
  { id, environment }: { readonly id: string; readonly environment: Environment },
  { event, profile, uin, data }: Pick<WebhookPayload, 'event' | 'profile' | 'uin' | 'data'>,
  { now, random }: Moment,
): NewEvent {
  const payload: WebhookPayload = {
    event,
    id,
    ...(profile === undefined ? {} : { profile }),
    ...(uin === undefined ? {} : { uin }),
    timestamp: now.toISOString(),
    ...(data === undefined ? {} : { data }),
  };
  return {
    id: newId('evt', () => now, random),
    environment,
    service: 'einvoice',
    type: event,
    subject_id: id,
    payload: JSON.stringify(payload),
    created_at: now,
  };
}
