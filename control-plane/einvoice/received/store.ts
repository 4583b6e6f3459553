import type { Draft } from '@drawbridge/cim/draft.ts';
import type { ResponseStatus } from '@drawbridge/lifecycle/supplier-response.ts';
import type { Checks } from '@drawbridge/lifecycle/transitions.ts';
import type { InvoiceError } from '@drawbridge/validation/source/verdict.ts';
import type { Environment } from '../../platform/auth/principal.ts';
import type { TenantScope } from '../../platform/auth/tenant-scope.ts';
import { insertLarge } from '../../platform/db/insert.ts';
import { type KeysetRange, newestFirst } from '../../platform/db/keyset.ts';
import type { Tx } from '../../platform/db/tx.ts';

export const receivedStatuses = [
  'received',
  'imported',
  'undone',
  'duplicate',
  'unreadable',
  'cancelled',
] as const;
export type ReceivedStatus = (typeof receivedStatuses)[number];

export const importOutcomes = [
  'waiting',
  'written',
  'already',
  'undone',
  'conflict',
  'unsupported',
  'given-up',
] as const;
type ImportOutcome = (typeof importOutcomes)[number];

/** What came of an import or its undoing, as clients see it. */
export interface ImportResult {
  readonly outcome: ImportOutcome;
  /** What is waited for, or was until it was given up. */
  readonly action?: 'import' | 'undo';
  readonly target?: string;
  readonly reason?: string;
  /** ISO 8601. */
  readonly at: string;
}

/** What a supplier was last answered, as clients see it. */
export interface SupplierResponse {
  readonly id: string;
  readonly status: ResponseStatus;
  readonly state: 'waiting' | 'sent' | 'delivered' | 'refused';
  readonly reason?: string;
  /** ISO 8601. */
  readonly at: string;
}

/** How a document's supplier is answered, as far as the document says. */
export interface AnswerTo {
  readonly supplier?: { readonly scheme: string; readonly id: string; readonly name: string };
  readonly buyer?: { readonly name: string };
  /** ISO 3166-1 alpha-2 of the buyer. */
  readonly country?: string;
  /** UNCL1001. */
  readonly type_code?: string;
}

/** A document of a supplier, without its bytes. */
export interface ReceivedRow {
  readonly id: string;
  readonly environment: Environment;
  /** The network, or the connector, that it came from, and its id there. */
  readonly source: string;
  readonly network_id: string;
  readonly participant: string | null;
  readonly status: ReceivedStatus;
  readonly profile: string | null;
  readonly checks: Checks;
  readonly errors: readonly InvoiceError[];
  readonly warnings: readonly InvoiceError[];
  readonly document_type: Draft['documentType'] | null;
  readonly supplier_id: string | null;
  readonly supplier_name: string | null;
  readonly number: string | null;
  readonly issue_date: string | null;
  readonly currency: string | null;
  readonly gross: string | null;
  readonly duplicate_of: string | null;
  readonly import_to: string | null;
  readonly import: ImportResult | null;
  /** Null in what came before answers were sent, and in what cannot be read. */
  readonly answer_to: AnswerTo | null;
  /** What the supplier was last answered; null: nothing. */
  readonly response: SupplierResponse | null;
  readonly rejectable_until: Date | null;
  /** When its supplier cancelled it at its authority, and why. */
  readonly cancelled_at: Date | null;
  readonly cancel_reason: string | null;
  /** The identifier of the authority that has cleared it. */
  readonly clearance_id: string | null;
  readonly received_at: Date;
  readonly updated_at: Date;
}

/** Whether its draft may arrive in the ERP any moment. */
export function isOnItsWay({
  import_to,
  import: imported,
}: Pick<ReceivedRow, 'import_to' | 'import'>): boolean {
  return import_to !== null && imported?.outcome === 'waiting';
}

const columns = `id, environment, source, network_id, participant, status, profile, checks, errors,
  warnings, document_type, supplier_id, supplier_name, number, issue_date, currency, gross,
  duplicate_of, import_to, import, answer_to, response, rejectable_until, cancelled_at, cancel_reason,
  clearance_id, received_at, updated_at`;

/** Whether the tenant has a message of that source already. */
export async function isKept(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  source: string,
  networkId: string,
): Promise<boolean> {
  const row = await tx.row(
    `select from received_document
     where tenant_id = $1 and environment = $2 and source = $3 and network_id = $4`,
    [tenantId, environment, source, networkId],
  );
  return row !== undefined;
}

/** Lets one transaction at a time keep documents of a number, so that two see each other. */
export async function lockNumber(tx: Tx, tenantId: string, number: string): Promise<void> {
  await tx.run(`select pg_advisory_xact_lock(hashtextextended('received ' || $1 || $2, 0))`, [
    tenantId,
    number,
  ]);
}

/** What makes two documents the same one; `id` of one that is kept already. */
type Identity = { readonly id?: string } & Pick<
  ReceivedRow,
  'supplier_id' | 'number' | 'issue_date' | 'gross' | 'document_type' | 'clearance_id'
>;

/**
 * The document that this one repeats: of the same number, amount and type, and of the same supplier and day, or
 * with the same identifier of its authority, which names suppliers and days in its own way. One that was cancelled is
 * repeated by none, and one that was rejected by the same as cleared only: else what comes comes in its place.
 */
export async function findSame(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  { id, supplier_id, number, issue_date, gross, document_type, clearance_id }: Identity,
): Promise<string | undefined> {
  const row = await tx.row<{ id: string }>(
    `select id from received_document
     where tenant_id = $1 and environment = $2 and number = $4
       and (clearance_id = $8 or (supplier_id = $3 and issue_date = $5
         and coalesce(response ->> 'status', '') <> 'rejected'))
       and gross = $6::numeric and document_type = $7
       and status in ('received', 'imported', 'undone') and cancelled_at is null
       and ($9::text is null or id <> $9)
     limit 1`,
    [
      tenantId,
      environment,
      supplier_id,
      number,
      issue_date,
      gross,
      document_type,
      clearance_id,
      id,
    ],
  );
  return row?.id;
}

/** The latest duplicate of a document that was not rejected itself, and is no copy of what an authority has cleared. */
export function findLatestDuplicate(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  { id, number, clearance_id }: Pick<ReceivedRow, 'id' | 'number' | 'clearance_id'>,
): Promise<ReceivedRow | undefined> {
  return tx.row(
    `select ${columns} from received_document
     where tenant_id = $1 and environment = $2 and number = $3 and duplicate_of = $4
       and status = 'duplicate' and coalesce(response ->> 'status', '') <> 'rejected'
       and (clearance_id is null or clearance_id is distinct from $5)
     order by id desc limit 1`,
    [tenantId, environment, number, id, clearance_id],
  );
}

/** Makes a duplicate a document of its own, in the place of the one that it repeats. */
export async function saveReleased(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  { id, number, duplicate_of }: Pick<ReceivedRow, 'id' | 'number' | 'duplicate_of'>,
  now: Date,
): Promise<void> {
  await tx.run(
    `update received_document set status = 'received', updated_at = $3
     where tenant_id = $1 and id = $2`,
    [tenantId, id, now],
  );
  await tx.run(
    `update received_document set duplicate_of = $5, updated_at = $6
     where tenant_id = $1 and environment = $2 and number = $3 and duplicate_of = $4
       and status = 'duplicate'`,
    [tenantId, environment, number, duplicate_of, id, now],
  );
}

/** Makes a document the duplicate of another again, whose place it had taken. */
export async function saveDuplicate(
  tx: Tx,
  tenantId: string,
  { id, duplicate_of }: Pick<ReceivedRow, 'id' | 'duplicate_of'>,
  now: Date,
): Promise<void> {
  await tx.run(
    `update received_document set status = 'duplicate', duplicate_of = $3, updated_at = $4
     where tenant_id = $1 and id = $2`,
    [tenantId, id, duplicate_of, now],
  );
}

/** What is not cancelled yet of the documents that an authority has cleared by that identifier; duplicates first. */
export function findUncancelled(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  clearanceId: string,
): Promise<ReceivedRow[]> {
  return tx.rows(
    `select ${columns} from received_document
     where tenant_id = $1 and environment = $2 and clearance_id = $3 and cancelled_at is null
     order by status = 'duplicate' desc, id limit 1000`,
    [tenantId, environment, clearanceId],
  );
}

/** Whether what its authority knows by that identifier was cancelled; undefined: not as far as is known. */
export function findCancellation(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  clearanceId: string,
): Promise<{ cancelled_at: Date; cancel_reason: string | null } | undefined> {
  return tx.row(
    `select cancelled_at, cancel_reason from received_document
     where tenant_id = $1 and environment = $2 and clearance_id = $3 and cancelled_at is not null
     limit 1`,
    [tenantId, environment, clearanceId],
  );
}

/** Saves that its supplier has cancelled a document, and the status that follows. */
export async function saveCancelled(
  tx: Tx,
  tenantId: string,
  id: string,
  change: {
    readonly status: ReceivedStatus;
    readonly at: Date;
    readonly reason: string | null;
    readonly now: Date;
  },
): Promise<void> {
  await tx.run(
    `update received_document set status = $3, cancelled_at = $4, cancel_reason = $5, updated_at = $6
     where tenant_id = $1 and id = $2`,
    [tenantId, id, change.status, change.at, change.reason, change.now],
  );
}

/** A new document with its bytes. */
export interface NewReceived
  extends Omit<
    ReceivedRow,
    'import' | 'response' | 'cancelled_at' | 'cancel_reason' | 'updated_at'
  > {
  readonly document: string;
  readonly draft: Draft | undefined;
}

/** False when the tenant has the message already. */
export async function insertReceived(tx: Tx, tenantId: string, row: NewReceived): Promise<boolean> {
  const added = await tx.run(
    `insert into received_document (tenant_id, id, environment, source, network_id, participant,
       status, profile, checks, errors, warnings, document_type, supplier_id, supplier_name, number,
       issue_date, currency, gross, duplicate_of, import_to, answer_to, rejectable_until,
       clearance_id, received_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20,
       $21, $22, $23, $24, $24)
     on conflict (tenant_id, environment, source, network_id) do nothing`,
    [
      tenantId,
      row.id,
      row.environment,
      row.source,
      row.network_id,
      row.participant,
      row.status,
      row.profile,
      JSON.stringify(row.checks),
      JSON.stringify(row.errors),
      JSON.stringify(row.warnings),
      row.document_type,
      row.supplier_id,
      row.supplier_name,
      row.number,
      row.issue_date,
      row.currency,
      row.gross,
      row.duplicate_of,
      row.import_to,
      row.answer_to === null ? null : JSON.stringify(row.answer_to),
      row.rejectable_until,
      row.clearance_id,
      row.received_at,
    ],
  );
  if (added === 0) return false;
  await insertLarge(
    tx,
    'received_content',
    { tenant_id: 'uuid', document_id: 'text', document: 'text', draft: 'jsonb' },
    { tenant_id: tenantId, document_id: row.id, document: row.document, draft: row.draft },
  );
  return true;
}

/** What a list may be narrowed to; undefined: all. */
export interface ReceivedFilter {
  readonly status?: ReceivedStatus | undefined;
  readonly number?: string | undefined;
  readonly supplier?: string | undefined;
  readonly source?: string | undefined;
  readonly isCancelled?: boolean;
  /** The ids that they begin with, and before which they end. */
  readonly from?: string;
  readonly to?: string;
}

/** Newest first. */
export function listReceived(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  { status, number, supplier, source, isCancelled, from, to }: ReceivedFilter,
  page: KeysetRange,
): Promise<ReceivedRow[]> {
  const { key, where, order, rowsMax } = newestFirst(page);
  // As text, so that the few that were cancelled are found by their own index.
  const cancelled =
    isCancelled === undefined ? '' : `and cancelled_at is ${isCancelled ? 'not ' : ''}null`;
  return tx.rows(
    `select ${columns} from received_document
     where tenant_id = $1 and environment = $2 and ($3::text is null or status = $3)
       and ($4::text is null or number = $4) and ($5::text is null or supplier_id = $5)
       and ($6::text is null or source = $6) and ($7::text is null or id >= $7)
       and ($8::text is null or id < $8)
       ${cancelled} and ${where('id', '$9')}
     order by id ${order} limit $10`,
    [tenantId, environment, status, number, supplier, source, from, to, key, rowsMax],
  );
}

export function findReceived(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  id: string,
): Promise<ReceivedRow | undefined> {
  return tx.row(
    `select ${columns} from received_document
     where tenant_id = $1 and environment = $2 and id = $3`,
    [tenantId, environment, id],
  );
}

/** A document of any environment whose import, or its undoing, was given up; undefined: there is none of that id. */
export function findGivenUp(
  tx: Tx,
  tenantId: string,
  id: string,
): Promise<ReceivedRow | undefined> {
  return tx.row(
    `select ${columns} from received_document
     where tenant_id = $1 and id = $2 and import ->> 'outcome' = 'given-up'`,
    [tenantId, id],
  );
}

/** As `findReceived`, and nobody else changes it until the transaction ends. */
export function lockReceived(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  id: string,
): Promise<ReceivedRow | undefined> {
  return tx.row(
    `select ${columns} from received_document
     where tenant_id = $1 and environment = $2 and id = $3 for update`,
    [tenantId, environment, id],
  );
}

/** The document as it came, and its draft; no draft of one that cannot be read. */
export function findReceivedContent(
  tx: Tx,
  tenantId: string,
  id: string,
): Promise<{ document: string; draft: Draft | null } | undefined> {
  return tx.row(
    'select document, draft from received_content where tenant_id = $1 and document_id = $2',
    [tenantId, id],
  );
}

/** Saves what came of an import, and the status that follows. */
export async function saveImport(
  tx: Tx,
  tenantId: string,
  id: string,
  change: {
    readonly status: ReceivedStatus;
    readonly importTo: string;
    readonly result: ImportResult;
    readonly now: Date;
  },
): Promise<void> {
  await tx.run(
    `update received_document set status = $3, import_to = $4, import = $5, updated_at = $6
     where tenant_id = $1 and id = $2`,
    [tenantId, id, change.status, change.importTo, JSON.stringify(change.result), change.now],
  );
}
