import type { BatchedDocument } from '@drawbridge/link/documents.ts';
import { byTenant, type Job } from '../../../platform/jobs/job.ts';
import { contentHash } from '../held-invoices/content-hash.ts';
import { settleEach } from '../settle-each.ts';
import {
  completeJobs,
  type PipelineContext,
  type PipelineJobPayload,
  reschedule,
  retryLater,
} from '../work-item.ts';
import { verdictWaitMs } from './changed-documents.ts';
import { judge } from './judge.ts';
import { compareWithSent } from './sent-documents.ts';
import { type DocumentBatch, deleteBatch, emptyBatch, findBatch } from './store.ts';
import { type HeldDocument, loadTarget, submitNew, unmappedReason } from './target.ts';

/** A job of the queue `document-batch`: its key is the batch's id. */
export type DocumentBatchJob = Job<PipelineJobPayload>;

/**
 * Submits the documents of batches as `submitChangedDocuments` does, by the content that the agent sent.
 * What cannot be decided by it becomes a changed document of its own, which is read when it is due.
 */
export async function submitBatches(
  context: PipelineContext,
  jobs: readonly DocumentBatchJob[],
): Promise<void> {
  await settleEach(context.log, byTenant(jobs), async ([tenantId, own]) => {
    // One after the other: the content of one is enough to hold.
    for (const job of own) await submitBatch(context, tenantId, job);
  });
}

/** Judging one document takes far less than a millisecond. */
const judgedAtOnce = 20;

async function submitBatch(
  context: PipelineContext,
  tenantId: string,
  job: DocumentBatchJob,
): Promise<void> {
  const { db, clock } = context;
  const batch = await db.tenant(tenantId, (tx) => findBatch(tx, tenantId, job.key));
  if (batch === undefined) {
    return db.tenant(tenantId, (tx) => completeJobs(context, tx, tenantId, [{ job }]));
  }
  const { refs, environment } = batch;
  const target = { tenantId, environment, connectorId: batch.connector_id };
  const { connector, known, ...loaded } = await loadTarget(context, target, refs);
  // The batch waits as one: read one by one its documents would be asked for again and again.
  if (loaded.wanted === 'unmapped') {
    const postponed = [retryLater({ job }, clock(), unmappedReason)];
    const isContentOld = isOld(context, job) && batch.content.length > 0;
    return db.tenant(tenantId, async (tx) => {
      // Its documents are read anew once a mapping is approved: the source keeps them, and is newer.
      if (isContentOld) await emptyBatch(tx, tenantId, batch.id);
      await reschedule(context, tx, tenantId, postponed);
    });
  }
  const isOpen = (ref: string) => known.get(ref) !== 'validating';
  const criteria = loaded.wanted;
  const open = criteria === undefined ? [] : refs.filter(isOpen);
  const isEmpty = open.length === 0 || batch.content.length === 0;
  const content = isEmpty ? [] : await context.checker.batch(tenantId, batch.content);
  const documents = documentsOf(batch, content ?? []);
  const wanted: string[] = [];
  const undecided: string[] = [];
  const held = new Map<string, HeldDocument>();
  const another = new Map<string, string>();
  const differing = new Map<string, readonly string[]>();
  for (const [index, ref] of open.entries()) {
    if (index % judgedAtOnce === 0) await context.yieldToRequests();
    const document = documents.get(ref);
    if (document === undefined) {
      undecided.push(ref);
      continue;
    }
    const invoices = loaded.sent.get(ref) ?? [];
    const sent = await compareWithSent(context, tenantId, document, criteria!, invoices);
    if (sent?.kind === 'busy') undecided.push(ref);
    if (sent?.kind === 'same') differing.set(sent.invoice, sent.differs);
    if (sent !== undefined && sent.kind !== 'another') continue;
    const judgement = judge(document, criteria!);
    if (judgement.kind === 'submit') {
      if (sent === undefined) wanted.push(ref);
      else another.set(ref, invoices[0]!.id);
    }
    if (!known.has(ref)) continue;
    const content = contentHash(document);
    held.set(
      ref,
      judgement.kind === 'unwanted' ? { ...judgement, content } : { kind: 'wanted', content },
    );
  }
  await db.tenant(tenantId, async (tx) => {
    const submitted = await submitNew(context, tx, target, connector, {
      refs,
      wanted,
      held,
      another,
      differing,
    });
    // A verdict may have come meanwhile, and have rejected what this corrects.
    const validating = refs.filter((ref) =>
      [known.get(ref), submitted.get(ref)].includes('validating'),
    );
    const verdictAt = new Date(clock().getTime() + verdictWaitMs);
    await context.jobs.enqueue(tx, tenantId, [
      ...undecided.map((ref) => jobOf(batch, ref)),
      ...validating.map((ref) => ({ ...jobOf(batch, ref), runAt: verdictAt })),
    ]);
    await deleteBatch(tx, tenantId, batch.id);
    await completeJobs(context, tx, tenantId, [{ job }]);
  });
}

/** Whether its content came so long ago that the source may hold another: also where nobody tried meanwhile. */
function isOld({ settings, clock }: PipelineContext, { payload }: DocumentBatchJob): boolean {
  const { firstFailedAt } = payload;
  return (
    firstFailedAt !== undefined &&
    clock().getTime() - Date.parse(firstFailedAt) > settings.sourceGiveUpMs
  );
}

/** The documents that it has the content of. */
function documentsOf({ refs }: DocumentBatch, documents: readonly BatchedDocument[]) {
  return new Map(
    refs.flatMap((ref, index) => {
      const document = documents[index];
      return document?.ref === ref ? [[ref, document] as const] : [];
    }),
  );
}

function jobOf({ id, environment, connector_id: connector }: DocumentBatch, ref: string) {
  const payload = { environment, connector, ref };
  return { queue: 'changed-document', key: `${environment} ${connector} ${id} ${ref}`, payload };
}
