import type { SubmissionOutcome } from '../../authorities/contract.ts';
import type { Tx } from '../../platform/db/tx.ts';
import { byTenant, type Job } from '../../platform/jobs/job.ts';
import type { Sendable } from './address.ts';
import { addressed } from './address.ts';
import { apart } from './apart.ts';
import {
  again,
  type Course,
  finish,
  later,
  type Memory,
  type PipelineContext,
  rest,
  takeUp,
} from './course.ts';
import { lockInvoices, noteStandings } from './store.ts';
import { groups, lookUp } from './submit.ts';
import { makeMoves } from './transition.ts';

/**
 * The window in which a cleared document could be cancelled is over: what stands is acknowledged.
 * The authority is asked first, for a document may have been cancelled on its own portal.
 */
export async function acknowledgeAtEnd(
  context: PipelineContext,
  jobs: readonly Job<Memory>[],
): Promise<void> {
  await apart(context.log, byTenant(jobs), async ([tenantId, own]) => {
    const courses = await begin(context, tenantId, own);
    if (courses.length === 0) return;
    const sent = await addressed(context.db, tenantId, courses);
    await apart(context.log, groups(context, sent), async (group) => {
      const answers = await lookUp(context, group);
      const outcomes = answers === 'no-endpoint' ? group.map(() => noEndpoint) : answers;
      await context.db.tenant(tenantId, (tx) => record(context, tx, tenantId, group, outcomes));
    });
  });
}

const noEndpoint: SubmissionOutcome = {
  kind: 'misconfigured',
  reason: 'no endpoint is configured for this authority',
};
const noEndpointRestMs = 600_000;

/** Those whose time has come. */
async function begin(
  context: PipelineContext,
  tenantId: string,
  jobs: readonly Job<Memory>[],
): Promise<readonly Course[]> {
  const now = context.clock();
  return context.db.tenant(tenantId, async (tx) => {
    const ids = jobs.map(({ key }) => key);
    const invoices = await lockInvoices(tx, tenantId, ids);
    const isOpen = ({ state }: Course['invoice']) => state === 'cleared';
    const courses = await takeUp(context, tx, tenantId, { jobs, invoices, isOpen });
    const early = courses.filter(({ invoice }) => endOf(invoice) > now);
    const rests = early.map((course) => later(course, endOf(course.invoice)));
    await rest(context, tx, tenantId, rests);
    return courses.filter((course) => !early.includes(course));
  });
}

function endOf({ cancellable_until }: Course['invoice']): Date {
  return cancellable_until ?? new Date(0);
}

async function record(
  context: PipelineContext,
  tx: Tx,
  tenantId: string,
  group: readonly Sendable[],
  outcomes: readonly SubmissionOutcome[],
): Promise<void> {
  const now = context.clock();
  const asked = group.map(({ course }, index) => ({ course, outcome: outcomes[index]! }));
  const known = asked.filter(({ outcome }) => isKnown(outcome));
  const open = asked.filter(({ outcome }) => !isKnown(outcome));
  const standing = known.filter(({ outcome }) => !('authorityStatus' in outcome));
  const moves = standing.map(({ course: { invoice } }) => ({
    ...{ invoice, trigger: 'acknowledge' as const },
  }));
  await makeMoves(tx, tenantId, moves, { now, random: context.random });
  const notes = known.flatMap(({ course, outcome }) => {
    const status = statusOf(outcome);
    return status === undefined ? [] : [{ id: course.invoice.id, status, reference: null }];
  });
  await noteStandings(tx, tenantId, notes);
  await finish(
    context,
    tx,
    tenantId,
    known.map(({ course }) => course),
  );
  const rests = open.map(({ course, outcome }) => restOf(course, outcome, now));
  await rest(context, tx, tenantId, rests);
}

function isKnown({ kind }: SubmissionOutcome): boolean {
  return kind === 'cleared' || kind === 'delivered' || kind === 'refused';
}

/** What it says beside `cleared` where it does not stand: cancelled, or rejected by the buyer. */
function statusOf(outcome: SubmissionOutcome): string | undefined {
  if (outcome.kind === 'cleared') return outcome.authorityStatus;
  return outcome.kind === 'refused' ? 'refused' : undefined;
}

function restOf(course: Course, outcome: SubmissionOutcome, now: Date) {
  if (outcome.kind === 'pending') {
    return later(course, new Date(now.getTime() + outcome.pollAfterMs));
  }
  const reason = 'reason' in outcome ? outcome.reason : outcome.kind;
  const afterMs = outcome.kind === 'misconfigured' ? noEndpointRestMs : afterOf(outcome);
  return again(course, now, reason, afterMs);
}

function afterOf(outcome: SubmissionOutcome): number | undefined {
  return 'afterMs' in outcome ? outcome.afterMs : undefined;
}
