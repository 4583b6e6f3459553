import type { SubmissionOutcome } from '../../../authorities/contract.ts';
import type { Tx } from '../../../platform/db/tx.ts';
import { settleInTurn } from '../settle-each.ts';
import { saveSentAt } from '../store.ts';
import type { PipelineContext, WorkItem } from '../work-item.ts';
import { type OutboundItem, portionsOf } from './outbound-documents.ts';
import { exchangeWithAuthorities, type GroupOutcomes, lookUpGroup, sendGroup } from './submit.ts';

/**
 * Continues with items that an earlier worker may have sent: the authority is asked before anything
 * is sent again. This settles `submitted` items and those that a crash left in `validated`.
 */
export async function resumeSubmissions(
  context: PipelineContext,
  tenantId: string,
  items: readonly WorkItem[],
): Promise<void> {
  await settleInTurn(context.log, await portionsOf(context.db, tenantId, items), (portion) =>
    exchangeWithAuthorities(context, tenantId, portion, (group) =>
      lookUpThenSend(context, tenantId, group, saveSentAt),
    ),
  );
}

/** Saves, before documents are sent, that they are about to be. */
type SaveSentAt = (tx: Tx, tenantId: string, ids: readonly string[], sentAt: Date) => Promise<void>;

/** Looks the documents up, and sends those that the authority does not know. */
export async function lookUpThenSend(
  context: PipelineContext,
  tenantId: string,
  given: readonly OutboundItem[],
  note: SaveSentAt,
): Promise<GroupOutcomes> {
  const group = await notSentLater(context, tenantId, given, note);
  const mayBeKnown = group.filter(({ sentAt }) => sentAt !== null);
  const known = await lookUpGroup(context, mayBeKnown);
  if (known === 'no-endpoint') return known;
  const answers = new Map(mayBeKnown.map((each, index) => [each, known[index]!]));
  const unsent = group.filter((each) => (answers.get(each)?.kind ?? 'retry') === 'retry');
  await markSent(context, tenantId, unsent, note);
  const sent = await sendGroup(context, unsent);
  if (sent === 'no-endpoint') return sent;
  for (const [index, each] of unsent.entries()) answers.set(each, sent[index]!);
  return group.map((each): SubmissionOutcome => answers.get(each)!);
}

/**
 * What a clock that was ahead says to be sent later counts as sent now: until that day an authority's adapter would
 * hold it for too new to be looked up.
 */
async function notSentLater(
  context: PipelineContext,
  tenantId: string,
  group: readonly OutboundItem[],
  note: SaveSentAt,
): Promise<readonly OutboundItem[]> {
  const now = context.clock();
  const isLater = ({ sentAt }: OutboundItem) => sentAt !== null && sentAt > now;
  await markSent(context, tenantId, group.filter(isLater), note);
  return group.map((each) => (isLater(each) ? { ...each, sentAt: now } : each));
}

/** Refused when the lease is lost: another worker may be sending this very document. */
async function markSent(
  context: PipelineContext,
  tenantId: string,
  group: readonly OutboundItem[],
  note: SaveSentAt,
): Promise<void> {
  if (group.length === 0) return;
  await context.db.tenant(tenantId, async (tx) => {
    await context.jobs.renewLeases(
      tx,
      group.map(({ item }) => item.job),
    );
    const ids = group.map(({ item }) => item.invoice.id);
    await note(tx, tenantId, ids, context.clock());
  });
}
