import type { Checks } from '@drawbridge/lifecycle/transitions.ts';
import { profileById } from '@drawbridge/profiles/registry.ts';
import type { Environment } from '../../platform/auth/principal.ts';
import type { Tx } from '../../platform/db/tx.ts';
import { newId, type RandomBytes } from '../../platform/ids.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import type { Metrics } from '../../platform/metrics/metrics.ts';
import { addEvents } from '../../webhooks/store.ts';
import { transitionEvent } from './event.ts';
import { insertInvoices, type NewInvoice } from './store.ts';

/** The time and randomness that new ids are made of. */
export interface IdSource {
  readonly now: Date;
  readonly random: RandomBytes;
}

export interface InvoiceRequest {
  /** The id, when the caller needs to know it before; otherwise a new one is made. */
  readonly id?: string;
  readonly tenantId: string;
  readonly environment: Environment;
  readonly connectorId: string;
  readonly profile: string;
  readonly sourceRef: string;
  /** The user or key that submits it; left out: an agent found it. */
  readonly submittedBy?: string | undefined;
}

/** The row of a new invoice. */
export function newInvoice(given: InvoiceRequest, { now, random }: IdSource): NewInvoice {
  const { tenantId, environment, connectorId, profile, sourceRef } = given;
  return {
    id: given.id ?? newId('inv', () => now, random),
    tenant_id: tenantId,
    environment,
    connector_id: connectorId,
    profile,
    source_ref: sourceRef,
    checks: initialChecks(profile),
    submission_key: newId('sub', () => now, random),
    submitted_by: given.submittedBy,
    created_at: now,
    updated_at: now,
  };
}

/** What the new invoices go to: the queue, and the metric that counts them. */
export interface InvoiceTargets {
  readonly jobs: Jobs;
  readonly metrics: Pick<Metrics, 'invoices'>;
}

/** Inserts invoices, each with its first event and its job. */
export async function createInvoices(
  tx: Tx,
  { jobs, metrics }: InvoiceTargets,
  tenantId: string,
  invoices: readonly NewInvoice[],
  { now, random }: IdSource,
): Promise<void> {
  if (invoices.length === 0) return;
  const events = invoices.map((each) => transitionEvent(each, 'received', now, random));
  // Sent together, so that the three cost one round trip.
  await Promise.all([
    insertInvoices(tx, invoices),
    addEvents(tx, tenantId, events),
    jobs.enqueue(tx, tenantId, invoices.map(job)),
  ]);
  tx.afterCommit(() => {
    for (const { environment } of invoices)
      metrics.invoices.inc({ environment, state: 'received' });
  });
}

function initialChecks(profile: string): Checks {
  const checks: Checks = { schema: 'pending', business_rules: 'pending' };
  return profileById(profile)!.route === 'exchange'
    ? checks
    : { ...checks, authority_clearance: 'pending' };
}

function job(invoice: NewInvoice) {
  return {
    queue: 'invoice',
    key: invoice.id,
    payload: { environment: invoice.environment },
  };
}
