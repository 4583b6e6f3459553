import { invoiceCancelledEvent } from '@drawbridge/webhooks/events.ts';
import type { SubmissionOutcome } from '../../../authorities/contract.ts';
import type { Tx } from '../../../platform/db/tx.ts';
import { byTenant, type Job } from '../../../platform/jobs/job.ts';
import { addEvents } from '../../../webhooks/store.ts';
import { invoiceEvent } from '../../invoices/event.ts';
import { settleEach } from '../settle-each.ts';
import { lockInvoices, saveAuthorityStatuses } from '../store.ts';
import type { OutboundItem } from '../submission/outbound-documents.ts';
import { addressToAuthorities } from '../submission/outbound-documents.ts';
import { groupByAuthority, lookUpGroup } from '../submission/submit.ts';
import { applyTransitions } from '../transitions.ts';
import {
  completeJobs,
  openWorkItems,
  type PipelineContext,
  type PipelineJobPayload,
  type Postponement,
  reschedule,
  retryLater,
  type WorkItem,
  waitUntil,
} from '../work-item.ts';
import type { WriteBackJobPayload } from '../write-back/write-back.ts';

/** The payload of a job of the queue `acknowledge`. */
interface AcknowledgeJobPayload extends PipelineJobPayload {
  /** When the authority last said that the document is valid; ISO 8601. */
  readonly askedAt?: string;
}

/**
 * Hints that come within this time are followed by one question: whoever submits a document again and again shall not
 * use up what the authority answers in a minute.
 */
const askAgainMs = 600_000;

/**
 * Acknowledges cleared documents once they can no longer be cancelled. The authority is asked first,
 * because a document may have been cancelled on its own portal; it is also asked before, when something
 * hints at that. What was cancelled is told, and confirmed to the ERP.
 */
export async function acknowledgeUncancelled(
  context: PipelineContext,
  jobs: readonly Job<PipelineJobPayload>[],
): Promise<void> {
  await settleEach(context.log, byTenant(jobs), async ([tenantId, own]) => {
    const items = await startItems(context, tenantId, own);
    if (items.length === 0) return;
    const sent = await addressToAuthorities(context.db, tenantId, items);
    await settleEach(context.log, groupByAuthority(context, sent), async (group) => {
      const answers = await lookUpGroup(context, group);
      const outcomes = answers === 'no-endpoint' ? group.map(() => noEndpoint) : answers;
      await context.db.tenant(tenantId, (tx) => record(context, tx, tenantId, group, outcomes));
    });
  });
}

const noEndpoint: SubmissionOutcome = {
  kind: 'misconfigured',
  reason: 'no endpoint is configured for this authority',
};
const noEndpointDelayMs = 600_000;

async function startItems(
  context: PipelineContext,
  tenantId: string,
  jobs: readonly Job<PipelineJobPayload>[],
): Promise<readonly WorkItem[]> {
  return context.db.tenant(tenantId, async (tx) => {
    const ids = jobs.map(({ key }) => key);
    const invoices = await lockInvoices(tx, tenantId, ids);
    // A client may have acknowledged it before, and cancelled it since.
    const isOpen = ({ state }: WorkItem['invoice']) =>
      state === 'cleared' || state === 'acknowledged';
    const items = await openWorkItems(context, tx, tenantId, { jobs, invoices, isOpen });
    const now = context.clock();
    const early = items.filter((item) => mayBeAskedAt(item) > now);
    const postponed = early.map((item) => waitUntil(item, mayBeAskedAt(item)));
    await reschedule(context, tx, tenantId, postponed);
    return items.filter((item) => !early.includes(item));
  });
}

/** When the authority may be asked again: at the end of the time to cancel in any case. */
function mayBeAskedAt({ job, invoice }: WorkItem): Date {
  const { askedAt } = job.payload as AcknowledgeJobPayload;
  const againMs = askedAt === undefined ? 0 : Date.parse(askedAt) + askAgainMs;
  return new Date(Math.min(againMs, cancellableUntil(invoice).getTime()));
}

function cancellableUntil({ cancellable_until }: WorkItem['invoice']): Date {
  return cancellable_until ?? new Date(0);
}

async function record(
  context: PipelineContext,
  tx: Tx,
  tenantId: string,
  group: readonly OutboundItem[],
  outcomes: readonly SubmissionOutcome[],
): Promise<void> {
  const now = context.clock();
  const asked = group.map(({ item }, index) => ({ item, outcome: outcomes[index]! }));
  const known = asked.filter(({ outcome }) => isKnown(outcome));
  const open = asked.filter(({ outcome }) => !isKnown(outcome));
  const isOver = ({ item, outcome }: (typeof known)[number]) =>
    isCancelled(outcome) || cancellableUntil(item.invoice) <= now;
  const over = known.filter(isOver);
  const valid = over.filter(
    ({ item, outcome }) => item.invoice.state === 'cleared' && !('authorityStatus' in outcome),
  );
  const transitions = valid.map(({ item: { invoice } }) => ({
    invoice,
    trigger: 'acknowledge' as const,
  }));
  const { random, metrics } = context;
  await applyTransitions(tx, tenantId, transitions, { now, random, metrics });
  const notes = known.flatMap(({ item, outcome }) => {
    const status = statusOf(outcome);
    return status === undefined ? [] : [{ id: item.invoice.id, status, reference: null }];
  });
  await saveAuthorityStatuses(tx, tenantId, notes);
  const cancelled = over.filter(({ outcome }) => isCancelled(outcome)).map(({ item }) => item);
  await tellCancellations(context, tx, tenantId, cancelled, now);
  await completeJobs(
    context,
    tx,
    tenantId,
    over.map(({ item }) => item),
  );
  const cancellable = known.filter((each) => !isOver(each)).map(({ item }) => item);
  await reschedule(context, tx, tenantId, [
    ...open.map(({ item, outcome }) => postponementOf(item, outcome, now)),
    ...cancellable.map((item) => waitForEnd(item, now)),
  ]);
}

function waitForEnd(item: WorkItem, askedAt: Date): Postponement {
  const { at, payload } = waitUntil(item, cancellableUntil(item.invoice));
  const asked: AcknowledgeJobPayload = { ...payload, askedAt: askedAt.toISOString() };
  return { item, at, payload: asked };
}

function isCancelled(outcome: SubmissionOutcome): boolean {
  return outcome.kind === 'cleared' && outcome.authorityStatus === 'cancelled';
}

async function tellCancellations(
  { jobs, random }: PipelineContext,
  tx: Tx,
  tenantId: string,
  items: readonly WorkItem[],
  now: Date,
): Promise<void> {
  await addEvents(
    tx,
    tenantId,
    items.map(({ invoice }) => invoiceEvent(invoice, invoiceCancelledEvent, {}, { now, random })),
  );
  await jobs.enqueue(
    tx,
    tenantId,
    items.map(({ invoice: { id, environment } }) => {
      const status = 'cancelled' as const;
      const payload: WriteBackJobPayload = {
        environment,
        invoice: id,
        status,
        settledAt: now.toISOString(),
      };
      return { queue: 'write-back', key: `${id}/${status}`, payload };
    }),
  );
}

function isKnown({ kind }: SubmissionOutcome): boolean {
  return kind === 'cleared' || kind === 'delivered' || kind === 'refused';
}

/** What is shown beside `cleared` when the document is no longer valid: cancelled, or rejected by the buyer. */
function statusOf(outcome: SubmissionOutcome): string | undefined {
  if (outcome.kind === 'cleared') return outcome.authorityStatus;
  return outcome.kind === 'refused' ? 'refused' : undefined;
}

function postponementOf(item: WorkItem, outcome: SubmissionOutcome, now: Date) {
  if (outcome.kind === 'pending') {
    return waitUntil(item, new Date(now.getTime() + outcome.pollAfterMs));
  }
  const reason = 'reason' in outcome ? outcome.reason : outcome.kind;
  const afterMs = outcome.kind === 'misconfigured' ? noEndpointDelayMs : retryAfterMs(outcome);
  return retryLater(item, now, reason, afterMs);
}

function retryAfterMs(outcome: SubmissionOutcome): number | undefined {
  return 'afterMs' in outcome ? outcome.afterMs : undefined;
}
