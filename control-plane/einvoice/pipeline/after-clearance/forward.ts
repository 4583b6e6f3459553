import type { SubmissionOutcome } from '../../../authorities/contract.ts';
import type { Tx } from '../../../platform/db/tx.ts';
import { byTenant, type Job } from '../../../platform/jobs/job.ts';
import type { Forwarding } from '../../invoices/store.ts';
import { settleEach, settleInTurn } from '../settle-each.ts';
import { lockInvoices, saveForwardings } from '../store.ts';
import {
  addressToBuyers,
  type OutboundItem,
  portionsOf,
} from '../submission/outbound-documents.ts';
import { lookUpThenSend } from '../submission/resume.ts';
import { type GroupOutcomes, groupByAuthority } from '../submission/submit.ts';
import {
  completeJobs,
  openWorkItems,
  type PipelineContext,
  type PipelineJobPayload,
  type Postponement,
  reschedule,
  retryLater,
  triedForMs,
  type WorkItem,
  waitUntil,
} from '../work-item.ts';

/** The payload of a job of the queue `forward`. */
export interface ForwardJobPayload extends PipelineJobPayload {
  /** When the document was cleared, ISO 8601. */
  readonly settledAt: string;
}

/**
 * Sends cleared documents, with their identifiers, to their buyers over Peppol (PINT-MY BIS,
 * 1.5.2). The outcome is shown next to the state and does not change it: the invoice stays cleared.
 */
export async function forward(
  context: PipelineContext,
  jobs: readonly Job<ForwardJobPayload>[],
): Promise<void> {
  await settleEach(context.log, byTenant(jobs), async ([tenantId, own]) => {
    const items = await startItems(context, tenantId, own);
    if (items.length === 0) return;
    const portions = await portionsOf(context.db, tenantId, items);
    await settleInTurn(context.log, portions, async (portion) => {
      const sendable = await addressToBuyers(context.db, tenantId, portion);
      await settleEach(context.log, groupByAuthority(context, sendable), async (group) => {
        const answers = await lookUpThenSend(context, tenantId, group, saveForwardedAt);
        await context.db.tenant(tenantId, (tx) => record(context, tx, tenantId, group, answers));
      });
    });
  });
}

/** The items to send; a document that was cancelled since is not sent. */
async function startItems(
  context: PipelineContext,
  tenantId: string,
  jobs: readonly Job<ForwardJobPayload>[],
): Promise<readonly WorkItem[]> {
  return context.db.tenant(tenantId, async (tx) => {
    const ids = jobs.map(({ key }) => key);
    const invoices = await lockInvoices(tx, tenantId, ids);
    const at = context.clock().toISOString();
    const forwarding = { status: 'withheld', reason: 'the document was cancelled', at } as const;
    const cancelled = invoices.filter((invoice) => !isNotCancelled(invoice));
    const withheld = cancelled.map(({ id }) => ({ id, forwarding }));
    await saveForwardings(tx, tenantId, withheld);
    return openWorkItems(context, tx, tenantId, { jobs, invoices, isOpen: isNotCancelled });
  });
}

function isNotCancelled({ authority_status }: WorkItem['invoice']): boolean {
  return authority_status !== 'cancelled';
}

async function saveForwardedAt(
  tx: Tx,
  tenantId: string,
  ids: readonly string[],
  sentAt: Date,
): Promise<void> {
  const at = sentAt.toISOString();
  const forwarding = { status: 'waiting', sent_at: at, at } as const;
  await saveForwardings(
    tx,
    tenantId,
    ids.map((id) => ({ id, forwarding })),
  );
}

async function record(
  context: PipelineContext,
  tx: Tx,
  tenantId: string,
  group: readonly OutboundItem[],
  answers: GroupOutcomes,
): Promise<void> {
  const now = context.clock();
  const steps = group.map((each, index) =>
    forwardingStepOf(context, each, answers === 'no-endpoint' ? answers : answers[index]!, now),
  );
  await saveForwardings(
    tx,
    tenantId,
    group.map(({ item }, index) => ({
      id: item.invoice.id,
      forwarding: { ...steps[index]!.shown, at: now.toISOString() },
    })),
  );
  const postponed = steps.flatMap((step) => ('postponement' in step ? [step.postponement] : []));
  await reschedule(context, tx, tenantId, postponed);
  const over = group.flatMap(({ item }, index) => ('postponement' in steps[index]! ? [] : [item]));
  await completeJobs(context, tx, tenantId, over);
}

/** What people see, and when the job runs again; without a postponement it is done. */
type ForwardingStep =
  | { readonly shown: Omit<Forwarding, 'at'> }
  | { readonly shown: Omit<Forwarding, 'at'>; readonly postponement: Postponement };

function forwardingStepOf(
  context: PipelineContext,
  { item, sentAt }: OutboundItem,
  answer: SubmissionOutcome | 'no-endpoint',
  now: Date,
): ForwardingStep {
  // Without an access point documents are only cleared, and the seller sends them to the buyer.
  if (answer === 'no-endpoint') return { shown: { status: 'off' } };
  const kept = { sent_at: (sentAt ?? now).toISOString() };
  const settledAt = new Date((item.job.payload as ForwardJobPayload).settledAt);
  const waitedMs = now.getTime() - settledAt.getTime();
  const isGivenUp = triedForMs(item.job, settledAt, now) > context.settings.authorityGiveUpMs;
  switch (answer.kind) {
    case 'delivered':
    case 'cleared':
      return { shown: { status: 'delivered', ...kept } };
    case 'refused':
      return { shown: { status: 'refused', errors: answer.errors.map(shortened), ...kept } };
    case 'pending': {
      const shown = { status: 'sent', ...kept } as const;
      if (isGivenUp) return { shown: { ...shown, reason: 'no answer came; it is over' } };
      const pollMs = Math.max(answer.pollAfterMs, waitedMs / 20);
      return { shown, postponement: waitUntil(item, new Date(now.getTime() + pollMs)) };
    }
    default: {
      // Nothing was accepted for certain: no look-up is needed before the next attempt.
      const isNotAccepted = answer.kind === 'retry' || answer.kind === 'misconfigured';
      const shown = {
        status: 'waiting' as const,
        reason: answer.reason,
        ...(isNotAccepted ? {} : kept),
      };
      const afterMs = 'afterMs' in answer ? answer.afterMs : undefined;
      return isGivenUp
        ? { shown }
        : { shown, postponement: retryLater(item, now, answer.reason, afterMs) };
    }
  }
}

function shortened({ code, message }: { code: string; message: string }) {
  return { code, message };
}
