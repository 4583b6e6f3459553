import type { Checks } from '@drawbridge/lifecycle/transitions.ts';
import type { ProfileId } from '@drawbridge/profiles/contract.ts';
import { profileById } from '@drawbridge/profiles/registry.ts';
import type { Environment } from '../../platform/auth/principal.ts';
import type { Tx } from '../../platform/db/tx.ts';
import { newId, type RandomBytes } from '../../platform/ids.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import { addEvents } from '../../webhooks/store.ts';
import { invoiceEvent } from './event.ts';
import { insertInvoices, type NewInvoice } from './store.ts';

/** The moment and the chance that go into new ids. */
export interface Edge {
  readonly now: Date;
  readonly random: RandomBytes;
}

export interface ToCreate {
  /** Given where it must be known before; else a new one. */
  readonly id?: string;
  readonly tenantId: string;
  readonly environment: Environment;
  readonly connectorId: string;
  readonly profile: ProfileId;
  readonly sourceRef: string;
}

/** A submission as it begins. */
export function newInvoice(given: ToCreate, { now, random }: Edge): NewInvoice {
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
    created_at: now,
    updated_at: now,
  };
}

/** Puts submissions in, each with its first event and the job that takes it on. */
export async function create(
  tx: Tx,
  jobs: Jobs,
  tenantId: string,
  invoices: readonly NewInvoice[],
  { now, random }: Edge,
): Promise<void> {
  if (invoices.length === 0) return;
  const events = invoices.map((each) => invoiceEvent(each, 'received', now, random));
  // Sent together, so that the three cost one round trip.
  await Promise.all([
    insertInvoices(tx, invoices),
    addEvents(tx, tenantId, events),
    jobs.enqueue(tx, tenantId, invoices.map(job)),
  ]);
}

function initialChecks(profile: ProfileId): Checks {
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
