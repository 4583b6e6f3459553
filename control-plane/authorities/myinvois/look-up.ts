import type { LookUp, OutboundDocument, SubmissionOutcome } from '../contract.ts';
import { details, type Summary, submissionPage } from './answers.ts';
import { call } from './call.ts';
import {
  clearedOutcome,
  pollAfterMs,
  readReference,
  statusWord,
  writeReference,
} from './document-status.ts';
import { decodeErrors, earlierUuid } from './errors.ts';
import type { Failure, Session } from './exchange.ts';
import { searchDocuments } from './search.ts';

const pageSize = 100;
/** Enough for the 100 documents of a submission; with more pages it is not one of this product. */
const pagesMax = 5;

/** The status of one taxpayer's documents; those without a reference are searched for first. */
export async function lookUpDocuments(
  questions: readonly LookUp[],
  session: Session,
): Promise<readonly SubmissionOutcome[]> {
  const outcomes = new Map<LookUp, SubmissionOutcome>();
  const references = new Map<LookUp, string>();
  const lost = questions.filter((question) => question.reference === undefined);
  for (const question of questions) {
    if (question.reference !== undefined) references.set(question, question.reference);
  }
  const searched = await searchDocuments(lost, session);
  lost.forEach((question, index) => {
    const found = searched[index];
    if (typeof found === 'string') references.set(question, found);
    else if (found !== undefined) outcomes.set(question, found);
  });
  for (const [question, outcome] of await followReferences(references, session)) {
    outcomes.set(question, outcome);
  }
  return questions.map(
    (question) => outcomes.get(question) ?? { kind: 'unknown', reason: 'not asked' },
  );
}

async function followReferences(
  references: ReadonlyMap<LookUp, string>,
  session: Session,
): Promise<ReadonlyMap<LookUp, SubmissionOutcome>> {
  const outcomes = new Map<LookUp, SubmissionOutcome>();
  const submissions = Map.groupBy(
    references,
    ([, reference]) => readReference(reference).submissionUid,
  );
  for (const [submissionUid, members] of submissions) {
    const listed =
      submissionUid === ''
        ? new Map<string, Summary>()
        : await readSubmission(submissionUid, session);
    for (const [question, reference] of members) {
      const outcome =
        listed instanceof Map
          ? await statusOf(question.document, reference, listed, session)
          : failureOutcome(listed, reference);
      outcomes.set(question, outcome);
    }
  }
  return outcomes;
}

/** All documents of a submission by uuid; reads every page. */
async function readSubmission(
  submissionUid: string,
  session: Session,
): Promise<Map<string, Summary> | Failure> {
  const listed = new Map<string, Summary>();
  for (let pageNo = 1; pageNo <= pagesMax; pageNo += 1) {
    const query = `pageNo=${pageNo}&pageSize=${pageSize}`;
    const path = `/api/v1.0/documentsubmissions/${encodeURIComponent(submissionUid)}?${query}`;
    const result = await call(session, { method: 'GET', path, headers: {} });
    if (result.kind !== 'answer') return result;
    if (result.status !== 200) break;
    const page = submissionPage.safeParse(result.body).data;
    if (page === undefined) return { kind: 'unclear', reason: 'the submission cannot be read' };
    const rows = page.documentSummary ?? [];
    for (const row of rows) listed.set(row.uuid, row);
    if (rows.length === 0 || listed.size >= (page.documentCount ?? Number.POSITIVE_INFINITY)) break;
  }
  return listed;
}

function failureOutcome(failure: Failure, reference: string): SubmissionOutcome {
  if (failure.kind === 'denied') return { kind: 'misconfigured', reason: failure.reason };
  const wait = failure.kind === 'not-taken' ? failure.afterMs : undefined;
  return { kind: 'pending', reference, pollAfterMs: wait ?? pollAfterMs };
}

async function statusOf(
  document: OutboundDocument,
  reference: string,
  listed: ReadonlyMap<string, Summary>,
  session: Session,
): Promise<SubmissionOutcome> {
  const { uuid } = readReference(reference);
  const summary = listed.get(uuid);
  if (summary === undefined) return standingByDetails(document, reference, session);
  switch (statusWord(summary.status)) {
    case 'valid':
    case 'cancelled':
      return clearedOutcome(document, summary, session);
    case 'invalid':
      return standingByDetails(document, reference, session);
    case 'submitted':
    case 'other':
      return { kind: 'pending', reference, pollAfterMs };
  }
}

/** Asks for the document's details, which alone have the errors of an invalid one. */
async function standingByDetails(
  document: OutboundDocument,
  reference: string,
  session: Session,
): Promise<SubmissionOutcome> {
  const { uuid } = readReference(reference);
  const found = await readDetails(uuid, session);
  if (found === 'missing') return { kind: 'unknown', reason: 'MyInvois no longer lists it' };
  if (found === undefined) return { kind: 'pending', reference, pollAfterMs };
  if ('kind' in found) return failureOutcome(found, reference);
  switch (statusWord(found.status)) {
    case 'valid':
    case 'cancelled':
      return clearedOutcome(document, found, session);
    case 'invalid': {
      const refused: SubmissionOutcome = { kind: 'refused', errors: found.errors };
      const earlier = earlierUuid(found.errors, uuid);
      return earlier === undefined
        ? refused
        : resolveEarlier(document, earlier, refused, session, reference);
    }
    case 'submitted':
    case 'other':
      return { kind: 'pending', reference, pollAfterMs };
  }
}

/**
 * A duplicate means that this document was accepted before, so the earlier one's status is its
 * status. This holds only when it has the same number; otherwise the outcome is `refused`.
 */
export async function resolveEarlier(
  document: OutboundDocument,
  uuid: string,
  refused: SubmissionOutcome,
  session: Session,
  reference = writeReference(undefined, uuid),
): Promise<SubmissionOutcome> {
  const found = await readDetails(uuid, session);
  if (found === undefined || found === 'missing') return refused;
  if ('kind' in found) return failureOutcome(found, reference);
  if (found.internalId && found.internalId !== document.number) return refused;
  switch (statusWord(found.status)) {
    case 'valid':
    case 'cancelled':
      return clearedOutcome(document, found, session);
    case 'invalid':
      return refused;
    case 'submitted':
    case 'other':
      return { kind: 'pending', reference: writeReference(undefined, uuid), pollAfterMs };
  }
}

type Details = Summary & { readonly errors: ReturnType<typeof decodeErrors> };

async function readDetails(
  uuid: string,
  session: Session,
): Promise<Details | Failure | 'missing' | undefined> {
  const path = `/api/v1.0/documents/${encodeURIComponent(uuid)}/details`;
  const result = await call(session, { method: 'GET', path, headers: {} });
  if (result.kind !== 'answer') return result;
  if (result.status === 404) return 'missing';
  const found = result.status === 200 ? details.safeParse(result.body).data : undefined;
  if (found === undefined) return undefined;
  const steps = found.validationResults?.validationSteps ?? [];
  const failed = steps.filter((step) => step.error !== undefined && step.error !== null);
  return { ...found, errors: failed.flatMap((step) => decodeErrors(step.error)) };
}
