import { eventOf, type State } from '@drawbridge/lifecycle/transitions.ts';
import { newId, type RandomBytes } from '../../platform/ids.ts';
import type { NewEvent } from '../../webhooks/store.ts';
import type { InvoiceRow } from './store.ts';

/** The event of a transition, as webhooks and the timeline show it (specification, "Events"). */
export function invoiceEvent(
  invoice: Pick<InvoiceRow, 'id' | 'environment' | 'profile'> & { readonly uin?: string | null },
  state: State,
  at: Date,
  random: RandomBytes,
): NewEvent {
  const event = eventOf(state);
  const { uin } = invoice;
  return {
    id: newId('evt', () => at, random),
    environment: invoice.environment,
    service: 'einvoice',
    type: event,
    subject_id: invoice.id,
    payload: JSON.stringify({
      event,
      id: invoice.id,
      profile: invoice.profile,
      ...(state === 'cleared' && typeof uin === 'string' ? { uin } : {}),
      timestamp: at.toISOString(),
    }),
    created_at: at,
  };
}
