import type { AuthorityStatus, OutboundDocument, SubmissionOutcome } from '../contract.ts';
import type { Summary } from './answers.ts';
import type { Session } from './exchange.ts';
import { shareLink } from './settings.ts';
import { cancellationHours } from './workflow.ts';

/** MyInvois asks clients to poll a submission every 3 to 5 seconds. */
export const pollAfterMs = 5_000;

/** A document's reference: the submission it came in, when known, and its own id. */
export function writeReference(submissionUid: string | undefined, uuid: string): string {
  return `${submissionUid ?? ''}/${uuid}`;
}

export function readReference(reference: string): { submissionUid: string; uuid: string } {
  const cut = reference.indexOf('/');
  return { submissionUid: reference.slice(0, Math.max(cut, 0)), uuid: reference.slice(cut + 1) };
}

export type StatusWord = 'submitted' | 'valid' | 'invalid' | 'cancelled' | 'other';

/**
 * Status words come as `InProgress` and as `in progress`: compared in lower case without spaces.
 */
export function statusWord(status: string): StatusWord {
  const plain = status.toLowerCase().replace(/\s+/g, '');
  switch (plain) {
    case 'submitted':
    case 'valid':
    case 'invalid':
    case 'cancelled':
      return plain;
    default:
      return 'other';
  }
}

/** The outcome of a document that MyInvois has validated (a cancelled one was valid before). */
export async function clearedOutcome(
  document: OutboundDocument,
  found: Summary,
  session: Session,
): Promise<SubmissionOutcome> {
  const { endpoint, clock } = session.context;
  const validatedAt = instant(found.dateTimeValidated) ?? clock();
  const hours = await cancellationHours(document, validatedAt, session);
  const status = authorityStatus(found);
  return {
    kind: 'cleared',
    uin: found.uuid,
    reference: writeReference(found.submissionUid ?? found.submissionUID ?? undefined, found.uuid),
    clearedAt: validatedAt.toISOString(),
    ...(found.longId
      ? { validationUrl: shareLink(endpoint, session.portalUrl, found.uuid, found.longId) }
      : {}),
    ...(hours === undefined
      ? {}
      : { cancellableUntil: new Date(validatedAt.getTime() + hours * 3_600_000).toISOString() }),
    ...(status === undefined ? {} : { authorityStatus: status }),
  };
}

function authorityStatus(found: Summary): AuthorityStatus | undefined {
  if (statusWord(found.status) === 'cancelled') return 'cancelled';
  return found.rejectRequestDateTime ? 'rejection-requested' : undefined;
}

/** An instant as MyInvois writes it; undefined when absent or not valid. */
export function instant(text: string | null | undefined): Date | undefined {
  const time = Date.parse(text ?? '');
  return Number.isNaN(time) ? undefined : new Date(time);
}
