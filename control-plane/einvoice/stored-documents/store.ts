import type { Tx } from '../../platform/db/tx.ts';

/** What is moved of an invoice: its documents, and where the values came from. */
export type MovedStage = 'document' | 'clearance' | 'final' | 'provenance';

/** An invoice whose documents may be moved. */
export interface MovableInvoice {
  readonly tenant_id: string;
  readonly invoice_id: string;
}

/** Of all tenants, the oldest first; `below` is the first id that is too new. */
export function listMovable(
  tx: Tx,
  before: Date,
  below: string,
  max: number,
): Promise<MovableInvoice[]> {
  return tx.rows('select * from list_movable_documents($1, $2, $3)', [before, below, max]);
}

const bytes = `case o.stage when 'document' then convert_to(c.document, 'UTF8')
  when 'clearance' then convert_to(c.clearance, 'UTF8')
  when 'final' then convert_to(c.final, 'UTF8') else c.provenance end`;

const has = `case n.stage when 'document' then c.document is not null
  when 'clearance' then c.clearance is not null when 'final' then c.final is not null
  else c.provenance is not null end`;

/** Notes under which keys the documents that an invoice has will be stored. */
export async function addObjectKeys(
  tx: Tx,
  tenantId: string,
  invoiceId: string,
  keys: ReadonlyMap<MovedStage, string>,
): Promise<void> {
  await tx.run(
    `insert into invoice_object (tenant_id, invoice_id, stage, object_key)
     select $1, c.invoice_id, n.stage, n.object_key
     from invoice_content c, unnest($3::text[], $4::text[]) as n (stage, object_key)
     where c.tenant_id = $1 and c.invoice_id = $2 and ${has}
     on conflict (tenant_id, invoice_id, stage) do nothing`,
    [tenantId, invoiceId, [...keys.keys()], [...keys.values()]],
  );
}

/** A document that is still in the database, and the key that is noted for it. */
export interface MovableDocument {
  readonly object_key: string;
  readonly bytes: Buffer;
}

/**
 * The documents of an invoice whose keys are noted; it is neither deleted nor changed until the
 * transaction ends. None when it is gone, or when they have been moved.
 */
export async function lockMovable(
  tx: Tx,
  tenantId: string,
  invoiceId: string,
): Promise<MovableDocument[]> {
  return tx.rows<MovableDocument>(
    `select o.object_key, ${bytes} as bytes
     from invoice i
     join invoice_object o on o.tenant_id = $1 and o.invoice_id = i.id
     join invoice_content c on c.tenant_id = $1 and c.invoice_id = i.id
     where i.tenant_id = $1 and i.id = $2 and ${bytes} is not null
     for update`,
    [tenantId, invoiceId],
  );
}

/** Empties what has been stored as objects. */
export async function emptyContent(tx: Tx, tenantId: string, invoiceId: string): Promise<void> {
  await tx.run(
    `update invoice_content set document = null, clearance = null, final = null, provenance = null
     where tenant_id = $1 and invoice_id = $2`,
    [tenantId, invoiceId],
  );
}

/** The keys of the documents of an invoice that were moved. */
export async function readObjectKeys(
  tx: Tx,
  tenantId: string,
  invoiceId: string,
): Promise<ReadonlyMap<MovedStage, string>> {
  const rows = await tx.rows<{ stage: MovedStage; object_key: string }>(
    'select stage, object_key from invoice_object where tenant_id = $1 and invoice_id = $2',
    [tenantId, invoiceId],
  );
  return new Map(rows.map(({ stage, object_key }) => [stage, object_key]));
}
