import type { SubmissionOutcome } from '../../authorities/contract.ts';
import type { Tx } from '../../platform/db/tx.ts';
import { byTenant, type Job } from '../../platform/jobs/job.ts';
import type { Forwarding } from '../invoices/store.ts';
import { addressedToBuyers, type Sendable } from './address.ts';
import { apart } from './apart.ts';
import {
  again,
  type Course,
  finish,
  later,
  type Memory,
  type PipelineContext,
  type Rest,
  rest,
  takeUp,
} from './course.ts';
import { askFirst } from './settle.ts';
import { keepForwardings, lockInvoices } from './store.ts';
import { type Answers, groups } from './submit.ts';

/** What a job of the queue `forward` carries. */
export interface ForwardJob extends Memory {
  /** When the document was cleared, ISO 8601. */
  readonly settledAt: string;
}

/**
 * A cleared document, its identifier in it, goes to the buyer over Peppol (PINT-MY BIS, 1.5.2). The
 * invoice stays cleared whatever becomes of that; how it stands is shown beside the state.
 */
export async function forward(
  context: PipelineContext,
  jobs: readonly Job<ForwardJob>[],
): Promise<void> {
  await apart(context.log, byTenant(jobs), async ([tenantId, own]) => {
    const courses = await begin(context, tenantId, own);
    if (courses.length === 0) return;
    const sendable = await addressedToBuyers(context.db, tenantId, courses);
    await apart(context.log, groups(context, sendable), async (group) => {
      const answers = await askFirst(context, tenantId, group, noteSent);
      await context.db.tenant(tenantId, (tx) => record(context, tx, tenantId, group, answers));
    });
  });
}

/** Those that stand: what was cancelled meanwhile is not sent. */
async function begin(
  context: PipelineContext,
  tenantId: string,
  jobs: readonly Job<ForwardJob>[],
): Promise<readonly Course[]> {
  return context.db.tenant(tenantId, async (tx) => {
    const ids = jobs.map(({ key }) => key);
    const invoices = await lockInvoices(tx, tenantId, ids);
    const at = context.clock().toISOString();
    const forwarding = { status: 'withheld', reason: 'the document was cancelled', at } as const;
    const cancelled = invoices.filter((invoice) => !isStanding(invoice));
    const withheld = cancelled.map(({ id }) => ({ id, forwarding }));
    await keepForwardings(tx, tenantId, withheld);
    return takeUp(context, tx, tenantId, { jobs, invoices, isOpen: isStanding });
  });
}

function isStanding({ authority_status }: Course['invoice']): boolean {
  return authority_status !== 'cancelled';
}

async function noteSent(
  tx: Tx,
  tenantId: string,
  ids: readonly string[],
  sentAt: Date,
): Promise<void> {
  const at = sentAt.toISOString();
  const forwarding = { status: 'waiting', sent_at: at, at } as const;
  await keepForwardings(
    tx,
    tenantId,
    ids.map((id) => ({ id, forwarding })),
  );
}

async function record(
  context: PipelineContext,
  tx: Tx,
  tenantId: string,
  group: readonly Sendable[],
  answers: Answers,
): Promise<void> {
  const now = context.clock();
  const steps = group.map((each, index) =>
    stepOf(context, each, answers === 'no-endpoint' ? answers : answers[index]!, now),
  );
  await keepForwardings(
    tx,
    tenantId,
    group.map(({ course }, index) => ({
      id: course.invoice.id,
      forwarding: { ...steps[index]!.shown, at: now.toISOString() },
    })),
  );
  const rests = steps.flatMap((step) => ('rest' in step ? [step.rest] : []));
  await rest(context, tx, tenantId, rests);
  const over = group.flatMap(({ course }, index) => ('rest' in steps[index]! ? [] : [course]));
  await finish(context, tx, tenantId, over);
}

/** What is shown, and when it goes on; without a rest it is over. */
type Step =
  | { readonly shown: Omit<Forwarding, 'at'> }
  | { readonly shown: Omit<Forwarding, 'at'>; readonly rest: Rest };

function stepOf(
  context: PipelineContext,
  { course, sentAt }: Sendable,
  answer: SubmissionOutcome | 'no-endpoint',
  now: Date,
): Step {
  // A host without an access point clears, and leaves the buyer to the seller.
  if (answer === 'no-endpoint') return { shown: { status: 'off' } };
  const kept = { sent_at: (sentAt ?? now).toISOString() };
  const waitedMs = now.getTime() - Date.parse((course.job.payload as ForwardJob).settledAt);
  const isGivenUp = waitedMs > context.settings.authorityGiveUpMs;
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
      return { shown, rest: later(course, new Date(now.getTime() + pollMs)) };
    }
    default: {
      // Certain that nothing was taken: it need not be asked for before it is sent again.
      const isUntaken = answer.kind === 'retry' || answer.kind === 'misconfigured';
      const shown = {
        ...({ status: 'waiting', reason: answer.reason } as const),
        ...(isUntaken ? {} : kept),
      };
      const afterMs = 'afterMs' in answer ? answer.afterMs : undefined;
      return isGivenUp ? { shown } : { shown, rest: again(course, now, answer.reason, afterMs) };
    }
  }
}

function shortened({ code, message }: { code: string; message: string }) {
  return { code, message };
}
