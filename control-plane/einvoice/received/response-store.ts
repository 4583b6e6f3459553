import type { SupplierAnswer } from '@drawbridge/lifecycle/supplier-response.ts';
import type { TenantScope } from '../../platform/auth/tenant-scope.ts';
import type { Tx } from '../../platform/db/tx.ts';
import type { SupplierResponse } from './store.ts';

/** An answer to a supplier, with the bytes that are sent. */
export interface ResponseRow {
  readonly id: string;
  readonly document_id: string;
  readonly answer: SupplierAnswer;
  /** Null where the source takes no document. */
  readonly xml: string | null;
  readonly state: SupplierResponse['state'];
  readonly reason: string | null;
  readonly sent_at: Date | null;
  readonly reference: string | null;
  readonly made_by: string;
  readonly created_at: Date;
}

const columns =
  'id, document_id, answer, xml, state, reason, sent_at, reference, made_by, created_at';

export type NewResponse = Pick<
  ResponseRow,
  'id' | 'document_id' | 'answer' | 'xml' | 'made_by' | 'created_at'
>;

export async function insertResponse(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  row: NewResponse,
): Promise<void> {
  await tx.run(
    `insert into supplier_response
       (tenant_id, environment, id, document_id, answer, xml, made_by, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $8)`,
    [
      tenantId,
      environment,
      row.id,
      row.document_id,
      JSON.stringify(row.answer),
      row.xml,
      row.made_by,
      row.created_at,
    ],
  );
}

export function findResponse(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  id: string,
): Promise<ResponseRow | undefined> {
  return tx.row(
    `select ${columns} from supplier_response
     where tenant_id = $1 and environment = $2 and id = $3`,
    [tenantId, environment, id],
  );
}

/** All answers to a document, oldest first. */
export function listResponses(
  tx: Tx,
  tenantId: string,
  documentId: string,
): Promise<ResponseRow[]> {
  return tx.rows(
    `select ${columns} from supplier_response
     where tenant_id = $1 and document_id = $2 order by id limit 200`,
    [tenantId, documentId],
  );
}

/** Saves, before it is sent, that it is about to be; null when certainly nothing arrived. */
export async function saveResponseSentAt(
  tx: Tx,
  tenantId: string,
  id: string,
  sentAt: Date | null,
): Promise<void> {
  await tx.run('update supplier_response set sent_at = $3 where tenant_id = $1 and id = $2', [
    tenantId,
    id,
    sentAt,
  ]);
}

/** Saves how far an answer is; its document shows it while it is the last one. */
export async function saveResponseState(
  tx: Tx,
  tenantId: string,
  { id, document_id }: Pick<ResponseRow, 'id' | 'document_id'>,
  change: {
    readonly state: ResponseRow['state'];
    readonly reason: string | null;
    readonly reference?: string | undefined;
    readonly now: Date;
  },
): Promise<void> {
  const { state, reason, reference, now } = change;
  await tx.run(
    `update supplier_response set state = $3, reason = $4, reference = coalesce($5, reference),
       updated_at = $6
     where tenant_id = $1 and id = $2`,
    [tenantId, id, state, reason, reference, now],
  );
  await tx.run(
    `update received_document set response = jsonb_strip_nulls(
         response || jsonb_build_object('state', $3::text, 'reason', $4::text, 'at', $5::text))
     where tenant_id = $1 and id = $2 and response ->> 'id' = $6`,
    [tenantId, document_id, state, reason, now.toISOString(), id],
  );
}

/** Shows an answer as the document's last one. */
export async function saveLastResponse(
  tx: Tx,
  tenantId: string,
  documentId: string,
  response: SupplierResponse,
): Promise<void> {
  await tx.run(
    'update received_document set response = $3, updated_at = $4 where tenant_id = $1 and id = $2',
    [tenantId, documentId, JSON.stringify(response), response.at],
  );
}
