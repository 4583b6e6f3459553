import type { Tx } from '../../platform/db/tx.ts';
import type { Place } from '../contacts/store.ts';

export interface AttachmentRow {
  readonly id: string;
  readonly conversation_id: string;
  readonly name: string;
  readonly media_type: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly object_key: string;
  readonly author: string;
  /** The message that it came with; null: the team put it there. */
  readonly message_id: string | null;
  readonly created_at: Date;
}

const columns =
  'id, conversation_id, name, media_type, bytes, sha256, object_key, author, message_id, created_at';

export async function insertAttachment(
  tx: Tx,
  { tenantId, environment }: Place,
  row: AttachmentRow,
): Promise<void> {
  await tx.run(
    `insert into conversation_attachment (tenant_id, environment, ${columns})
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
    [
      ...[tenantId, environment, row.id, row.conversation_id, row.name, row.media_type],
      ...[row.bytes, row.sha256, row.object_key, row.author, row.message_id, row.created_at],
    ],
  );
}

/** Newest first. */
export function listAttachments(
  tx: Tx,
  { tenantId, environment }: Place,
  conversationId: string,
  before: string | undefined,
  limit: number,
): Promise<AttachmentRow[]> {
  return tx.rows(
    `select ${columns} from conversation_attachment
     where tenant_id = $1 and environment = $2 and conversation_id = $3
       and ($4::text is null or id < $4) order by id desc limit $5`,
    [tenantId, environment, conversationId, before, limit],
  );
}

export function findAttachment(
  tx: Tx,
  { tenantId, environment }: Place,
  id: string,
): Promise<AttachmentRow | undefined> {
  return tx.row(
    `select ${columns} from conversation_attachment
     where tenant_id = $1 and environment = $2 and id = $3`,
    [tenantId, environment, id],
  );
}

/** Answers how many there were: none or one. Its object is an orphan then. */
export function deleteAttachment(
  tx: Tx,
  { tenantId, environment }: Place,
  id: string,
): Promise<number> {
  return tx.run(
    'delete from conversation_attachment where tenant_id = $1 and environment = $2 and id = $3',
    [tenantId, environment, id],
  );
}

/** Objects that no row names any more; of no tenant, since theirs may be gone too. */
export async function listOrphans(tx: Tx, limit: number): Promise<string[]> {
  const rows = await tx.rows<{ object_key: string }>(
    'select object_key from inbox_orphan order by created_at limit $1',
    [limit],
  );
  return rows.map(({ object_key }) => object_key);
}

export async function forgetOrphans(tx: Tx, keys: readonly string[]): Promise<void> {
  await tx.run('delete from inbox_orphan where object_key = any($1)', [keys]);
}
