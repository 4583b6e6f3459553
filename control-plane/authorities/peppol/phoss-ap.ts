import { z } from 'zod';
import type { AuthorityContext, LookUp, OutboundDocument, SubmissionOutcome } from '../contract.ts';
import { addressing, pathOf } from './identifiers.ts';
import { fetchRejection } from './inbound.ts';
import { judge, readReport } from './sending-report.ts';
import type { Settings } from './settings.ts';
import { type Transfer, transfer } from './transfer.ts';

const pollAfterMs = 30_000;
/** How often to ask for the receiver's final status, which may take 20 minutes. */
const acknowledgedPollAfterMs = 5 * 60_000;
/** A request may arrive this late, so a missing record counts only after this time. */
const recordLagMs = 60_000;

/** Sends through phoss-ap, which stores accepted documents and retries them itself. */
export async function sendByPhossAp(
  document: OutboundDocument,
  settings: Settings,
  context: AuthorityContext,
): Promise<SubmissionOutcome> {
  const query = new URLSearchParams({ sbdhInstanceID: document.submissionKey });
  if (settings.mls_to !== undefined) query.set('mlsTo', settings.mls_to);
  const result = await transfer(context, settings.token, {
    method: 'POST',
    path: `/api/outbound/submit/${pathOf(addressing(document))}?${query}`,
    headers: { 'content-type': 'application/xml' },
    body: document.xml,
  });
  switch (result.kind) {
    case 'not-taken':
      return retryOutcome(result);
    case 'unclear':
      return { kind: 'unknown', reason: result.reason };
    case 'denied':
      return { kind: 'misconfigured', reason: result.reason };
    case 'answer':
      return readAnswer(result, document, settings, context);
  }
}

function retryOutcome(result: { reason: string; afterMs?: number }): SubmissionOutcome {
  const wait = result.afterMs === undefined ? {} : { afterMs: result.afterMs };
  return { kind: 'retry', reason: result.reason, ...wait };
}

async function readAnswer(
  answer: Extract<Transfer, { kind: 'answer' }>,
  document: OutboundDocument,
  settings: Settings,
  context: AuthorityContext,
): Promise<SubmissionOutcome> {
  const reference = document.submissionKey;
  const pending: SubmissionOutcome = { kind: 'pending', reference, pollAfterMs };
  if (answer.status === 404) {
    return { kind: 'misconfigured', reason: 'sending is disabled (HTTP 404)' };
  }
  const report = readReport(answer.body);
  if (report === undefined) {
    if (answer.status === 200) return pending;
    return recordOr(refusal(answer), document, settings, context);
  }
  const verdict = judge(report, context.clock());
  switch (verdict.kind) {
    case 'sent':
      return settings.delivered_on === 'receipt'
        ? { kind: 'delivered', reference, deliveredAt: verdict.at }
        : pending;
    case 'retriable':
      return pending; // the access point has stored it and tries again
    case 'refused':
      return { kind: 'refused', errors: verdict.errors };
  }
}

function refusal({ status, body }: { status: number; body: string }): SubmissionOutcome {
  const code = status === 422 ? 'AP:NOT_ACCEPTED' : `HTTP_${status}`;
  return { kind: 'refused', errors: [{ code, message: plainText(body) }] };
}

/** The text of a body: by the documentation a JSON string, from a proxy any text. */
function plainText(body: string): string {
  const text = body.slice(0, 500);
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'string' ? value : text;
  } catch {
    return text;
  }
}

// A second submission of the same instance gets the same message as an invalid one, so the record
// decides.
async function recordOr(
  otherwise: SubmissionOutcome,
  document: OutboundDocument,
  settings: Settings,
  context: AuthorityContext,
): Promise<SubmissionOutcome> {
  const result = await askRecord(document.submissionKey, settings, context);
  if (result.kind === 'answer' && result.status === 404) return otherwise;
  return statusOf(result, document, settings, context);
}

/** The status of a document in the access point's own record. */
export async function lookUpByPhossAp(
  { document, reference, sentAt }: LookUp,
  settings: Settings,
  context: AuthorityContext,
): Promise<SubmissionOutcome> {
  const result = await askRecord(reference ?? document.submissionKey, settings, context);
  if (result.kind === 'answer' && result.status === 404) {
    const age = sentAt === undefined ? recordLagMs : context.clock().getTime() - sentAt.getTime();
    return age < recordLagMs
      ? { kind: 'unknown', reason: 'not on record yet', afterMs: recordLagMs - age }
      : { kind: 'retry', reason: 'the access point has no record of it' };
  }
  return statusOf(result, document, settings, context);
}

function askRecord(
  instanceId: string,
  settings: Settings,
  context: AuthorityContext,
): Promise<Transfer> {
  return transfer(context, settings.token, {
    method: 'GET',
    path: `/api/outbound/status/${encodeURIComponent(instanceId)}?includeArchive=true`,
    headers: {},
  });
}

const record = z.object({
  status: z.string(),
  completedDT: z.string().nullish(),
  nextRetryDT: z.string().nullish(),
  errorDetails: z.string().nullish(),
  mlsStatus: z.string().nullish(),
});

type OutboundRecord = z.infer<typeof record>;

async function statusOf(
  result: Transfer,
  document: OutboundDocument,
  settings: Settings,
  context: AuthorityContext,
): Promise<SubmissionOutcome> {
  const reference = document.submissionKey;
  const pending: SubmissionOutcome = { kind: 'pending', reference, pollAfterMs };
  switch (result.kind) {
    case 'denied':
      return { kind: 'misconfigured', reason: result.reason };
    case 'not-taken':
      return { ...pending, pollAfterMs: result.afterMs ?? pollAfterMs };
    case 'unclear':
      return pending;
    case 'answer': {
      const found = readRecord(result.body);
      if (found === undefined) return pending;
      return recordOutcome(found, document, settings, context);
    }
  }
}

function readRecord(body: string): OutboundRecord | undefined {
  try {
    return record.safeParse(JSON.parse(body)).data;
  } catch {
    return undefined; // not a usable answer: asked again later
  }
}

async function recordOutcome(
  found: OutboundRecord,
  document: OutboundDocument,
  settings: Settings,
  context: AuthorityContext,
): Promise<SubmissionOutcome> {
  const reference = document.submissionKey;
  switch (found.status) {
    case 'rejected':
    case 'permanently_failed':
      return { kind: 'refused', errors: [sendingError(found)] };
    case 'sent':
      return sentOutcome(found, document, settings, context);
    default:
      return { kind: 'pending', reference, pollAfterMs };
  }
}

function sendingError({ status, errorDetails }: OutboundRecord) {
  const message = errorDetails ?? 'the access point gave no reason';
  return { code: /PEPPOL:[A-Z_]+/.exec(message)?.[0] ?? `AP:${status.toUpperCase()}`, message };
}

async function sentOutcome(
  found: OutboundRecord,
  document: OutboundDocument,
  settings: Settings,
  context: AuthorityContext,
): Promise<SubmissionOutcome> {
  const reference = document.submissionKey;
  const time = Date.parse(found.completedDT ?? '');
  const deliveredAt = (Number.isNaN(time) ? context.clock() : new Date(time)).toISOString();
  const delivered: SubmissionOutcome = { kind: 'delivered', reference, deliveredAt };
  switch (found.mlsStatus) {
    case 'received_ap':
    case 'not_applicable': // no MLS will come: the receipt is the final status
      return delivered;
    case 'received_re': {
      const errors = await fetchRejection(document, settings.token, context);
      const fallback = { code: 'RE', message: found.errorDetails ?? 'rejected by the receiver' };
      return { kind: 'refused', errors: errors.length > 0 ? errors : [fallback] };
    }
    case 'received_ab':
      return { kind: 'pending', reference, pollAfterMs: acknowledgedPollAfterMs };
    default:
      return settings.delivered_on === 'receipt'
        ? delivered
        : { kind: 'pending', reference, pollAfterMs };
  }
}
