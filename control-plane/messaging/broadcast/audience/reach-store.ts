/** What providers have said about whom they reach. */

import type { TenantScope } from '../../../platform/auth/tenant-scope.ts';
import type { Tx } from '../../../platform/db/tx.ts';

export interface ReachPage {
  readonly segmentId: string;
  readonly appId: string;
  /** Contacts after this id; '' for the first page. */
  readonly after: string;
  readonly limit: number;
  /** Earlier answers are asked for again. */
  readonly since: Date;
}

export interface ReachRow {
  readonly contact_id: string;
  readonly phone: string | null;
  readonly is_known: boolean;
}

/** A page of a segment, and the numbers in it that the provider has answered for since then. */
export function listReach(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  { segmentId, appId, after, limit, since }: ReachPage,
): Promise<ReachRow[]> {
  return tx.rows(
    `select c.id as contact_id, c.phone, exists (select from channel_reach
         where tenant_id = $1 and environment = $2 and app_id = $6 and phone = c.phone
           and checked_at >= $7 limit 1) as is_known
     from contacts_of_segment($2, $3, $4, $5) p (contact_id)
     cross join lateral (select id, phone from contact
       where id = p.contact_id and tenant_id = $1 limit 1) c
     order by c.id`,
    [tenantId, environment, segmentId, after, limit, appId, since],
  );
}

/** Stores the provider's answer: it reaches `reached`, and none of the other numbers. */
export async function keepReach(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  appId: string,
  { asked, reached }: { readonly asked: readonly string[]; readonly reached: readonly string[] },
  now: Date,
): Promise<void> {
  await tx.run(
    `insert into channel_reach (tenant_id, environment, app_id, phone, is_reached, checked_at)
     select $1, $2, $3, phone, phone = any (array(select unnest($5::text[]))), $6
     from unnest($4::text[]) as a (phone) order by phone
     on conflict (tenant_id, environment, app_id, phone)
       do update set is_reached = excluded.is_reached, checked_at = excluded.checked_at`,
    [tenantId, environment, appId, asked, reached, now],
  );
}
