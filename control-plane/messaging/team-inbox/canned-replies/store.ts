import type { TenantScope } from '../../../platform/auth/tenant-scope.ts';
import { type KeysetRange, oldestFirst } from '../../../platform/db/keyset.ts';
import type { Tx } from '../../../platform/db/tx.ts';

export interface CannedReplyRow {
  readonly id: string;
  readonly shortcut: string;
  readonly title: string;
  readonly text: string;
  readonly created_at: Date;
  readonly updated_at: Date;
}

const columns = 'id, shortcut, title, text, created_at, updated_at';

/** Oldest first. */
export function listCannedReplies(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  page: KeysetRange,
): Promise<CannedReplyRow[]> {
  const { key, where, order, rowsMax } = oldestFirst(page);
  return tx.rows(
    `select ${columns} from canned_reply where tenant_id = $1 and environment = $2
       and ${where('id', '$3')} order by id ${order} limit $4`,
    [tenantId, environment, key, rowsMax],
  );
}

/** Counts them; until this transaction ends no other one adds any after counting. */
export async function countCannedReplies(
  tx: Tx,
  { tenantId, environment }: TenantScope,
): Promise<number> {
  await tx.run(`select pg_advisory_xact_lock(hashtextextended('canned_reply ' || $1 || $2, 0))`, [
    tenantId,
    environment,
  ]);
  const row = await tx.row<{ count: number }>(
    `select count(*)::int as count from canned_reply where tenant_id = $1 and environment = $2`,
    [tenantId, environment],
  );
  return row!.count;
}

export function findCannedReply(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  id: string,
): Promise<CannedReplyRow | undefined> {
  return tx.row(
    `select ${columns} from canned_reply
     where tenant_id = $1 and environment = $2 and id = $3`,
    [tenantId, environment, id],
  );
}

/** Fails as a duplicate when another one has the shortcut. */
export async function insertCannedReply(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  row: CannedReplyRow,
): Promise<void> {
  await tx.run(
    `insert into canned_reply (tenant_id, environment, ${columns})
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      tenantId,
      environment,
      row.id,
      row.shortcut,
      row.title,
      row.text,
      row.created_at,
      row.updated_at,
    ],
  );
}

/** Undefined leaves a field unchanged. Fails as a duplicate when another one has the shortcut. */
export interface CannedReplyChange {
  readonly shortcut?: string | undefined;
  readonly title?: string | undefined;
  readonly text?: string | undefined;
}

export function updateCannedReply(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  id: string,
  { shortcut, title, text }: CannedReplyChange,
  now: Date,
): Promise<CannedReplyRow | undefined> {
  return tx.row(
    `update canned_reply set shortcut = coalesce($4, shortcut), title = coalesce($5, title),
       text = coalesce($6, text), updated_at = $7
     where tenant_id = $1 and environment = $2 and id = $3 returning ${columns}`,
    [tenantId, environment, id, shortcut ?? null, title ?? null, text ?? null, now],
  );
}

/** Returns how many there were: none or one. */
export function deleteCannedReply(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  id: string,
): Promise<number> {
  return tx.run('delete from canned_reply where tenant_id = $1 and environment = $2 and id = $3', [
    tenantId,
    environment,
    id,
  ]);
}
