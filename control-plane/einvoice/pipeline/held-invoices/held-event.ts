import { heldEvent } from '@drawbridge/webhooks/events.ts';
import type { Tx } from '../../../platform/db/tx.ts';
import type { RandomBytes } from '../../../platform/ids.ts';
import { addEvents } from '../../../webhooks/store.ts';
import { invoiceEvent } from '../../invoices/event.ts';
import { holdReason } from '../../invoices/hold.ts';
import type { InvoiceRow } from '../../invoices/store.ts';

/** Tells those who asked for it that these invoices wait for a person, and for what. */
export async function addHeldEvents(
  tx: Tx,
  tenantId: string,
  invoices: readonly InvoiceRow[],
  moment: { readonly now: Date; readonly random: RandomBytes },
): Promise<void> {
  const events = invoices.map((invoice) => {
    const { waits_for } = invoice;
    const data = { waits_for, reason: holdReason(waits_for!) };
    return invoiceEvent(invoice, heldEvent, { data }, moment);
  });
  await addEvents(tx, tenantId, events);
}
