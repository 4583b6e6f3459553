import { heldEvent, type WebhookPayload } from '@drawbridge/webhooks/events.ts';
import type { Tx } from '../../../platform/db/tx.ts';
import { newId, type RandomBytes } from '../../../platform/ids.ts';
import { addEvents } from '../../../webhooks/store.ts';
import { holdReason } from '../../invoices/hold.ts';
import type { InvoiceRow } from '../../invoices/store.ts';

/** Tells those who asked for it that these invoices wait for a person, and for what. */
export async function addHeldEvents(
  tx: Tx,
  tenantId: string,
  invoices: readonly InvoiceRow[],
  { now, random }: { readonly now: Date; readonly random: RandomBytes },
): Promise<void> {
  const events = invoices.map(({ id, environment, profile, waits_for }) => {
    const payload: WebhookPayload = {
      event: heldEvent,
      id,
      profile,
      timestamp: now.toISOString(),
      data: { waits_for, reason: holdReason(waits_for!) },
    };
    return {
      id: newId('evt', () => now, random),
      environment,
      service: 'einvoice' as const,
      type: heldEvent,
      subject_id: id,
      payload: JSON.stringify(payload),
      created_at: now,
    };
  });
  await addEvents(tx, tenantId, events);
}
