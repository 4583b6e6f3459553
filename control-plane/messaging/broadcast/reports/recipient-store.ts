import type { Status } from '@drawbridge/messaging/status.ts';
import type { TenantScope } from '../../../platform/auth/tenant-scope.ts';
import type { Tx } from '../../../platform/db/tx.ts';

/** A message of a broadcast, with its person. */
export interface RecipientRow {
  readonly message_id: string;
  readonly contact_id: string | null;
  readonly name: string | null;
  readonly address: string;
  readonly status: Status;
  readonly error_code: string | null;
  readonly error_detail: string | null;
  readonly sent_at: Date | null;
  readonly delivered_at: Date | null;
  readonly read_at: Date | null;
  readonly clicked_at: Date | null;
  readonly replied_at: Date | null;
  readonly price: string | null;
}

/** In the order of the messages' ids; each status is read along its index. */
export function listRecipients(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  broadcastId: string,
  page: { readonly statuses: readonly string[]; readonly after: string; readonly limit: number },
): Promise<RecipientRow[]> {
  return tx.rows(
    `select m.id as message_id, m.contact_id, c.name, m.address, m.status, m.error_code,
       m.error_detail, m.sent_at, m.delivered_at, m.read_at, r.clicked_at, r.replied_at,
       trim_scale(m.price)::text as price
     from (
       select n.* from unnest($4::text[]) s (status) cross join lateral (
         select id, contact_id, address, status, error_code, error_detail, sent_at, delivered_at,
           read_at, price
         from message where tenant_id = $1 and environment = $2 and broadcast_id = $3
           and status = s.status and id > $5 order by id limit $6) n
       order by n.id limit $6
     ) m
     left join contact c on c.tenant_id = $1 and c.environment = $2 and c.id = m.contact_id
     left join broadcast_response r on r.tenant_id = $1 and r.message_id = m.id
     order by m.id`,
    [tenantId, environment, broadcastId, page.statuses, page.after, page.limit],
  );
}
