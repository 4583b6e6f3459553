import { busy } from '@drawbridge/concurrency/semaphore.ts';
import type { ConnectorFault, ReadOutcome } from '@drawbridge/connectors/contract.ts';
import type { Tx } from '../../../platform/db/tx.ts';
import { byTenant, type Job } from '../../../platform/jobs/job.ts';
import type { ConnectorRow } from '../../connectors/store.ts';
import { contentHash } from '../held-invoices/content-hash.ts';
import { settleEach } from '../settle-each.ts';
import {
  completeJobs,
  type PipelineContext,
  type PipelineJobPayload,
  type Postponement,
  reschedule,
  retryLater,
  retryWhenFree,
  waitUntil,
} from '../work-item.ts';
import { judge, type Wanted } from './judge.ts';
import { compareWithSent, unreadable } from './sent-documents.ts';
import type { SentInvoice } from './store.ts';
import { type HeldDocument, loadTarget, submitNew, unmappedReason } from './target.ts';

/**
 * The payload of a job of the queue `changed-document`: a document that an agent found new or
 * changed.
 */
export interface ChangedDocumentJobPayload extends PipelineJobPayload {
  readonly connector: string;
  readonly ref: string;
}

type ChangedDocumentJob = Job<ChangedDocumentJobPayload>;

const pullTimeoutMs = 60_000;
/** How long a change waits for the verdict on its document, which it may correct if rejected. */
export const verdictWaitMs = 5_000;

/**
 * Submits the documents that were issued since the connector's day and are posted, each once. A document
 * that was sent to an authority is never submitted again; one that validation rejected is, when it
 * changes; one that is held is withdrawn and submitted anew, so that nobody releases what is outdated.
 */
export async function submitChangedDocuments(
  context: PipelineContext,
  jobs: readonly ChangedDocumentJob[],
): Promise<void> {
  await settleEach(context.log, byTenant(jobs), async ([tenantId, own]) => {
    const sources = Map.groupBy(
      own,
      ({ payload }) => `${payload.environment} ${payload.connector}`,
    );
    await settleEach(context.log, sources.values(), (group) =>
      submitFromConnector(context, tenantId, group),
    );
  });
}

/** Submits changed documents of one connector in one environment. */
async function submitFromConnector(
  context: PipelineContext,
  tenantId: string,
  jobs: readonly ChangedDocumentJob[],
): Promise<void> {
  const { connector: connectorId, environment } = jobs[0]!.payload;
  const refs = jobs.map(({ payload }) => payload.ref);
  const target = { tenantId, environment, connectorId };
  const { connector, known, sent, wanted } = await loadTarget(context, target, refs);
  const isOpen = ({ payload }: ChangedDocumentJob) => known.get(payload.ref) !== 'validating';
  const open = wanted === undefined ? [] : jobs.filter(isOpen);
  const decisions = new Map<ChangedDocumentJob, Decision>(
    jobs.map((job) => {
      const isValidating = known.get(job.payload.ref) === 'validating';
      return [job, { kind: isValidating ? 'awaiting-verdict' : 'over' }];
    }),
  );
  if (connector !== undefined && wanted !== undefined && wanted !== 'unmapped') {
    const outcomes = await read(context, tenantId, connector, open);
    for (const [index, job] of open.entries()) {
      await context.yieldToRequests();
      const outcome = outcomes === busy ? busy : outcomes[index]!;
      const invoices = sent.get(job.payload.ref) ?? [];
      decisions.set(job, await decide(context, job, outcome, wanted, invoices));
    }
  } else if (wanted === 'unmapped') {
    for (const job of open) decisions.set(job, afterFault(context, job, unmapped));
  }
  await context.db.tenant(tenantId, (tx) =>
    record(context, tx, tenantId, jobs, decisions, connector),
  );
}

async function read(
  context: PipelineContext,
  tenantId: string,
  connector: ConnectorRow,
  jobs: readonly ChangedDocumentJob[],
): Promise<readonly ReadOutcome[] | typeof busy> {
  if (jobs.length === 0) return [];
  const refs = jobs.map(({ payload }) => payload.ref);
  const over = AbortSignal.timeout(pullTimeoutMs);
  return context.concurrency.sources.run(tenantId, connector.id, () =>
    context.sources.read(tenantId, connector, refs, over),
  );
}

/** What to do with a document. */
type Decision =
  /**
   * `content` is its hash, where it could be read; `after` the invoice of another document in a file of
   * the same name.
   */
  | {
      readonly kind: 'submit';
      readonly content: string | undefined;
      readonly after?: string | undefined;
    }
  /** It is not submitted as it is now. */
  | { readonly kind: 'unwanted'; readonly reason: string; readonly content?: string }
  | { readonly kind: 'over' }
  /** It was sent as that invoice. */
  | { readonly kind: 'sent'; readonly invoice: string; readonly differs: readonly string[] }
  /** It had no verdict when it was looked up; one that comes meanwhile may have rejected it. */
  | { readonly kind: 'awaiting-verdict' }
  | { readonly kind: 'later'; readonly postponement: Postponement };

/** `invoices` are those of the document that were sent, the latest first. */
async function decide(
  context: PipelineContext,
  job: ChangedDocumentJob,
  outcome: ReadOutcome | typeof busy,
  wanted: Wanted,
  invoices: readonly SentInvoice[],
): Promise<Decision> {
  const now = context.clock();
  const [latest] = invoices;
  if (outcome === busy) return later(retryWhenFree({ job }, now));
  switch (outcome.kind) {
    case 'missing':
      return { kind: 'unwanted', reason: 'the source no longer has it' };
    case 'unreachable':
      return afterFault(context, job, outcome.fault);
    // A document that cannot be read has no date. It is submitted, so that the client sees the
    // fault.
    case 'unusable': {
      if (latest === undefined) return { kind: 'submit', content: undefined };
      return { ...unreadable(latest, outcome.fault.message), kind: 'sent' };
    }
    case 'found': {
      const { document } = outcome;
      const sent = await compareWithSent(context, job.tenantId, document, wanted, invoices);
      if (sent?.kind === 'busy') return later(retryWhenFree({ job }, now));
      if (sent?.kind === 'same') return { ...sent, kind: 'sent' };
      const judgement = judge(document, wanted);
      const content = contentHash(document);
      if (judgement.kind === 'unwanted') return { ...judgement, content };
      return { kind: 'submit', content, after: latest?.id };
    }
  }
}

function later(postponement: Postponement): Decision {
  return { kind: 'later', postponement };
}

const unmapped = { message: unmappedReason, retry: 'later' } as const;

/** However long a source is away or not mapped, its change is not forgotten: no invoice would tell of it. */
function afterFault(
  { clock }: PipelineContext,
  job: ChangedDocumentJob,
  { retry, message }: Pick<ConnectorFault, 'retry' | 'message'>,
): Decision {
  const afterMs = typeof retry === 'object' ? retry.afterSeconds * 1_000 : undefined;
  return later(retryLater({ job }, clock(), message, afterMs));
}

async function record(
  context: PipelineContext,
  tx: Tx,
  tenantId: string,
  jobs: readonly ChangedDocumentJob[],
  decisions: ReadonlyMap<ChangedDocumentJob, Decision>,
  connector: ConnectorRow | undefined,
): Promise<void> {
  const { connector: connectorId, environment } = jobs[0]!.payload;
  const now = context.clock();
  const refs = [...new Set(jobs.map(({ payload }) => payload.ref))];
  const found = [...decisions].map(([{ payload }, decision]) => ({ ref: payload.ref, decision }));
  const wanted = found.flatMap(({ ref, decision }) =>
    decision.kind === 'submit' && decision.after === undefined ? [ref] : [],
  );
  const another = found.flatMap(({ ref, decision }) =>
    decision.kind === 'submit' && decision.after !== undefined
      ? [[ref, decision.after] as const]
      : [],
  );
  const differing = found.flatMap(({ decision }) =>
    decision.kind === 'sent' ? [[decision.invoice, decision.differs] as const] : [],
  );
  const target = { tenantId, environment, connectorId };
  const known = await submitNew(context, tx, target, connector, {
    refs,
    wanted,
    held: heldOf(decisions),
    another: new Map(another),
    differing: new Map(differing),
  });
  const postponed = jobs.flatMap((job): Postponement[] => {
    const decision = decisions.get(job)!;
    if (decision.kind === 'later') return [decision.postponement];
    const isAwaiting =
      decision.kind === 'awaiting-verdict' || known.get(job.payload.ref) === 'validating';
    return isAwaiting ? [waitUntil({ job }, new Date(now.getTime() + verdictWaitMs))] : [];
  });
  await reschedule(context, tx, tenantId, postponed);
  const resting = new Set<unknown>(postponed.map(({ item }) => item.job));
  await completeJobs(
    context,
    tx,
    tenantId,
    jobs.filter((job) => !resting.has(job)).map((job) => ({ job })),
  );
}

/** What is known of the documents now, for those of them whose invoice is held. */
function heldOf(
  decisions: ReadonlyMap<ChangedDocumentJob, Decision>,
): ReadonlyMap<string, HeldDocument> {
  const held = new Map<string, HeldDocument>();
  for (const [{ payload }, decision] of decisions) {
    if (decision.kind === 'unwanted') held.set(payload.ref, decision);
    if (decision.kind === 'submit') {
      held.set(payload.ref, { kind: 'wanted', content: decision.content });
    }
  }
  return held;
}
