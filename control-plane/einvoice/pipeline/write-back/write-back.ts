import { busy } from '@drawbridge/concurrency/semaphore.ts';
import type {
  Confirmation,
  WriteBackCommand,
  WriteBackOutcome,
} from '@drawbridge/connectors/contract.ts';
import { idPattern } from '../../../platform/ids.ts';
import { byTenant, type Job } from '../../../platform/jobs/job.ts';
import { annotate, forSubjects, inSpan } from '../../../platform/tracing/active-spans.ts';
import { type ConnectorRow, findConnectors } from '../../connectors/store.ts';
import { findInvoice, findReplaced, type InvoiceRow } from '../../invoices/store.ts';
import { settleEach, settleInTurn } from '../settle-each.ts';
import { findConnectorsOf, saveWriteBack } from '../store.ts';
import {
  completeJobs,
  type PipelineContext,
  type PipelineJobPayload,
  reschedule,
  triedForMs,
} from '../work-item.ts';
import { writeAgain, writeToSource } from '../write-to-source.ts';

/** Writes into a tenant's ERP through a connector. */
export interface WriteBacks {
  write(
    tenantId: string,
    connector: ConnectorRow,
    command: WriteBackCommand,
    signal: AbortSignal,
  ): Promise<WriteBackOutcome>;
}

/** How long a write-back is tried without an answer of the source; then the invoice says so. */
const giveUpAfterMs = 30 * 86_400_000;

/** The payload of a job of the queue `write-back`. */
export interface WriteBackJobPayload extends PipelineJobPayload {
  readonly invoice: string;
  readonly status: Confirmation['status'];
  /** When the invoice reached its final state, ISO 8601. */
  readonly settledAt: string;
}

/**
 * Writes final confirmations into ERPs: the sources beside each other, those of one source in turn, because it
 * has few calls and most of them would only wait for one. Once it has none free the rest comes later.
 */
export async function writeAllBack(
  context: PipelineContext,
  writeBacks: WriteBacks,
  jobs: readonly Job<WriteBackJobPayload>[],
): Promise<void> {
  const { db, log } = context;
  await settleEach(log, byTenant(jobs), async ([tenantId, own]) => {
    const invoices = own.map(({ payload }) => payload.invoice);
    const connectors = await db.tenant(tenantId, (tx) => findConnectorsOf(tx, tenantId, invoices));
    const bySource = Map.groupBy(own, ({ payload }) => connectors.get(payload.invoice));
    await settleEach(log, bySource.values(), async (ofSource) => {
      let isBusy = false;
      await settleInTurn(log, ofSource, (job) =>
        forSubjects(
          [job],
          ({ key }) => key,
          async () => {
            if (isBusy) return record(context, job, busy);
            annotate((invoice) => ({ 'drawbridge.invoice.id': invoice }));
            const outcome = await inSpan({ name: 'write back' }, () =>
              writeBack(context, writeBacks, job),
            );
            isBusy = outcome === busy;
          },
        ),
      );
    });
  });
}

/**
 * Writes one into its ERP: tried until the source answers, applied once by its idempotency key.
 */
export async function writeBack(
  context: PipelineContext,
  writeBacks: WriteBacks,
  job: Job<WriteBackJobPayload>,
): Promise<WriteBackOutcome | typeof busy> {
  const { tenantId, payload } = job;
  const found = await context.db.tenant(tenantId, async (tx) => {
    const invoice = await findInvoice(tx, tenantId, payload.environment, payload.invoice);
    if (invoice === undefined) return undefined;
    const [[connector], replaced] = await Promise.all([
      findConnectors(tx, tenantId, [invoice.connector_id]),
      findReplaced(tx, tenantId, invoice),
    ]);
    return connector && { invoice, connector, replaced };
  });
  const outcome =
    found === undefined
      ? orphaned
      : await writeToSource(context, tenantId, found.connector, (signal) =>
          writeBacks.write(
            tenantId,
            found.connector,
            commandOf(found.invoice, found.replaced, job),
            signal,
          ),
        );
  await record(context, job, outcome);
  return outcome;
}

/** Of an invoice whose connector was deleted. */
const orphaned: WriteBackOutcome = { kind: 'unsupported' };
const deletedBefore = {
  outcome: 'given-up',
  reason: 'The connector was deleted before this was written into the ERP. Note it there by hand.',
} as const;

async function record(
  context: PipelineContext,
  job: Job<WriteBackJobPayload>,
  outcome: WriteBackOutcome | typeof busy,
): Promise<void> {
  const { tenantId, payload } = job;
  const now = context.clock();
  const isLate = triedForMs(job, new Date(payload.settledAt), now) > giveUpAfterMs;
  const isOver =
    outcome !== busy && (outcome.kind !== 'unreachable' || isLate || isTooOld(payload, outcome));
  await context.db.tenant(tenantId, async (tx) => {
    // When another worker has the job this throws, and nothing is saved.
    const settled = isOver
      ? completeJobs(context, tx, tenantId, [{ job }])
      : reschedule(context, tx, tenantId, [writeAgain({ job }, outcome, now)]);
    // Most sources are not told of what our checks rejected, which is no news of the ERP.
    const isUntold = outcome !== busy && payload.status === 'invalid' && outcome.kind !== 'written';
    if (outcome === busy || isUntold) return settled;
    const { status } = payload;
    const came = outcome === orphaned ? deletedBefore : shown(outcome, isOver);
    const result = { ...came, status, at: now.toISOString() };
    await Promise.all([settled, saveWriteBack(tx, tenantId, payload.invoice, result)]);
  });
}

/** Whether the agent does not know such confirmations yet. */
function isTooOld({ status }: WriteBackJobPayload, outcome: WriteBackOutcome): boolean {
  const isNew = status === 'invalid' || status === 'cancelled';
  return isNew && outcome.kind === 'unreachable' && outcome.fault.code === 'params_invalid';
}

/** What people see of an outcome, without a fault's advice on retries. */
function shown(outcome: WriteBackOutcome, isOver: boolean): Readonly<Record<string, unknown>> {
  if (outcome.kind === 'unreachable') {
    return { outcome: isOver ? 'given-up' : 'waiting', reason: outcome.fault.message };
  }
  const { kind, ...rest } = outcome;
  const why = outcome.kind === 'conflict' ? { reason: conflictReason(outcome.found) } : {};
  return { outcome: kind, ...rest, ...why };
}

/** Why a confirmation was not written, in words. */
function conflictReason(found: string): string {
  return idPattern('inv').test(found)
    ? `The ERP holds the confirmation of ${found} for this document already; it was left as it is. ` +
        'Compare the two invoices: the document was submitted twice.'
    : `Nothing was written, for the ERP holds ${found}. Mend it there.`;
}

function commandOf(
  invoice: InvoiceRow,
  replaced: readonly string[],
  { key, payload: { status, settledAt } }: Job<WriteBackJobPayload>,
): WriteBackCommand {
  return {
    idempotencyKey: key,
    environment: invoice.environment,
    confirmation: {
      invoiceId: invoice.id,
      sourceRef: invoice.source_ref,
      status,
      profile: invoice.profile,
      settledAt,
      ...(invoice.uin === null ? {} : { uin: invoice.uin }),
      ...(invoice.validation_url === null ? {} : { validationUrl: invoice.validation_url }),
      ...(invoice.cancellable_until === null
        ? {}
        : { cancellableUntil: invoice.cancellable_until.toISOString() }),
      ...(replaced.length === 0 ? {} : { replaces: replaced }),
    },
  };
}
