import type {
  Confirmation,
  WriteBackCommand,
  WriteBackOutcome,
} from '@drawbridge/connectors/contract.ts';
import type { Job } from '../../platform/jobs/job.ts';
import { type ConnectorRow, findConnectors } from '../connectors/store.ts';
import { findInvoice, type InvoiceRow } from '../invoices/store.ts';
import {
  again,
  finish,
  type Memory,
  outOfTurn,
  type PipelineContext,
  type Rest,
  rest,
} from './course.ts';
import { busy } from './lanes.ts';
import { keepWriteBack } from './store.ts';

/** Writes into a tenant's ERP through a connector. */
export interface WriteBacks {
  write(
    tenantId: string,
    connector: ConnectorRow,
    command: WriteBackCommand,
    signal: AbortSignal,
  ): Promise<WriteBackOutcome>;
}

const timeoutMs = 60_000;
/** A source that is gone for so long is gone for good; the invoice says that it was not told. */
const giveUpMs = 30 * 86_400_000;

/** What a job of the queue `write-back` carries. */
export interface WriteBackJob extends Memory {
  readonly invoice: string;
  readonly status: Confirmation['status'];
  /** When it came to that, ISO 8601. */
  readonly settledAt: string;
}

/**
 * The final confirmation into the ERP: tried until the source answers, applied once by its
 * idempotency key.
 */
export async function writeBack(
  context: PipelineContext,
  writeBacks: WriteBacks,
  job: Job<WriteBackJob>,
): Promise<void> {
  const { tenantId, payload } = job;
  const found = await context.db.tenant(tenantId, async (tx) => {
    const invoice = await findInvoice(tx, tenantId, payload.environment, payload.invoice);
    const [connector] =
      invoice === undefined ? [] : await findConnectors(tx, tenantId, [invoice.connector_id]);
    return { invoice, connector };
  });
  const { invoice, connector } = found;
  const outcome =
    invoice === undefined || connector === undefined
      ? orphaned
      : await write(context, writeBacks, tenantId, connector, commandOf(invoice, job));
  await record(context, job, outcome);
}

const orphaned: WriteBackOutcome = { kind: 'unsupported' };

async function write(
  { lanes, log }: PipelineContext,
  writeBacks: WriteBacks,
  tenantId: string,
  connector: ConnectorRow,
  command: WriteBackCommand,
): Promise<WriteBackOutcome | typeof busy> {
  try {
    return await lanes.sources.through(`${connector.id} back`, () =>
      writeBacks.write(tenantId, connector, command, AbortSignal.timeout(timeoutMs)),
    );
  } catch (err) {
    log.error({ err, connector: connector.id }, 'a confirmation could not be written');
    const message = 'The connector could not be opened; its operator finds the cause in the log.';
    return { kind: 'unreachable', fault: { code: 'internal', message, retry: 'later' } };
  }
}

async function record(
  context: PipelineContext,
  job: Job<WriteBackJob>,
  outcome: WriteBackOutcome | typeof busy,
): Promise<void> {
  const { tenantId, payload } = job;
  const now = context.clock();
  const isWaiting = outcome === busy || outcome.kind === 'unreachable';
  const isOver = !isWaiting || now.getTime() - Date.parse(payload.settledAt) > giveUpMs;
  await context.db.tenant(tenantId, async (tx) => {
    // First, so that nothing is shown that another worker found otherwise.
    if (isOver) await finish(context, tx, tenantId, [{ job }]);
    else await rest(context, tx, tenantId, [restOf(job, outcome, now)]);
    if (outcome === busy) return;
    const { status } = payload;
    const result = { ...shown(outcome, isOver), status, at: now.toISOString() };
    await keepWriteBack(tx, tenantId, payload.invoice, result);
  });
}

function restOf(job: Job<WriteBackJob>, outcome: WriteBackOutcome | typeof busy, now: Date): Rest {
  if (outcome === busy || outcome.kind !== 'unreachable') return outOfTurn({ job }, now);
  const { retry, message } = outcome.fault;
  const afterMs = typeof retry === 'object' ? retry.afterSeconds * 1_000 : undefined;
  return again({ job }, now, message, afterMs);
}

/** What people see of an outcome; a fault's retry advice is for us. */
function shown(outcome: WriteBackOutcome, isOver: boolean): Readonly<Record<string, unknown>> {
  if (outcome.kind === 'unreachable') {
    return { outcome: isOver ? 'given-up' : 'waiting', reason: outcome.fault.message };
  }
  const { kind, ...found } = outcome;
  return { outcome: kind, ...found };
}

function commandOf(
  invoice: InvoiceRow,
  { key, payload: { status, settledAt } }: Job<WriteBackJob>,
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
    },
  };
}
