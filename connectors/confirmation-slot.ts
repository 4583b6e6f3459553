import type { Confirmation, WriteBackCommand } from './contract.ts';

/** What a slot holds now. `status` is absent where the target keeps none. */
export interface SlotContent {
  readonly invoiceId: string;
  readonly status?: string | undefined;
  readonly settledAt?: string | undefined;
  readonly idempotencyKey?: string | undefined;
}

export type SlotDecision =
  | { readonly kind: 'write' }
  | { readonly kind: 'already' }
  | { readonly kind: 'conflict'; readonly found: string };

const ranks: Readonly<Record<Confirmation['status'], number>> = {
  cleared: 1,
  delivered: 2,
  acknowledged: 3,
  rejected: 3,
};

/**
 * What to do with a slot: an empty one is written; another invoice's is a conflict; the same
 * invoice's advances, and a command that was applied or has been overtaken is `already` done.
 */
export function decideSlot(
  content: SlotContent | undefined,
  command: WriteBackCommand,
): SlotDecision {
  if (content === undefined) return { kind: 'write' };
  const { confirmation, idempotencyKey } = command;
  if (content.invoiceId !== confirmation.invoiceId) {
    return { kind: 'conflict', found: content.invoiceId };
  }
  if (content.idempotencyKey === idempotencyKey) return { kind: 'already' };
  const after = ranks[confirmation.status];
  // A target without a status can only be told apart by time.
  const before = content.status === undefined ? after : rankOf(content.status);
  if (after !== before) return { kind: after > before ? 'write' : 'already' };
  const isNewer = (content.settledAt ?? '') < confirmation.settledAt;
  return { kind: isNewer ? 'write' : 'already' };
}

function rankOf(status: string): number {
  return Object.hasOwn(ranks, status) ? ranks[status as Confirmation['status']] : 0;
}

/** Columns of a side table and members of a status file, in order, as written into the ERP. */
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

/** The side table, or the status folder's suffix, of an environment. */
export function sideTableName(environment: WriteBackCommand['environment']): string {
  return environment === 'live' ? 'einv_status' : 'einv_status_sandbox';
}
