import { createHash } from 'node:crypto';
import type { OutboundDocument, SubmissionOutcome, WireRequest } from '../contract.ts';
import { submissionAnswer } from './answers.ts';
import { call } from './call.ts';
import { pollAfterMs, writeReference } from './document-status.ts';
import { decodeErrors, earlierUuid } from './errors.ts';
import type { Answer, Failure, Session } from './exchange.ts';
import { lookUpDocuments, resolveEarlier } from './look-up.ts';

/** Limits of one submission. MB and KB are taken in the smaller of their two meanings. */
export const submissionLimits = {
  documentsMax: 100,
  bodyBytesMax: 5_000_000,
  documentBytesMax: 300_000,
} as const;

interface Entry {
  readonly document: OutboundDocument;
  /** The document's JSON within the submission. */
  readonly json: string;
}

/**
 * Submits documents of one taxpayer in as few submissions as the limits allow; outcomes in their
 * order.
 */
export async function submitDocuments(
  documents: readonly OutboundDocument[],
  session: Session,
): Promise<readonly SubmissionOutcome[]> {
  const outcomes = new Map<OutboundDocument, SubmissionOutcome>();
  const entries: Entry[] = [];
  for (const document of documents) {
    const bytes = Buffer.from(document.xml, 'utf8');
    if (bytes.length > submissionLimits.documentBytesMax) outcomes.set(document, oversize(bytes));
    else entries.push({ document, json: entryJson(document, bytes) });
  }
  let obstacle: SubmissionOutcome | undefined;
  for (const batch of batches(entries)) {
    // A reached limit or a refused client fails the next submission too, so it is not sent.
    const answers = obstacle === undefined ? await submitBatch(batch, session) : undefined;
    batch.forEach(({ document }, index) => {
      outcomes.set(document, answers?.[index] ?? obstacle ?? nothingSaid);
    });
    obstacle ??= commonObstacle(answers ?? []);
  }
  return documents.map((document) => outcomes.get(document) ?? nothingSaid);
}

function commonObstacle(outcomes: readonly SubmissionOutcome[]): SubmissionOutcome | undefined {
  const [first] = outcomes;
  const isObstacle = first?.kind === 'retry' || first?.kind === 'misconfigured';
  return isObstacle && outcomes.every(({ kind }) => kind === first.kind) ? first : undefined;
}

const nothingSaid: SubmissionOutcome = {
  kind: 'unknown',
  reason: 'MyInvois took the submission without a word on this document',
};

function oversize(bytes: Uint8Array): SubmissionOutcome {
  const message = `${bytes.length} bytes are above MyInvois's ${submissionLimits.documentBytesMax}`;
  return { kind: 'refused', errors: [{ code: 'MaximumSizeExceeded', message }] };
}

function entryJson(document: OutboundDocument, bytes: Buffer): string {
  return JSON.stringify({
    format: 'XML',
    document: bytes.toString('base64'),
    documentHash: createHash('sha256').update(bytes).digest('hex'),
    codeNumber: document.number,
  });
}

/**
 * Divides entries into submissions. Answers name documents by their number, so no submission has a
 * number twice.
 */
function batches(entries: readonly Entry[]): readonly (readonly Entry[])[] {
  const done: Entry[][] = [];
  let waiting = entries;
  while (waiting.length > 0) {
    const batch: Entry[] = [];
    const numbers = new Set<string>();
    const later: Entry[] = [];
    let size = '{"documents":[]}'.length;
    for (const entry of waiting) {
      const bytes = Buffer.byteLength(entry.json) + 1;
      const fits =
        batch.length < submissionLimits.documentsMax &&
        size + bytes <= submissionLimits.bodyBytesMax &&
        !numbers.has(entry.document.number);
      if (!fits) {
        later.push(entry);
        continue;
      }
      batch.push(entry);
      numbers.add(entry.document.number);
      size += bytes;
    }
    done.push(batch);
    waiting = later;
  }
  return done;
}

function submissionRequest(entries: readonly Entry[]): WireRequest {
  return {
    method: 'POST',
    path: '/api/v1.0/documentsubmissions/',
    headers: { 'content-type': 'application/json' },
    body: `{"documents":[${entries.map((entry) => entry.json).join(',')}]}`,
  };
}

async function submitBatch(
  batch: readonly Entry[],
  session: Session,
): Promise<readonly SubmissionOutcome[]> {
  const result = await call(session, submissionRequest(batch));
  if (result.kind !== 'answer') return batch.map(() => failureOutcome(result));
  switch (result.status) {
    case 200:
    case 202:
      return readVerdicts(batch, result, session);
    case 422:
      return findTheFirst(batch, result, session);
    case 400:
    case 403:
    case 413:
      return batch.length > 1 ? submitHalves(batch, session) : [refusal(result)];
    default:
      return batch.map(() => ({
        kind: 'misconfigured',
        reason: `MyInvois answered ${result.status} to a submission`,
      }));
  }
}

function failureOutcome(failure: Failure): SubmissionOutcome {
  switch (failure.kind) {
    case 'not-taken': {
      const wait = failure.afterMs === undefined ? {} : { afterMs: failure.afterMs };
      return { kind: 'retry', reason: failure.reason, ...wait };
    }
    case 'unclear':
      return { kind: 'unknown', reason: failure.reason };
    case 'denied':
      return { kind: 'misconfigured', reason: failure.reason };
  }
}

// MyInvois refuses a whole submission because of one bad document: halve until that one is alone.
async function submitHalves(
  batch: readonly Entry[],
  session: Session,
): Promise<readonly SubmissionOutcome[]> {
  const middle = Math.ceil(batch.length / 2);
  const first = await submitBatch(batch.slice(0, middle), session);
  const second = await submitBatch(batch.slice(middle), session);
  return [...first, ...second];
}

function refusal(answer: Answer): SubmissionOutcome {
  const errors = decodeErrors(answer.body);
  if (answer.status !== 403) return { kind: 'refused', errors };
  const [first] = errors;
  return {
    kind: 'misconfigured',
    reason: `MyInvois does not let this client submit: ${first?.code ?? 'Forbidden'}`,
  };
}

/**
 * After a 422: the same bytes came in the last ten minutes, so an earlier attempt arrived. Looks
 * for its document.
 */
async function findTheFirst(
  batch: readonly Entry[],
  answer: Answer,
  session: Session,
): Promise<readonly SubmissionOutcome[]> {
  const questions = batch.map(({ document }) => ({ document }));
  const statuses = await lookUpDocuments(questions, session);
  const wait = answer.retryAfterMs === undefined ? {} : { afterMs: answer.retryAfterMs };
  return statuses.map((status) =>
    status.kind === 'retry' || status.kind === 'unknown'
      ? { kind: 'unknown', reason: 'submitted before, and not listed yet', ...wait }
      : status,
  );
}

async function readVerdicts(
  batch: readonly Entry[],
  answer: Answer,
  session: Session,
): Promise<readonly SubmissionOutcome[]> {
  const verdicts = submissionAnswer.safeParse(answer.body).data;
  if (verdicts === undefined) {
    const reason = 'MyInvois took the submission with an answer that cannot be read';
    return batch.map(() => ({ kind: 'unknown', reason }));
  }
  const accepted = new Map(verdicts.accepted.map((row) => [row.invoiceCodeNumber, row.uuid]));
  const rejected = new Map(verdicts.rejected.map((row) => [row.invoiceCodeNumber, row.error]));
  const outcomes: SubmissionOutcome[] = [];
  for (const { document } of batch) {
    const uuid = accepted.get(document.number);
    if (uuid !== undefined) {
      const reference = writeReference(verdicts.submissionUid, uuid);
      outcomes.push({ kind: 'pending', reference, pollAfterMs });
    } else if (rejected.has(document.number)) {
      outcomes.push(await rejection(document, rejected.get(document.number), session));
    } else {
      outcomes.push(nothingSaid);
    }
  }
  return outcomes;
}

async function rejection(
  document: OutboundDocument,
  envelope: unknown,
  session: Session,
): Promise<SubmissionOutcome> {
  const errors = decodeErrors(envelope);
  const earlier = earlierUuid(errors);
  const refused: SubmissionOutcome = { kind: 'refused', errors };
  return earlier === undefined ? refused : resolveEarlier(document, earlier, refused, session);
}
