import type { Confirmation, WriteBackCommand } from './contract.ts';
import { shortened } from './fault.ts';

/**
 * The confirmation that the ERP already holds for a document; `status` is absent where it keeps
 * none.
 */
export interface StoredConfirmation {
  readonly invoiceId: string;
  readonly status?: string | undefined;
  readonly settledAt?: string | undefined;
  readonly idempotencyKey?: string | undefined;
}

export type ConfirmationDecision =
  | { readonly kind: 'write' }
  | { readonly kind: 'already' }
  | { readonly kind: 'conflict'; readonly found: string };

const ranks: Readonly<Record<Confirmation['status'], number>> = {
  cleared: 1,
  delivered: 2,
  acknowledged: 3,
  rejected: 3,
  invalid: 3,
  cancelled: 4,
};

/** For a source whose readers need not tell who rejected a document: the authority, or our own checks. */
export function asRejected(command: WriteBackCommand): WriteBackCommand {
  const { confirmation } = command;
  if (confirmation.status !== 'invalid') return command;
  return { ...command, confirmation: { ...confirmation, status: 'rejected' } };
}

/**
 * Decides whether to write a confirmation. None is stored, or that of an invoice that it replaces:
 * write it. One of another invoice is stored: a conflict. One of the same invoice: write it if it is
 * further along, else it is `already` done.
 */
export function decideConfirmation(
  content: StoredConfirmation | undefined,
  command: WriteBackCommand,
): ConfirmationDecision {
  if (content === undefined || isReplaced(content, command)) return { kind: 'write' };
  const { confirmation, idempotencyKey } = command;
  if (content.invoiceId !== confirmation.invoiceId) {
    return { kind: 'conflict', found: shortened(content.invoiceId) };
  }
  if (content.idempotencyKey === idempotencyKey) return { kind: 'already' };
  const after = ranks[confirmation.status];
  // Without a status only the time says which confirmation is later.
  const before = content.status === undefined ? after : rankOf(content.status);
  if (after !== before) return { kind: after > before ? 'write' : 'already' };
  const isNewer = (content.settledAt ?? '') < confirmation.settledAt;
  return { kind: isNewer ? 'write' : 'already' };
}

/** Whether it is that of an earlier invoice of the document, which was rejected or cancelled. */
export function isReplaced(
  { invoiceId }: StoredConfirmation,
  { confirmation: { replaces = [] } }: WriteBackCommand,
): boolean {
  return replaces.includes(invoiceId);
}

function rankOf(status: string): number {
  return Object.hasOwn(ranks, status) ? ranks[status as Confirmation['status']] : 0;
}

/**
 * Columns of a side table, and members of a status file, in the order in which they are written.
 */
export const confirmationColumns = [
  'source_ref',
  'invoice_id',
  'status',
  'profile',
  'uin',
  'validation_url',
  'settled_at',
  'cancellable_until',
  'idempotency_key',
] as const;
export type ConfirmationColumn = (typeof confirmationColumns)[number];

/** A command as the values of those columns. */
export function confirmationValues(
  command: WriteBackCommand,
): Readonly<Record<ConfirmationColumn, string | null>> {
  const { confirmation } = command;
  return {
    source_ref: confirmation.sourceRef,
    invoice_id: confirmation.invoiceId,
    status: confirmation.status,
    profile: confirmation.profile,
    uin: confirmation.uin ?? null,
    validation_url: confirmation.validationUrl ?? null,
    settled_at: confirmation.settledAt,
    cancellable_until: confirmation.cancellableUntil ?? null,
    idempotency_key: command.idempotencyKey,
  };
}

/** The name of the side table of an environment. */
export function sideTableName(environment: WriteBackCommand['environment']): string {
  return environment === 'live' ? 'einv_status' : 'einv_status_sandbox';
}
