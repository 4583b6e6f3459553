import { next, type Trigger } from '@drawbridge/lifecycle/transitions.ts';
import type { Tx } from '../../platform/db/tx.ts';
import type { RandomBytes } from '../../platform/ids.ts';
import type { Metrics } from '../../platform/metrics/metrics.ts';
import { addEvents, type NewEvent } from '../../webhooks/store.ts';
import { transitionEvent } from '../invoices/event.ts';
import type { InvoiceRow } from '../invoices/store.ts';
import { changeStates, type InvoiceChange, type StateChange } from './store.ts';

/** One transition of one invoice; `invoice.state` is its state before. */
export interface InvoiceTransition {
  readonly invoice: InvoiceRow;
  readonly trigger: Trigger;
  readonly change?: InvoiceChange;
}

/** When the transitions happen, and where they are counted. */
export interface TransitionContext {
  readonly now: Date;
  readonly random: RandomBytes;
  readonly metrics: Pick<Metrics, 'invoices'>;
}

/**
 * Applies the transitions: states, events and webhook deliveries, in the caller's transaction.
 * Several transitions of one invoice may follow each other in the list. Returns the changed
 * invoices. Throws when a transition is not in the table, or when an invoice is no longer in the
 * state that the caller saw, so that the transaction is rolled back.
 */
export async function applyTransitions(
  tx: Tx,
  tenantId: string,
  transitions: readonly InvoiceTransition[],
  { now, random, metrics }: TransitionContext,
): Promise<ReadonlyMap<string, InvoiceRow>> {
  const current = new Map(transitions.map(({ invoice }) => [invoice.id, invoice]));
  const changes = new Map<string, StateChange>();
  const events: NewEvent[] = [];
  const reached: { environment: string; state: string }[] = [];
  for (const { invoice, trigger, change = {} } of transitions) {
    const at = current.get(invoice.id)!;
    const to = next(at.state, trigger);
    if (to === undefined) throw new Error(`an invoice cannot ${trigger} from ${at.state}`);
    const earlier = changes.get(invoice.id);
    changes.set(invoice.id, {
      id: invoice.id,
      from: earlier?.from ?? at.state,
      to,
      change: { ...earlier?.change, ...change },
    });
    current.set(invoice.id, { ...at, ...rowChange(change), state: to, updated_at: now });
    events.push(transitionEvent(current.get(invoice.id)!, to, now, random));
    reached.push({ environment: invoice.environment, state: to });
  }
  if (changes.size === 0) return current;
  const [changed] = await Promise.all([
    changeStates(tx, tenantId, [...changes.values()], now),
    addEvents(tx, tenantId, events),
  ]);
  if (changed !== changes.size)
    throw new Error('an invoice changed its state while its batch was processed');
  tx.afterCommit(() => {
    for (const labels of reached) metrics.invoices.inc(labels);
  });
  return current;
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
    ...(change.hold && { hold: change.hold }),
    waits_for: change.waitsFor ?? null,
    ...(change.cancellableUntil !== undefined && { cancellable_until: change.cancellableUntil }),
  };
}
