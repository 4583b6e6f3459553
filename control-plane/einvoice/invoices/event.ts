import { eventOf, type State } from '@drawbridge/lifecycle/transitions.ts';
import type { WebhookPayload } from '@drawbridge/webhooks/events.ts';
import type { RandomBytes } from '../../platform/ids.ts';
import type { NewEvent } from '../../webhooks/store.ts';
import { einvoiceEvent, type Moment } from '../event.ts';
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
  invoice: Subject,
  event: string,
  content: Pick<WebhookPayload, 'uin' | 'data'>,
  moment: Moment,
): NewEvent {
  return einvoiceEvent(invoice, { ...content, event, profile: invoice.profile }, moment);
}
