import type { Environment } from '../../../platform/auth/principal.ts';
import type { Tx } from '../../../platform/db/tx.ts';
import { type InvoiceRow, invoiceColumns } from '../../invoices/store.ts';

/** How far the submission of a document is: without a verdict, waiting for a person, or perhaps sent. */
export type Submitted = 'validating' | 'held' | 'sent';

/**
 * Those of these documents that were submitted. A document that validation rejected was not sent and is
 * not among them. Once one may have been sent, what is held beside it counts no more.
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
         when bool_and(state in ('received', 'validating')) then 'validating'
         when bool_and(state in ('received', 'validating') or waits_for is not null) then 'held'
         else 'sent' end as submitted
     from invoice
     where tenant_id = $1 and environment = $2 and source_ref = any($3) and connector_id = $4
       and (state <> 'rejected' or sent_at is not null)
     group by source_ref`,
    [tenantId, environment, refs, connectorId],
  );
  return new Map(rows.map(({ source_ref, submitted }) => [source_ref, submitted]));
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
