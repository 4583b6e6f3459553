import {
  cannotFollow,
  type ResponseStatus,
  responseCodes,
  type SupplierAnswer,
} from '@drawbridge/lifecycle/supplier-response.ts';
import { writeInvoiceResponse } from '../../authorities/peppol/invoice-response.ts';
import { authorities } from '../../authorities/registry.ts';
import type { TenantScope } from '../../platform/auth/tenant-scope.ts';
import type { Tx } from '../../platform/db/tx.ts';
import { newId, type RandomBytes } from '../../platform/ids.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import type { PipelineJobPayload } from '../pipeline/work-item.ts';
import { rejectionEndJob } from './rejection-end.ts';
import { releaseDuplicate, returnDuplicate } from './release-duplicate.ts';
import { insertResponse, type NewResponse, saveLastResponse } from './response-store.ts';
import { findReceived, lockNumber, lockReceived, type ReceivedRow } from './store.ts';

/** The queue of answers to suppliers: one job for each answer. */
export const responseQueue = 'supplier-response';

/** What became of an answer that somebody gave. */
export type RespondOutcome =
  | { readonly kind: 'missing' }
  /** `isNew` is false when the supplier was told the same before. */
  | { readonly kind: 'taken'; readonly row: ReceivedRow; readonly isNew: boolean }
  | { readonly kind: 'refused'; readonly reason: string };

export interface RespondRequest {
  readonly id: string;
  readonly answer: SupplierAnswer;
  /** The user, the key or the host's command. */
  readonly by: string;
  readonly now: Date;
  readonly random: RandomBytes;
}

/** Takes an answer to a supplier: its bytes are frozen, and a job sends them once in effect. */
export async function respond(
  tx: Tx,
  jobs: Pick<Jobs, 'enqueue'>,
  scope: TenantScope,
  { id, answer, by, now, random }: RespondRequest,
): Promise<RespondOutcome> {
  const known = await findReceived(tx, scope, id);
  if (known === undefined) return { kind: 'missing' };
  // The number before the document, as everywhere.
  await lockNumber(tx, scope.tenantId, known.number ?? '');
  // Two who answer at once see each other's answer.
  const row = (await lockReceived(tx, scope, id))!;
  const last = row.response;
  if (last !== null && last.state !== 'refused') {
    if (last.status === answer.status) return { kind: 'taken', row, isNew: false };
    const why = cannotFollow(last.status, answer.status);
    if (why !== undefined) return { kind: 'refused', reason: why };
  }
  if (row.cancelled_at !== null) {
    const when = row.cancelled_at.toISOString();
    return { kind: 'refused', reason: `Its supplier cancelled it at ${when}.` };
  }
  if (last?.status === 'rejected' && answer.status !== 'rejected') {
    const instead = await returnDuplicate(tx, scope, row, now);
    if (instead !== undefined) {
      return { kind: 'refused', reason: `${instead} has come in its place. Answer that one.` };
    }
  }
  const responseId = newId('rsp', () => now, random);
  const written = isOfNetwork(row)
    ? invoiceResponse(row, answer, responseId, now)
    : rejection(row, answer.status, now);
  if (written.kind === 'refused') return written;
  const fresh: NewResponse = {
    id: responseId,
    document_id: id,
    answer,
    xml: written.xml,
    made_by: by,
    created_at: now,
  };
  await insertResponse(tx, scope, fresh);
  const response = {
    id: responseId,
    status: answer.status,
    state: 'waiting',
    at: now.toISOString(),
  } as const;
  await saveLastResponse(tx, scope.tenantId, id, response);
  const payload: PipelineJobPayload = { environment: scope.environment };
  await jobs.enqueue(tx, scope.tenantId, [{ queue: responseQueue, key: responseId, payload }]);
  if (written.xml === null && row.rejectable_until !== null) {
    await jobs.enqueue(tx, scope.tenantId, [rejectionEndJob(row, row.rejectable_until)]);
  }
  if (answer.status === 'rejected') await releaseDuplicate(tx, scope, row, { now, random });
  return { kind: 'taken', row: { ...row, response, updated_at: now }, isNew: true };
}

/** Whether it came over a network, by which its supplier is answered. */
function isOfNetwork({ source }: Pick<ReceivedRow, 'source'>): boolean {
  return authorities.some(({ id }) => id === source);
}

type Written =
  | { readonly kind: 'written'; readonly xml: string | null }
  | { readonly kind: 'refused'; readonly reason: string };

/** An Invoice Response of Peppol. */
function invoiceResponse(
  { answer_to: to, participant, number, issue_date: issueDate, document_type: type }: ReceivedRow,
  { status, reasons, actions, note }: SupplierAnswer,
  id: string,
  issuedAt: Date,
): Written {
  if (
    !to?.supplier ||
    !to.country ||
    participant === null ||
    number === null ||
    issueDate === null
  ) {
    const reason =
      'The document does not say where its supplier is answered: it needs electronic addresses, and the country of the buyer.';
    return { kind: 'refused', reason };
  }
  const [scheme = '', ...address] = participant.split(':');
  const xml = writeInvoiceResponse({
    id,
    issuedAt,
    sender: { scheme, id: address.join(':'), name: to.buyer?.name ?? participant },
    receiver: to.supplier,
    code: responseCodes[status],
    note,
    clarifications: [
      ...reasons.map(({ code, text }) => ({ list: 'OPStatusReason' as const, code, text })),
      ...actions.map(({ code, text }) => ({ list: 'OPStatusAction' as const, code, text })),
    ],
    document: {
      number,
      issueDate,
      typeCode: to.type_code ?? (type === 'credit-note' ? '381' : '380'),
    },
  });
  return { kind: 'written', xml };
}

/** MyInvois takes a rejection, in time, and nothing else. */
function rejection(
  { rejectable_until: until }: ReceivedRow,
  status: ResponseStatus,
  now: Date,
): Written {
  if (until === null) {
    const reason = 'Its source takes no answers: they go over Peppol, or to MyInvois.';
    return { kind: 'refused', reason };
  }
  if (status !== 'rejected') {
    return {
      kind: 'refused',
      reason: 'MyInvois takes a rejection only; accept it by importing it.',
    };
  }
  if (until <= now) {
    const reason = `The time to reject it ended at ${until.toISOString()}. Ask the supplier to cancel it, or for a credit note.`;
    return { kind: 'refused', reason };
  }
  return { kind: 'written', xml: null };
}
