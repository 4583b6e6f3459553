import type { LookUp, SubmissionOutcome } from '../contract.ts';
import { type Summary, searchPage } from './answers.ts';
import { call } from './call.ts';
import { instant, type StatusWord, statusWord, writeReference } from './document-status.ts';
import type { Failure, Session } from './exchange.ts';
import { issuedAtOf } from './frozen-document.ts';

const pageSize = 100;
/** A client may search 12 times a minute; one call uses less than half of that. */
const pagesMax = 5;
const daysMax = 31;
/** A document may be listed late: "not found" counts only this long after it was sent. */
const listingLagMs = 5 * 60_000;
const marginMs = 60 * 60_000;

/**
 * Looks for documents whose answer was lost, all in one search over the time in which they were
 * sent. Returns the reference of each that is found, otherwise its outcome: `retry` when the
 * authority does not have it.
 */
export async function searchDocuments(
  questions: readonly LookUp[],
  session: Session,
): Promise<readonly (string | SubmissionOutcome)[]> {
  if (questions.length === 0) return [];
  const listed = await readPages(questions, session);
  if ('kind' in listed) return questions.map(() => failureOutcome(listed));
  const now = session.context.clock().getTime();
  return questions.map((question) => {
    const found = bestMatch(question, listed.rows);
    if (found !== undefined) {
      return writeReference(found.submissionUid ?? found.submissionUID ?? undefined, found.uuid);
    }
    if (!listed.complete) {
      return { kind: 'unknown', reason: 'not among the documents searched so far' };
    }
    const settledAt = (question.sentAt?.getTime() ?? now - listingLagMs) + listingLagMs;
    return settledAt > now
      ? { kind: 'unknown', reason: 'not listed yet', afterMs: settledAt - now }
      : { kind: 'retry', reason: 'MyInvois has no trace of it' };
  });
}

function failureOutcome(failure: Failure): SubmissionOutcome {
  if (failure.kind === 'denied') return { kind: 'misconfigured', reason: failure.reason };
  const wait = failure.kind === 'not-taken' ? failure.afterMs : undefined;
  return {
    kind: 'unknown',
    reason: `not found out: ${failure.reason}`,
    ...(wait === undefined ? {} : { afterMs: wait }),
  };
}

async function readPages(
  questions: readonly LookUp[],
  session: Session,
): Promise<{ rows: readonly Summary[]; complete: boolean } | Failure> {
  const rows: Summary[] = [];
  for (let pageNo = 1; pageNo <= pagesMax; pageNo += 1) {
    const path = `/api/v1.0/documents/search?${searchQuery(questions, pageNo, session)}`;
    const result = await call(session, { method: 'GET', path, headers: {} });
    if (result.kind !== 'answer') return result;
    const page = result.status === 200 ? searchPage.safeParse(result.body).data : undefined;
    if (page === undefined) {
      return { kind: 'unclear', reason: `MyInvois answered ${result.status} to a search` };
    }
    const found = page.result ?? [];
    rows.push(...found);
    const pages = page.metadata?.totalPages ?? undefined;
    const isLast = pages === undefined ? found.length < pageSize : pageNo >= pages;
    if (isLast) return { rows, complete: true };
  }
  return { rows, complete: false };
}

function searchQuery(questions: readonly LookUp[], pageNo: number, session: Session): string {
  const now = session.context.clock().getTime();
  const earliest = now - daysMax * 86_400_000 + marginMs * 2;
  const sent = questions.map(({ sentAt }) => sentAt?.getTime() ?? earliest);
  const from = Math.max(Math.min(...sent) - marginMs, earliest);
  const query = new URLSearchParams({
    submissionDateFrom: seconds(from),
    submissionDateTo: seconds(now + marginMs),
    invoiceDirection: 'Sent',
    pageNo: String(pageNo),
    pageSize: String(pageSize),
  });
  const [only] = questions;
  if (questions.length === 1 && only !== undefined) query.set('searchQuery', only.document.number);
  return query.toString();
}

function seconds(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

const preference: readonly StatusWord[] = ['valid', 'submitted', 'cancelled', 'other', 'invalid'];

/**
 * The row with the document's number and instant of issue. An earlier document that was refused and
 * then corrected has the same number only.
 */
function bestMatch({ document }: LookUp, rows: readonly Summary[]): Summary | undefined {
  const issuedAt = issuedAtOf(document.xml)?.getTime();
  const matches = rows.filter((row) => {
    if (row.internalId !== document.number) return false;
    const listedAt = instant(row.dateTimeIssued)?.getTime();
    return issuedAt === undefined || listedAt === undefined || issuedAt === listedAt;
  });
  const rank = (row: Summary) => preference.indexOf(statusWord(row.status));
  return matches.sort((a, b) => rank(a) - rank(b))[0];
}
