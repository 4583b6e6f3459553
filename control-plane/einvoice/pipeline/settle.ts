import type { SubmissionOutcome } from '../../authorities/contract.ts';
import type { Tx } from '../../platform/db/tx.ts';
import type { Sendable } from './address.ts';
import type { Course, PipelineContext } from './course.ts';
import { noteSent } from './store.ts';
import { type Answers, exchange, lookUp, send } from './submit.ts';

/**
 * Courses that an earlier worker may have sent: the authority is asked before anything is sent
 * again. So `submitted` comes to its end, and what a worker left in `validated` goes on.
 */
export async function settle(
  context: PipelineContext,
  tenantId: string,
  courses: readonly Course[],
): Promise<void> {
  await exchange(context, tenantId, courses, (group) =>
    askFirst(context, tenantId, group, noteSent),
  );
}

/** Writes down that documents are about to be sent, before the wire is touched. */
type Note = (tx: Tx, tenantId: string, ids: readonly string[], sentAt: Date) => Promise<void>;

/** What the authority has no trace of is marked once more, and goes out. */
export async function askFirst(
  context: PipelineContext,
  tenantId: string,
  group: readonly Sendable[],
  note: Note,
): Promise<Answers> {
  const mayBeKnown = group.filter(({ sentAt }) => sentAt !== null);
  const known = await lookUp(context, mayBeKnown);
  if (known === 'no-endpoint') return known;
  const answers = new Map(mayBeKnown.map((each, index) => [each, known[index]!]));
  const unsent = group.filter((each) => (answers.get(each)?.kind ?? 'retry') === 'retry');
  await markSent(context, tenantId, unsent, note);
  const sent = await send(context, unsent);
  if (sent === 'no-endpoint') return sent;
  for (const [index, each] of unsent.entries()) answers.set(each, sent[index]!);
  return group.map((each): SubmissionOutcome => answers.get(each)!);
}

/** Refused when the lease is lost: another worker may be sending this very document. */
async function markSent(
  context: PipelineContext,
  tenantId: string,
  group: readonly Sendable[],
  note: Note,
): Promise<void> {
  if (group.length === 0) return;
  await context.db.tenant(tenantId, async (tx) => {
    await context.jobs.hold(
      tx,
      group.map(({ course }) => course.job),
    );
    const ids = group.map(({ course }) => course.invoice.id);
    await note(tx, tenantId, ids, context.clock());
  });
}
