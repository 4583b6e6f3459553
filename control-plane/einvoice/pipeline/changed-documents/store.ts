import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { InvoiceError } from '@drawbridge/validation/source/verdict.ts';
import type { Environment } from '../../../platform/auth/principal.ts';
import type { Tx } from '../../../platform/db/tx.ts';
import { type InvoiceRow, invoiceColumns } from '../../invoices/store.ts';
import { isGzip } from '../../stored-documents/gzip.ts';
import type { Origins } from './source-values.ts';

const unzip = promisify(gunzip);

/** How far the submission of a document is: without a verdict, waiting for a person, or perhaps sent. */
export type Submitted = 'validating' | 'held' | 'sent';

/**
 * Those of these documents that were submitted. A document that validation rejected was not sent and is
 * not among them. One without a verdict is waited for, whatever else was submitted of its document.
 */
export async function findSubmitted(
  tx: Tx,
  tenantId: string,
  environment: Environment,
  connectorId: string,
  refs: readonly string[],
): Promise<ReadonlyMap<string, Submitted>> {
  const rows = await tx.rows<{ source_ref: string; submitted: Submitted }>(
    `select source_ref, case
         when bool_or(state in ('received', 'validating')) then 'validating'
         when bool_and(waits_for is not null) then 'held'
         else 'sent' end as submitted
     from invoice
     where tenant_id = $1 and environment = $2 and source_ref = any($3) and connector_id = $4
       and (state <> 'rejected' or sent_at is not null)
     group by source_ref`,
    [tenantId, environment, refs, connectorId],
  );
  return new Map(rows.map(({ source_ref, submitted }) => [source_ref, submitted]));
}

/** An invoice that was sent to its authority, as far as its document is compared with it. */
export interface SentInvoice
  extends Pick<
    InvoiceRow,
    | 'id'
    | 'environment'
    | 'connector_id'
    | 'profile'
    | 'source_ref'
    | 'state'
    | 'authority_status'
    | 'number'
    | 'buyer'
    | 'currency'
    | 'gross'
    | 'warnings'
    | 'created_at'
  > {
  readonly document_type: string | null;
  readonly issue_year: number | null;
}

const sentColumns = `id, environment, connector_id, profile, source_ref, state, authority_status, number,
  document_type, issue_year, buyer, currency, gross, warnings, created_at`;

/** Invoices of these documents that were sent, the latest first. */
export async function findSent(
  tx: Tx,
  tenantId: string,
  environment: Environment,
  connectorId: string,
  refs: readonly string[],
): Promise<ReadonlyMap<string, readonly SentInvoice[]>> {
  const rows = await tx.rows<SentInvoice>(
    `select ${sentColumns} from invoice
     where tenant_id = $1 and environment = $2 and source_ref = any($3) and connector_id = $4
       and state not in ('received', 'validating') and waits_for is null
       and (state <> 'rejected' or sent_at is not null)
     order by id desc`,
    [tenantId, environment, refs, connectorId],
  );
  return Map.groupBy(rows, (row) => row.source_ref);
}

/** Where the values of an invoice came from; undefined where that is not in the database any more. */
export async function findOrigins(
  tx: Tx,
  tenantId: string,
  invoiceId: string,
): Promise<Origins | undefined> {
  const row = await tx.row<{ provenance: Buffer | null }>(
    'select provenance from invoice_content where tenant_id = $1 and invoice_id = $2',
    [tenantId, invoiceId],
  );
  const bytes = row?.provenance ?? undefined;
  if (bytes === undefined) return undefined;
  return JSON.parse(String(isGzip(bytes) ? await unzip(bytes) : bytes)) as Origins;
}

/** The id of the latest invoice of each of these documents that may have been sent, or may be yet. */
export async function findLatest(
  tx: Tx,
  tenantId: string,
  environment: Environment,
  connectorId: string,
  refs: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await tx.rows<{ source_ref: string; id: string }>(
    `select source_ref, max(id) as id from invoice
     where tenant_id = $1 and environment = $2 and source_ref = any($3) and connector_id = $4
       and (state <> 'rejected' or sent_at is not null)
     group by source_ref`,
    [tenantId, environment, refs, connectorId],
  );
  return new Map(rows.map((row) => [row.source_ref, row.id]));
}

export async function saveWarnings(
  tx: Tx,
  tenantId: string,
  rows: readonly { readonly id: string; readonly warnings: readonly InvoiceError[] }[],
  now: Date,
): Promise<void> {
  if (rows.length === 0) return;
  await tx.run(
    `update invoice set warnings = n.warnings, updated_at = $4
     from unnest($2::text[], $3::jsonb[]) as n (id, warnings)
     where tenant_id = $1 and invoice.id = n.id`,
    [tenantId, rows.map(({ id }) => id), rows.map(({ warnings }) => JSON.stringify(warnings)), now],
  );
}

/** The held invoices of these documents, locked in the order of their ids. */
export function lockHeld(
  tx: Tx,
  tenantId: string,
  environment: Environment,
  connectorId: string,
  refs: readonly string[],
): Promise<InvoiceRow[]> {
  return tx.rows<InvoiceRow>(
    `select ${invoiceColumns} from invoice
     where tenant_id = $1 and environment = $2 and source_ref = any($3) and connector_id = $4
       and waits_for is not null
     order by id for update`,
    [tenantId, environment, refs, connectorId],
  );
}

/** Documents as an agent read them, for one connector in one environment. */
export interface DocumentBatch {
  readonly id: string;
  readonly environment: Environment;
  readonly connector_id: string;
  readonly refs: readonly string[];
  /** As `packDocuments` made it; empty once it waited for long, and its documents are to be read anew. */
  readonly content: Uint8Array;
}

export async function insertBatch(tx: Tx, tenantId: string, batch: DocumentBatch): Promise<void> {
  await tx.run(
    `insert into document_batch (tenant_id, environment, id, connector_id, refs, content)
     values ($1, $2, $3, $4, $5, $6)`,
    [
      tenantId,
      batch.environment,
      batch.id,
      batch.connector_id,
      JSON.stringify(batch.refs),
      batch.content,
    ],
  );
}

export async function findBatch(
  tx: Tx,
  tenantId: string,
  id: string,
): Promise<DocumentBatch | undefined> {
  return tx.row(
    `select id, environment, connector_id, refs, content from document_batch
     where tenant_id = $1 and id = $2`,
    [tenantId, id],
  );
}

export async function emptyBatch(tx: Tx, tenantId: string, id: string): Promise<void> {
  await tx.run(`update document_batch set content = '' where tenant_id = $1 and id = $2`, [
    tenantId,
    id,
  ]);
}

/** How many changed documents of a connector wait, in all environments; none beyond `max` is counted. */
export async function countWaitingDocuments(
  tx: Tx,
  tenantId: string,
  connectorId: string,
  max: number,
): Promise<number> {
  const counted = await tx.row<{ count: number }>(
    `select least($3, coalesce(sum(documents), 0))::int as count from (
       (select jsonb_array_length(refs) as documents from document_batch
        where tenant_id = $1 and connector_id = $2 limit $3)
       union all
       (select 1 from job
        where tenant_id = $1 and queue = 'changed-document' and payload->>'connector' = $2
        limit $3)) as waiting`,
    [tenantId, connectorId, max],
  );
  return counted!.count;
}

export async function deleteBatch(tx: Tx, tenantId: string, id: string): Promise<void> {
  await tx.run('delete from document_batch where tenant_id = $1 and id = $2', [tenantId, id]);
}
