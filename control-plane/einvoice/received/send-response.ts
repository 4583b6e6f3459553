import { busy } from '@drawbridge/concurrency/semaphore.ts';
import type { RejectionOutcome } from '@drawbridge/connectors/contract.ts';
import { reasonText } from '@drawbridge/lifecycle/supplier-response.ts';
import type { OutboundDocument, SubmissionOutcome } from '../../authorities/contract.ts';
import {
  invoiceResponseProcess,
  invoiceResponseType,
} from '../../authorities/peppol/invoice-response.ts';
import type { Job } from '../../platform/jobs/job.ts';
import { type ConnectorRow, findConnectors } from '../connectors/store.ts';
import type { AuthorityGateway } from '../pipeline/submission/authority-gateway.ts';
import {
  completeJobs,
  type PipelineContext,
  type PipelineJobPayload,
  type Postponement,
  reschedule,
  retryLater,
  retryWhenFree,
  triedForMs,
  waitUntil,
} from '../pipeline/work-item.ts';
import { writeToSource } from '../pipeline/write-to-source.ts';
import { refOfSource } from './from-source.ts';
import {
  findResponse,
  type ResponseRow,
  saveResponseSentAt,
  saveResponseState,
} from './response-store.ts';
import { findReceived, type ReceivedRow } from './store.ts';

/** Rejects documents of suppliers at the authority behind a connector. */
export interface Rejections {
  rejectDocument(
    tenantId: string,
    connector: ConnectorRow,
    command: { readonly ref: string; readonly reason: string },
    signal: AbortSignal,
  ): Promise<RejectionOutcome>;
}

export interface ResponseContext
  extends Pick<PipelineContext, 'db' | 'jobs' | 'clock' | 'log' | 'concurrency'> {
  readonly authorities: Pick<AuthorityGateway, 'submit' | 'lookUp'>;
  readonly rejections: Rejections;
}

type ResponseJob = Job<PipelineJobPayload>;

/** How an answer stands after an attempt, and when there is another one; without it, it is over. */
interface Step {
  readonly state: ResponseRow['state'];
  readonly reason: string | null;
  readonly reference?: string;
  /** Certainly nothing arrived, so that nothing need be looked up before the next attempt. */
  readonly isUnsent?: boolean;
  readonly again?: Postponement;
}

/** How long an answer is tried; then the document says why it did not arrive. */
const giveUpAfterMs = 30 * 86_400_000;
const noEndpointDelayMs = 600_000;
const misconfiguredDelayMs = 300_000;
/** MyInvois takes no longer reason. */
const reasonLengthMax = 300;

/** Sends an answer to a supplier: the same bytes until it is known what became of them. */
export async function sendResponse(context: ResponseContext, job: ResponseJob): Promise<void> {
  const { db, clock } = context;
  const { tenantId, payload } = job;
  const scope = { tenantId, environment: payload.environment };
  const found = await db.tenant(tenantId, async (tx) => {
    const response = await findResponse(tx, scope, job.key);
    const document = response && (await findReceived(tx, scope, response.document_id));
    return { response, document };
  });
  const { response, document } = found;
  const isOpen = response?.state === 'waiting' || response?.state === 'sent';
  if (response === undefined || document === undefined || !isOpen) {
    await db.tenant(tenantId, (tx) => completeJobs(context, tx, tenantId, [{ job }]));
    return;
  }
  const step =
    response.xml === null
      ? await reject(context, job, response, document)
      : await send(context, job, response, document);
  const now = clock();
  const isGivenUp = triedForMs(job, response.created_at, now) > giveUpAfterMs;
  await db.tenant(tenantId, async (tx) => {
    // First, because it throws when another worker has the job, and then nothing is saved.
    if (step.again === undefined || isGivenUp) await completeJobs(context, tx, tenantId, [{ job }]);
    else await reschedule(context, tx, tenantId, [step.again]);
    if (step.isUnsent) await saveResponseSentAt(tx, tenantId, response.id, null);
    await saveResponseState(tx, tenantId, response, { ...step, now });
  });
}

/** Over the network: what was perhaps sent is looked up before it is sent again. */
async function send(
  context: ResponseContext,
  job: ResponseJob,
  response: ResponseRow,
  row: ReceivedRow,
): Promise<Step> {
  const { authorities, concurrency, clock } = context;
  const { environment } = row;
  const document = outboundOf(response, row);
  const exchange = <Answer>(work: () => Promise<Answer>) =>
    concurrency.authorities.run(job.tenantId, `${row.source} responses ${environment}`, work);
  if (response.sent_at !== null) {
    const { reference, sent_at: sentAt } = response;
    const question = { document, sentAt, ...(reference === null ? {} : { reference }) };
    const known = await exchange(() => authorities.lookUp(row.source, environment, [question]));
    if (known === busy || known?.[0]?.kind !== 'retry')
      return stepOf(job, response, known, clock());
  }
  await context.db.tenant(job.tenantId, async (tx) => {
    // Refused when the lease is lost: another worker may be sending it.
    await context.jobs.renewLeases(tx, [job]);
    await saveResponseSentAt(tx, job.tenantId, response.id, clock());
  });
  const sent = await exchange(() => authorities.submit(row.source, environment, [document]));
  return stepOf(job, response, sent, clock());
}

function outboundOf(response: ResponseRow, row: ReceivedRow): OutboundDocument {
  const [scheme = '', ...address] = row.participant!.split(':');
  const { supplier, country } = row.answer_to!;
  return {
    invoiceId: response.id,
    submissionKey: response.id,
    profile: 'INVOICE-RESPONSE',
    xml: response.xml!,
    number: row.number!,
    issueDate: response.created_at.toISOString().slice(0, 10),
    sender: { scheme, id: address.join(':') },
    receiver: { scheme: supplier!.scheme, id: supplier!.id },
    documentTypeId: invoiceResponseType,
    processId: invoiceResponseProcess,
    countryC1: country!,
  };
}

function stepOf(
  job: ResponseJob,
  { state, created_at }: ResponseRow,
  answers: readonly SubmissionOutcome[] | typeof busy | undefined,
  now: Date,
): Step {
  const item = { job };
  if (answers === busy) return { state, reason: null, again: retryWhenFree(item, now) };
  if (answers === undefined) {
    const again = waitUntil(item, new Date(now.getTime() + noEndpointDelayMs));
    const reason = 'no endpoint is configured for this network';
    return { state, reason, isUnsent: true, again };
  }
  const outcome = answers[0]!;
  switch (outcome.kind) {
    case 'delivered':
    case 'cleared':
      return { state: 'delivered', reason: null, reference: outcome.reference };
    case 'refused': {
      const reason = outcome.errors.map(({ code, message }) => `${code}: ${message}`).join('; ');
      return { state: 'refused', reason: reason.slice(0, 1_000) };
    }
    case 'pending': {
      const waitedMs = now.getTime() - created_at.getTime();
      const at = new Date(now.getTime() + Math.max(outcome.pollAfterMs, waitedMs / 20));
      const { reference } = outcome;
      return { state: 'sent', reason: null, reference, again: waitUntil(item, at) };
    }
    case 'retry': {
      const again = retryLater(item, now, outcome.reason, outcome.afterMs);
      return { state: 'waiting', reason: outcome.reason, isUnsent: true, again };
    }
    case 'unknown':
      return {
        state,
        reason: outcome.reason,
        again: retryLater(item, now, outcome.reason, outcome.afterMs),
      };
    case 'misconfigured': {
      const again = retryLater(item, now, outcome.reason, misconfiguredDelayMs);
      return { state, reason: outcome.reason, again };
    }
  }
}

/** At the authority behind the connector; a second request changes nothing there. */
async function reject(
  context: ResponseContext,
  job: ResponseJob,
  response: ResponseRow,
  row: ReceivedRow,
): Promise<Step> {
  const { db, clock } = context;
  const { tenantId } = job;
  const [connector] = await db.tenant(tenantId, (tx) => findConnectors(tx, tenantId, [row.source]));
  if (connector === undefined) {
    return { state: 'refused', reason: 'the connector that it came from was removed' };
  }
  const reason = reasonText(response.answer, reasonLengthMax);
  const command = { ref: refOfSource(row.network_id), reason };
  const outcome = await writeToSource(context, tenantId, connector, (signal) =>
    context.rejections.rejectDocument(tenantId, connector, command, signal),
  );
  const now = clock();
  if (outcome === busy) {
    return { state: response.state, reason: null, again: retryWhenFree({ job }, now) };
  }
  switch (outcome.kind) {
    case 'rejected':
    case 'already':
      return { state: 'delivered', reason: null };
    case 'refused':
      return { state: 'refused', reason: outcome.reason };
    case 'unsupported':
      return { state: 'refused', reason: 'its source takes no rejections' };
    case 'unreachable': {
      const { retry, message } = outcome.fault;
      const afterMs = typeof retry === 'object' ? retry.afterSeconds * 1_000 : undefined;
      const again = retryLater({ job }, now, message, afterMs);
      return { state: response.state, reason: message, again };
    }
  }
}
