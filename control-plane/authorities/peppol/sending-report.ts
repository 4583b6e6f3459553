import { z } from 'zod';
import type { AuthorityError, SubmissionOutcome } from '../contract.ts';

const text = z.string().nullish();

/** The part of phase4's sending report that is read; both dialects answer with it. */
const schema = z.object({
  overallSuccess: z.boolean(),
  sendingResult: text,
  sbdhInstanceIdentifier: text,
  as4SendingDateTime: text,
  currentDateTimeUTC: text,
  c3CertCheckResult: text,
  sbdhParsingException: z.unknown().optional(),
  lookupError: z.unknown().optional(),
  lookupException: z.unknown().optional(),
  as4ResponseErrors: z
    .array(z.object({ errorCode: text, description: text, errorDetails: text }))
    .nullish(),
});

export type SendingReport = z.infer<typeof schema>;

export function readReport(body: string): SendingReport | undefined {
  try {
    return schema.safeParse(JSON.parse(body)).data;
  } catch {
    return undefined; // a failing access point may answer with HTML: the caller decides by status
  }
}

/** The verdict of a report; `sent` when the receiver's access point gave its receipt. */
export type ReportVerdict =
  | { readonly kind: 'sent'; readonly at: string }
  | { readonly kind: 'refused'; readonly errors: readonly AuthorityError[] }
  /** Another try of the same SBDH instance may succeed. */
  | { readonly kind: 'retriable'; readonly reason: string; readonly afterMs: number };

const transientMs = 60_000;
/** The delay for faults of certificates and registrations, which people correct within hours. */
const mendMs = 60 * 60_000;

/** Decides the verdict of a report by `overallSuccess`, because HTTP 200 alone is not success. */
export function judge(report: SendingReport, now: Date): ReportVerdict {
  if (report.overallSuccess) return { kind: 'sent', at: sentAt(report, now) };
  if (isSaid(report.sbdhParsingException)) {
    return refused('SBDH', words(report.sbdhParsingException, 'the envelope was not accepted'));
  }
  if (isSaid(report.lookupError) || isSaid(report.lookupException)) return judgeLookup(report);
  const certificate = report.c3CertCheckResult;
  if (certificate && certificate.toUpperCase() !== 'VALID') {
    const reason = `the receiver's certificate is ${certificate}`;
    return { kind: 'retriable', reason, afterMs: mendMs };
  }
  return judgeResult(report);
}

function judgeResult(report: SendingReport): ReportVerdict {
  const result = report.sendingResult ?? 'no result';
  switch (result) {
    case 'TRANSPORT_ERROR':
    case 'NO_SIGNAL_MESSAGE_RECEIVED':
    case 'INVALID_SIGNAL_MESSAGE_RECEIVED':
    case 'no result':
      return { kind: 'retriable', reason: `sending: ${result}`, afterMs: transientMs };
    case 'AS4_ERROR_MESSAGE_RECEIVED':
      return { kind: 'refused', errors: as4Errors(report) };
    default:
      // INVALID_PARAMETERS, TRANSPORT_ERROR_NO_RETRY and others that a retry does not help.
      return refused(result, 'the access point could not send the document');
  }
}

const unregistered = /not registered|unregistered|no such|not found|unknown host|NXDOMAIN|DNS/i;

function judgeLookup(report: SendingReport): ReportVerdict {
  const message = words(report.lookupException, words(report.lookupError, 'SMP lookup failed'));
  return unregistered.test(message)
    ? refused('SMP:NOT_REGISTERED', message)
    : { kind: 'retriable', reason: `SMP lookup: ${message}`, afterMs: transientMs };
}

function as4Errors(report: SendingReport): readonly AuthorityError[] {
  const errors = (report.as4ResponseErrors ?? []).map((error) => {
    const detail = error.errorDetails ?? '';
    // The AS4 code is the same EBMS:0004 for all of these; the detail begins with Peppol's own.
    const code = /PEPPOL:[A-Z_]+/.exec(detail)?.[0] ?? error.errorCode ?? 'AS4_ERROR';
    return { code, message: detail || (error.description ?? 'the receiver gave no reason') };
  });
  return errors.length > 0
    ? errors
    : [{ code: 'AS4_ERROR', message: 'the receiver gave no reason' }];
}

function sentAt(report: SendingReport, now: Date): string {
  const time = Date.parse(report.as4SendingDateTime ?? report.currentDateTimeUTC ?? '');
  return (Number.isNaN(time) ? now : new Date(time)).toISOString();
}

function refused(code: string, message: string): ReportVerdict {
  return { kind: 'refused', errors: [{ code, message }] };
}

function isSaid(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false && value !== '';
}

/** A report's error is a text, or an object with a `message`. */
function words(value: unknown, otherwise: string): string {
  if (typeof value === 'string' && value !== '') return value;
  if (typeof value === 'object' && value !== null && 'message' in value) {
    return words(value.message, otherwise);
  }
  return otherwise;
}

/** The outcome of a verdict where no status follows the receipt. */
export function receiptOutcome(verdict: ReportVerdict, reference: string): SubmissionOutcome {
  switch (verdict.kind) {
    case 'sent':
      return { kind: 'delivered', reference, deliveredAt: verdict.at };
    case 'refused':
      return { kind: 'refused', errors: verdict.errors };
    case 'retriable':
      return { kind: 'retry', reason: verdict.reason, afterMs: verdict.afterMs };
  }
}
