import { eventOf, type State } from '@drawbridge/lifecycle/transitions.ts';
import type { WebhookPayload } from '@drawbridge/webhooks/events.ts';
import { newId, type RandomBytes } from '../../platform/ids.ts';
import type { NewEvent } from '../../webhooks/store.ts';
import type { InvoiceRow } from './store.ts';

type Subject = Pick<InvoiceRow, 'id' | 'environment' | 'profile'>;

/** The event of a transition, as webhooks and the timeline show it (specification, "Events"). */
export function transitionEvent(
  invoice: Subject & { readonly uin?: string | null },
  state: State,
  now: Date,
  random: RandomBytes,
): NewEvent {
  const { uin } = invoice;
  const own = state === 'cleared' && typeof uin === 'string' ? { uin } : {};
  return invoiceEvent(invoice, eventOf(state), own, { now, random });
}

/** An event of an invoice. */
export function invoiceEvent(
  { id, environment, profile }: Subject,
  event: string,
  { uin, data }: Pick<WebhookPayload, 'uin' | 'data'>,
  { now, random }: { readonly now: Date; readonly random: RandomBytes },
): NewEvent {
  const payload: WebhookPayload = {
    event,
    id,
    profile,
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
