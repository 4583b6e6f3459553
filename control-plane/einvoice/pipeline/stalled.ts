import { stalledEvent } from '@drawbridge/webhooks/events.ts';
import type { Tx } from '../../platform/db/tx.ts';
import type { Job } from '../../platform/jobs/job.ts';
import { addEvents } from '../../webhooks/store.ts';
import { invoiceEvent } from '../invoices/event.ts';
import { lockInvoices } from './store.ts';
import type { PipelineContext } from './work-item.ts';

const reason =
  'The service could not work on this invoice and has stopped trying; its operator was told.';

/**
 * Tells a tenant that a job of an invoice was parked: without this event it would wait for a verdict,
 * a write-back or a forwarding that does not come. The state stays, and the invoice goes on when the job is retried.
 */
export async function announceStalled(
  tx: Tx,
  { tenantId, queue, key }: Pick<Job<unknown>, 'tenantId' | 'queue' | 'key'>,
  { clock, random }: Pick<PipelineContext, 'clock' | 'random'>,
): Promise<void> {
  const now = clock();
  const [invoiceId = ''] = key.split('/'); // of a write-back the state follows
  const invoices = await lockInvoices(tx, tenantId, [invoiceId]);
  const data = { reason, queue };
  const events = invoices.map((invoice) =>
    invoiceEvent(invoice, stalledEvent, { data }, { now, random }),
  );
  await addEvents(tx, tenantId, events);
}
