import type { Draft } from '@drawbridge/cim/draft.ts';
import { busy } from '@drawbridge/concurrency/semaphore.ts';
import type { ImportCommand, WriteBackOutcome } from '@drawbridge/connectors/contract.ts';
import { newId } from '../../platform/ids.ts';
import type { Job } from '../../platform/jobs/job.ts';
import { addEvents } from '../../webhooks/store.ts';
import { type ConnectorRow, findConnectors } from '../connectors/store.ts';
import {
  completeJobs,
  type PipelineContext,
  reschedule,
  triedForMs,
} from '../pipeline/work-item.ts';
import { writeAgain, writeToSource } from '../pipeline/write-to-source.ts';
import { draftKeptEventOf } from './events.ts';
import { askedAt, type ImportAction, type ImportJobPayload, importJob } from './import-jobs.ts';
import {
  findReceived,
  findReceivedContent,
  type ImportResult,
  lockReceived,
  type ReceivedRow,
  saveImport,
} from './store.ts';

/** Puts drafts into a tenant's ERP through a connector. */
export interface DraftImports {
  importDraft(
    tenantId: string,
    connector: ConnectorRow,
    command: ImportCommand,
    signal: AbortSignal,
  ): Promise<WriteBackOutcome>;
}

export type ImportContext = Pick<
  PipelineContext,
  'db' | 'jobs' | 'clock' | 'random' | 'log' | 'concurrency'
> & { readonly imports: DraftImports };

/** How long an import is tried without an answer of the ERP; then the document says so. */
const giveUpAfterMs = 30 * 86_400_000;
/** A command goes to an agent in one frame: a longer document is read by its address. */
const xmlLengthMax = 400_000;

/** Puts one document into the ERP, or takes it out: tried until the ERP answers, applied once. */
export async function importDraft(
  context: ImportContext,
  job: Job<ImportJobPayload>,
): Promise<void> {
  const { tenantId, payload } = job;
  const scope = { tenantId, environment: payload.environment };
  const found = await context.db.tenant(tenantId, async (tx) => {
    const row = await findReceived(tx, scope, payload.document);
    const content = await findReceivedContent(tx, tenantId, payload.document);
    const [connector] =
      row?.import_to == null ? [] : await findConnectors(tx, tenantId, [row.import_to]);
    return { row, content, connector };
  });
  const { row, content, connector } = found;
  if (row !== undefined && payload.action === 'import' && isTakenBack(row)) {
    return undoInstead(context, job, row);
  }
  if (row === undefined || !content?.draft || isDone(row, payload.action)) {
    await context.db.tenant(tenantId, (tx) => completeJobs(context, tx, tenantId, [{ job }]));
    return;
  }
  const command = commandOf(row, { ...content, draft: content.draft }, payload);
  const outcome =
    connector === undefined
      ? ({ kind: 'unsupported' } as const)
      : await writeToSource(context, tenantId, connector, (signal) =>
          context.imports.importDraft(tenantId, connector, command, signal),
        );
  await record(context, job, row, outcome);
}

function isDone({ status, import: last }: ReceivedRow, action: ImportAction): boolean {
  if (action === 'import') return status === 'imported';
  // What was taken out once may be on its way again.
  return (status === 'undone' || status === 'cancelled') && last?.outcome !== 'waiting';
}

/** Whether its import is taken back: by somebody who asked for it, or because its supplier has cancelled it. */
function isTakenBack(row: ReceivedRow): boolean {
  return row.cancelled_at !== null || row.import?.action === 'undo';
}

/** Whether an attempt to import it has arrived in the ERP is not known. */
async function undoInstead(
  context: ImportContext,
  job: Job<ImportJobPayload>,
  row: ReceivedRow,
): Promise<void> {
  const { tenantId } = job;
  const attempt = newId('imp', context.clock, context.random);
  await context.db.tenant(tenantId, async (tx) => {
    await completeJobs(context, tx, tenantId, [{ job }]);
    await context.jobs.enqueue(tx, tenantId, [importJob(row, 'undo', attempt)]);
  });
}

async function record(
  context: ImportContext,
  job: Job<ImportJobPayload>,
  row: ReceivedRow,
  outcome: WriteBackOutcome | typeof busy,
): Promise<void> {
  const { tenantId, payload } = job;
  const now = context.clock();
  const isLate = triedForMs(job, askedAt(payload), now) > giveUpAfterMs;
  const isWaiting = outcome === busy || (outcome.kind === 'unreachable' && !isLate);
  await context.db.tenant(tenantId, async (tx) => {
    // The document before its job, as whoever asks for an import or an undoing.
    const current = (await lockReceived(tx, { tenantId, environment: row.environment }, row.id))!;
    // Throws when another worker has the job, and then nothing is saved.
    if (isWaiting) await reschedule(context, tx, tenantId, [writeAgain({ job }, outcome, now)]);
    else await completeJobs(context, tx, tenantId, [{ job }]);
    if (outcome === busy) return;
    const change = changeOf(outcome, payload.action, current, now, isWaiting);
    if (payload.action === 'import' && isTakenBack(current)) {
      // Its next attempt becomes its undoing.
      if (isWaiting) return;
      const attempt = newId('imp', () => now, context.random);
      await context.jobs.enqueue(tx, tenantId, [importJob(current, 'undo', attempt)]);
    }
    await saveImport(tx, tenantId, row.id, { ...change, importTo: row.import_to!, now });
    const isKept = payload.action === 'undo' && change.status === 'imported' && !isWaiting;
    if (isKept && current.cancelled_at !== null) {
      const moment = { now, random: context.random };
      const event = draftKeptEventOf(current, change.result.reason ?? '', moment);
      await addEvents(tx, tenantId, [event]);
    }
  });
}

interface ImportChange {
  readonly status: ReceivedRow['status'];
  readonly result: ImportResult;
}

function changeOf(
  outcome: WriteBackOutcome,
  action: ImportAction,
  { status, cancelled_at }: ReceivedRow,
  now: Date,
  isWaiting: boolean,
): ImportChange {
  const at = now.toISOString();
  const isOut = cancelled_at === null ? 'undone' : 'cancelled';
  switch (outcome.kind) {
    case 'written':
    case 'already': {
      const { kind, target } = outcome;
      return action === 'import'
        ? { status: 'imported', result: { outcome: kind, target, at } }
        : { status: isOut, result: { outcome: 'undone', target, at } };
    }
    case 'conflict': {
      // A draft that cannot be taken out is there.
      const found = action === 'undo' ? 'imported' : status;
      return { status: found, result: { outcome: 'conflict', reason: outcome.found, at } };
    }
    case 'unsupported': {
      const reason =
        'The connector takes no drafts, or was removed: name another by "connector_id".';
      const isNowhere = cancelled_at !== null && status !== 'imported';
      const after = isNowhere ? 'cancelled' : status;
      return { status: after, result: { outcome: 'unsupported', reason, at } };
    }
    case 'unreachable': {
      const { message: reason } = outcome.fault;
      return {
        status,
        result: { outcome: isWaiting ? 'waiting' : 'given-up', action, reason, at },
      };
    }
  }
}

function commandOf(
  row: ReceivedRow,
  { document, draft }: { readonly document: string; readonly draft: Draft },
  { action, idempotencyKey }: ImportJobPayload,
): ImportCommand {
  const isCarried = action === 'import' && document.length <= xmlLengthMax;
  return {
    idempotencyKey,
    environment: row.environment,
    action,
    document: {
      id: row.id,
      ...(row.profile === null ? {} : { profile: row.profile }),
      source: row.source,
      networkId: row.network_id,
      receivedAt: row.received_at.toISOString(),
      draft,
      ...(isCarried ? { xml: document } : {}),
    },
  };
}
