import type { SubmissionOutcome } from '../../../authorities/contract.ts';
import type { Tx } from '../../../platform/db/tx.ts';
import { byTenant, type Job } from '../../../platform/jobs/job.ts';
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
  reschedule,
  retryLater,
  type WorkItem,
  waitUntil,
} from '../work-item.ts';

/**
 * Acknowledges cleared documents once they can no longer be cancelled. The authority is asked first,
 * because a document may have been cancelled on its own portal.
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

/** The items whose cancellation window is over; the others wait for its end. */
async function startItems(
  context: PipelineContext,
  tenantId: string,
  jobs: readonly Job<PipelineJobPayload>[],
): Promise<readonly WorkItem[]> {
  const now = context.clock();
  return context.db.tenant(tenantId, async (tx) => {
    const ids = jobs.map(({ key }) => key);
    const invoices = await lockInvoices(tx, tenantId, ids);
    const isOpen = ({ state }: WorkItem['invoice']) => state === 'cleared';
    const items = await openWorkItems(context, tx, tenantId, { jobs, invoices, isOpen });
    const cancellable = items.filter(({ invoice }) => cancellableUntil(invoice) > now);
    const postponed = cancellable.map((item) => waitUntil(item, cancellableUntil(item.invoice)));
    await reschedule(context, tx, tenantId, postponed);
    return items.filter((item) => !cancellable.includes(item));
  });
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
  const valid = known.filter(({ outcome }) => !('authorityStatus' in outcome));
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
  await completeJobs(
    context,
    tx,
    tenantId,
    known.map(({ item }) => item),
  );
  const postponed = open.map(({ item, outcome }) => postponementOf(item, outcome, now));
  await reschedule(context, tx, tenantId, postponed);
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
