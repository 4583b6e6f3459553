import type { Draft } from '@drawbridge/cim/draft.ts';
import type { TenantScope } from '../../platform/auth/tenant-scope.ts';
import type { Db } from '../../platform/db/database.ts';
import type { Tx } from '../../platform/db/tx.ts';
import { type Clock, newId, type RandomBytes } from '../../platform/ids.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import { addEvents } from '../../webhooks/store.ts';
import type { DocumentChecker } from '../document-checks/document-checker.ts';
import { endedMessage } from '../document-checks/refusal.ts';
import { receivedEventOf, unreadableEventOf } from './events.ts';
import { importJob } from './import-jobs.ts';
import type { ReceivedReading } from './reading.ts';
import { warningJobs } from './rejection-warning.ts';
import {
  findCancellation,
  findSame,
  insertReceived,
  isKept,
  lockNumber,
  type NewReceived,
  saveCancelled,
} from './store.ts';

export interface KeepingContext {
  readonly db: Db;
  readonly jobs: Jobs;
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly checker: DocumentChecker;
}

/** A document of a supplier that came in for a tenant. */
export interface Arrival {
  /** The network, or the connector, that it came from, and its id there. */
  readonly source: string;
  readonly networkId: string;
  /** The address that it was sent to, where it came over a network. */
  readonly participant?: string;
  readonly xml: string;
  /** Why there is nothing to read. */
  readonly unreadable?: string;
  /** The connector into which it is imported by itself. */
  readonly importTo?: string;
  /** Until when its authority lets the buyer reject it. */
  readonly rejectableUntil?: Date;
  /** Its authority's identifier, where it comes from there. */
  readonly clearanceId?: string;
}

/** What became of a document that came in. */
export type Kept =
  /** `isNew` is false when the tenant has the message already. */
  | { readonly kind: 'kept'; readonly isNew: boolean }
  /** Too many documents are being read now: bring it again later. */
  | { readonly kind: 'busy' };

/**
 * Reads, judges and keeps a document, tells the endpoints that asked for it, and has it imported; once,
 * however often it comes. One that repeats another of the same supplier, number, day and amount is kept
 * as a duplicate and goes no further.
 */
export async function keepDocument(
  context: KeepingContext,
  scope: TenantScope,
  arrival: Arrival,
): Promise<Kept> {
  const { db, checker } = context;
  const { tenantId } = scope;
  const { source, networkId } = arrival;
  if (await db.tenant(tenantId, (tx) => isKept(tx, scope, source, networkId))) {
    return { kind: 'kept', isNew: false };
  }
  const reading = await readingOf(checker, tenantId, arrival);
  if (reading.kind === 'busy') return reading;
  return db.tenant(tenantId, async (tx) => {
    const isNew = await keep(context, tx, scope, arrival, reading);
    return { kind: 'kept', isNew };
  });
}

async function readingOf(
  checker: DocumentChecker,
  tenantId: string,
  { xml, unreadable }: Arrival,
): Promise<ReceivedReading | { readonly kind: 'busy' }> {
  if (unreadable !== undefined) return { kind: 'unreadable', reason: unreadable };
  const read = await checker.received(tenantId, xml);
  switch (read.kind) {
    case 'busy':
      return read;
    case 'done':
      return read.result;
    default:
      return { kind: 'unreadable', reason: endedMessage(read.cause) };
  }
}

async function keep(
  context: KeepingContext,
  tx: Tx,
  scope: TenantScope,
  arrival: Arrival,
  reading: ReceivedReading,
): Promise<boolean> {
  const { tenantId } = scope;
  const draft = reading.kind === 'read' ? reading.draft : undefined;
  if (draft !== undefined) await lockNumber(tx, tenantId, draft.number);
  const clearance_id = clearanceIdOf(arrival, reading);
  const same = draft && (await findSame(tx, scope, { ...columnsOf(draft), clearance_id }));
  const row = { ...rowOf(context, scope, arrival, reading, same), clearance_id };
  if (!(await insertReceived(tx, tenantId, row))) return false;
  const cancelled = clearance_id && (await findCancellation(tx, scope, clearance_id));
  if (cancelled) {
    const { cancelled_at: at, cancel_reason: reason } = cancelled;
    const change = { status: 'cancelled', at, reason, now: row.received_at } as const;
    await saveCancelled(tx, tenantId, row.id, change);
    return true;
  }
  if (draft !== undefined) {
    // Also of a duplicate: the one that it repeats may have come by a way on which nothing is rejected.
    const warnings = warningJobs(row, row.rejectable_until, row.received_at);
    await context.jobs.enqueue(tx, tenantId, warnings);
  }
  if (same !== undefined) return true;
  const moment = { now: row.received_at, random: context.random };
  if (draft === undefined) {
    await addEvents(tx, tenantId, [unreadableEventOf(row, moment)]);
    return true;
  }
  await addEvents(tx, tenantId, [receivedEventOf(row, moment)]);
  if (row.import_to !== null) {
    const key = newId('imp', () => row.received_at, context.random);
    await context.jobs.enqueue(tx, tenantId, [importJob(row, 'import', key)]);
  }
  return true;
}

function clearanceIdOf({ clearanceId }: Arrival, reading: ReceivedReading): string | null {
  return clearanceId ?? (reading.kind === 'read' ? reading.clearanceId : undefined) ?? null;
}

function rowOf(
  { clock, random }: KeepingContext,
  { environment }: TenantScope,
  arrival: Arrival,
  reading: ReceivedReading,
  same: string | undefined,
): Omit<NewReceived, 'clearance_id'> {
  const { source, networkId, participant, xml, importTo, rejectableUntil } = arrival;
  const now = clock();
  const came = {
    id: newId('rcv', () => now, random),
    environment,
    source,
    network_id: networkId,
    participant: participant ?? null,
    rejectable_until: rejectableUntil ?? null,
    received_at: now,
    document: xml,
  };
  if (reading.kind === 'unreadable') {
    const field = '/';
    const message = reading.reason;
    return {
      ...came,
      status: 'unreadable',
      profile: null,
      checks: { schema: 'failed', business_rules: 'skipped' },
      errors: [{ field, rule: 'RECEIVED-UNREADABLE', message, severity: 'fatal' }],
      warnings: [],
      document_type: null,
      supplier_id: null,
      supplier_name: null,
      number: null,
      issue_date: null,
      currency: null,
      gross: null,
      duplicate_of: null,
      import_to: null,
      answer_to: null,
      draft: undefined,
    };
  }
  const { draft, profile, checks, errors, warnings } = reading;
  return {
    ...came,
    status: same === undefined ? 'received' : 'duplicate',
    profile,
    checks,
    errors,
    warnings,
    ...columnsOf(draft),
    duplicate_of: same ?? null,
    import_to: importTo ?? null,
    answer_to: reading.answerTo,
    draft,
  };
}

function columnsOf(draft: Draft) {
  return {
    document_type: draft.documentType,
    supplier_id: draft.supplierId,
    supplier_name: draft.supplierName,
    number: draft.number,
    issue_date: draft.issueDate,
    currency: draft.currency,
    gross: draft.gross,
  };
}
