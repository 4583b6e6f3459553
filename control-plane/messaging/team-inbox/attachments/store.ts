import type { TenantScope } from '../../../platform/auth/tenant-scope.ts';
import { type KeysetRange, newestFirst } from '../../../platform/db/keyset.ts';
import type { Tx } from '../../../platform/db/tx.ts';

export interface AttachmentRow {
  readonly id: string;
  readonly conversation_id: string;
  readonly name: string;
  readonly media_type: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly object_key: string;
  readonly author: string;
  /** The message with which it came; null: the team added it. */
  readonly message_id: string | null;
  readonly created_at: Date;
}

const columns =
  'id, conversation_id, name, media_type, bytes, sha256, object_key, author, message_id, created_at';

export async function insertAttachment(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  row: AttachmentRow,
): Promise<void> {
  await tx.run(
    `insert into conversation_attachment (tenant_id, environment, ${columns})
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
    [
      tenantId,
      environment,
      row.id,
      row.conversation_id,
      row.name,
      row.media_type,
      row.bytes,
      row.sha256,
      row.object_key,
      row.author,
      row.message_id,
      row.created_at,
    ],
  );
}

/** Newest first. */
export function listAttachments(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  conversationId: string,
  page: KeysetRange,
): Promise<AttachmentRow[]> {
  const { key, where, order, rowsMax } = newestFirst(page);
  return tx.rows(
    `select ${columns} from conversation_attachment
     where tenant_id = $1 and environment = $2 and conversation_id = $3
       and ${where('id', '$4')} order by id ${order} limit $5`,
    [tenantId, environment, conversationId, key, rowsMax],
  );
}

export function findAttachment(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  id: string,
): Promise<AttachmentRow | undefined> {
  return tx.row(
    `select ${columns} from conversation_attachment
     where tenant_id = $1 and environment = $2 and id = $3`,
    [tenantId, environment, id],
  );
}

/** Returns how many were deleted: 0 or 1. The stored object is listed for removal. */
export function deleteAttachment(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  id: string,
): Promise<number> {
  return tx.run(
    'delete from conversation_attachment where tenant_id = $1 and environment = $2 and id = $3',
    [tenantId, environment, id],
  );
}

/** A stored object without a row. */
export interface RemovedObject {
  readonly tenant_id: string;
  readonly object_key: string;
}

/** The oldest of them, over all tenants. */
export function listRemovedObjects(tx: Tx, limit: number): Promise<RemovedObject[]> {
  return tx.rows('select * from list_removed_objects($1)', [limit]);
}

/** Called after their bytes were deleted. */
export async function forgetRemovedObjects(
  tx: Tx,
  objects: readonly RemovedObject[],
): Promise<void> {
  await tx.rows('select forget_removed_objects($1, $2)', [
    objects.map(({ tenant_id }) => tenant_id),
    objects.map(({ object_key }) => object_key),
  ]);
}
