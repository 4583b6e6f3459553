import {
  approveHold,
  type HoldActor,
  type HoldOutcome,
  releaseHold,
} from '@drawbridge/lifecycle/submission-policy.ts';
import type { InvoiceError } from '@drawbridge/validation/source/verdict.ts';
import type { TenantScope } from '../../../platform/auth/tenant-scope.ts';
import type { Tx } from '../../../platform/db/tx.ts';
import type { RandomBytes } from '../../../platform/ids.ts';
import type { Jobs } from '../../../platform/jobs/jobs.ts';
import type { InvoiceRow } from '../../invoices/store.ts';
import { lockInvoices } from '../store.ts';
import { applyTransitions, type TransitionContext } from '../transitions.ts';
import { addHeldEvents } from './held-event.ts';
import { saveHolds } from './store.ts';

/** What a step came to for an invoice; `missing`: the tenant has none of that id. */
export type HoldStepOutcome =
  | HoldOutcome
  | { readonly kind: 'missing' }
  | { readonly kind: 'not-held'; readonly state: InvoiceRow['state'] };

/** A step that a person takes with held invoices. */
export interface HoldStepRequest {
  readonly step: 'release' | 'approve';
  readonly ids: readonly string[];
  readonly by: HoldActor;
  readonly now: Date;
  readonly random: RandomBytes;
}

/**
 * Takes the step with each invoice that allows it, and gives a job to those that wait for nobody any
 * more: they are sent if and only if this transaction commits.
 */
export async function takeHoldStep(
  tx: Tx,
  jobs: Pick<Jobs, 'enqueue'>,
  { tenantId, environment }: TenantScope,
  { step, ids, by, now, random }: HoldStepRequest,
): Promise<ReadonlyMap<string, HoldStepOutcome>> {
  const rows = await lockInvoices(tx, tenantId, [...new Set(ids)]);
  const own = new Map(
    rows.flatMap((row) => (row.environment === environment ? [[row.id, row] as const] : [])),
  );
  const outcomes = new Map(
    ids.map((id) => [id, outcomeOf(own.get(id), step === 'release' ? releaseHold : approveHold)]),
  );
  const changes = [...outcomes].flatMap(([id, outcome]) =>
    outcome.kind === 'changed' ? [{ id, ...outcome }] : [],
  );
  await saveHolds(tx, tenantId, changes, now);
  const waiting = changes.filter(({ waitsFor }) => waitsFor !== null);
  const told = waiting.map(({ id, waitsFor }) => ({ ...own.get(id)!, waits_for: waitsFor }));
  await addHeldEvents(tx, tenantId, told, { now, random });
  const free = changes.filter(({ waitsFor }) => waitsFor === null);
  await jobs.enqueue(
    tx,
    tenantId,
    free.map(({ id }) => ({ queue: 'invoice', key: id, payload: { environment } })),
  );
  return outcomes;

  function outcomeOf(row: InvoiceRow | undefined, take: typeof releaseHold): HoldStepOutcome {
    if (row === undefined) return { kind: 'missing' };
    const { hold, waits_for: waitsFor, submitted_by: submittedBy, state } = row;
    if (hold === null || waitsFor === null) return { kind: 'not-held', state };
    return take({ hold, waitsFor, submittedBy }, by, now);
  }
}

/** Why a held invoice is not sent at all. */
export interface Withdrawal {
  readonly invoice: InvoiceRow;
  /** Of the rule: `<PROFILE>-<code>`. */
  readonly code: 'WITHDRAWN' | 'SOURCE-CHANGED';
  readonly message: string;
}

/** Rejects held invoices, which were never sent, so that their documents may be submitted anew. */
export async function withdrawHeld(
  tx: Tx,
  tenantId: string,
  withdrawals: readonly Withdrawal[],
  context: TransitionContext,
): Promise<ReadonlyMap<string, InvoiceRow>> {
  const transitions = withdrawals.map(({ invoice, code, message }) => {
    const rule = `${invoice.profile}-${code}`;
    const error: InvoiceError = { field: '/', rule, message, severity: 'fatal' };
    return { invoice, trigger: 'withdraw' as const, change: { errors: [error] } };
  });
  return applyTransitions(tx, tenantId, transitions, context);
}
