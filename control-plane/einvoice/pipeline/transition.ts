import { next, type Trigger } from '@drawbridge/lifecycle/transitions.ts';
import type { Tx } from '../../platform/db/tx.ts';
import type { RandomBytes } from '../../platform/ids.ts';
import { addEvents, type NewEvent } from '../../webhooks/store.ts';
import { invoiceEvent } from '../invoices/event.ts';
import type { InvoiceRow } from '../invoices/store.ts';
import { changeStates, type InvoiceChange, type StateChange } from './store.ts';

/** One move of one invoice. `invoice.state` is where it stands before. */
export interface Move {
  readonly invoice: InvoiceRow;
  readonly trigger: Trigger;
  readonly change?: InvoiceChange;
}

/**
 * Makes the moves: states, events and webhook deliveries in the caller's transaction. Moves of one
 * invoice may follow each other in the list. Answers the invoices as they stand now. Throws when a
 * move is not in the table, or when an invoice is no longer where the caller saw it: then nothing
 * of the transaction happens.
 */
export async function makeMoves(
  tx: Tx,
  tenantId: string,
  moves: readonly Move[],
  { now, random }: { readonly now: Date; readonly random: RandomBytes },
): Promise<ReadonlyMap<string, InvoiceRow>> {
  const stands = new Map(moves.map(({ invoice }) => [invoice.id, invoice]));
  const folded = new Map<string, StateChange>();
  const events: NewEvent[] = [];
  for (const { invoice, trigger, change = {} } of moves) {
    const at = stands.get(invoice.id)!;
    const to = next(at.state, trigger);
    if (to === undefined) throw new Error(`an invoice cannot ${trigger} from ${at.state}`);
    const earlier = folded.get(invoice.id);
    folded.set(invoice.id, {
      id: invoice.id,
      from: earlier?.from ?? at.state,
      to,
      change: { ...earlier?.change, ...change },
    });
    stands.set(invoice.id, { ...at, ...rowChange(change), state: to });
    events.push(invoiceEvent(stands.get(invoice.id)!, to, now, random));
  }
  if (folded.size === 0) return stands;
  const changed = await changeStates(tx, tenantId, [...folded.values()], now);
  if (changed !== folded.size) throw new Error('an invoice moved while its batch was at work');
  await addEvents(tx, tenantId, events);
  return stands;
}

function rowChange(change: InvoiceChange): Partial<InvoiceRow> {
  return {
    ...(change.checks && { checks: change.checks }),
    ...(change.errors && { errors: change.errors }),
    ...(change.warnings && { warnings: change.warnings }),
    ...(change.number !== undefined && { number: change.number }),
    ...(change.sentAt !== undefined && { sent_at: change.sentAt }),
    ...(change.uin !== undefined && { uin: change.uin }),
    ...(change.validationUrl !== undefined && { validation_url: change.validationUrl }),
    ...(change.authorityReference !== undefined && {
      authority_reference: change.authorityReference,
    }),
    ...(change.cancellableUntil !== undefined && { cancellable_until: change.cancellableUntil }),
  };
}
