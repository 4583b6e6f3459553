import type { TenantScope } from '../../../platform/auth/tenant-scope.ts';
import { columnArrays, unnest } from '../../../platform/db/insert.ts';
import type { Tx } from '../../../platform/db/tx.ts';

export interface VolumeRow {
  /** The beginning of the quarter of an hour. */
  readonly quarter: Date;
  readonly channel: string;
  readonly direction: 'in' | 'out';
  /** '' for the person. */
  readonly author: string;
  readonly count: number;
}

const types = {
  quarter: 'timestamptz',
  channel: 'text',
  direction: 'text',
  author: 'text',
  count: 'int',
} as const;

/** Adds to the counts. `slot` spreads concurrent writers over several rows. */
export async function addVolume(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  slot: number,
  rows: readonly VolumeRow[],
): Promise<void> {
  if (rows.length === 0) return;
  // In a fixed order, so that two transactions with the same rows wait and do not deadlock.
  await tx.run(
    `insert into inbox_volume as v
       (tenant_id, environment, quarter, channel, direction, author, slot, count)
     select $6, $7, n.quarter, n.channel, n.direction, n.author, $8, n.count
     from ${unnest(Object.values(types))} as n (${Object.keys(types)})
     order by n.quarter, n.channel, n.direction, n.author
     on conflict (tenant_id, environment, quarter, channel, direction, author, slot)
       do update set count = v.count + excluded.count`,
    [...columnArrays(types, rows), tenantId, environment, slot],
  );
}

export type VolumeSum = Omit<VolumeRow, 'quarter'>;

/** By channel, direction and author, for whole quarters of an hour. */
export function sumVolume(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  from: Date,
  until: Date,
): Promise<VolumeSum[]> {
  return tx.rows(
    `select channel, direction, author, sum(count)::int as count from inbox_volume
     where tenant_id = $1 and environment = $2 and quarter >= $3 and quarter < $4
     group by channel, direction, author`,
    [tenantId, environment, from, until],
  );
}

/** The same counted from the messages and calls, for the ends of a period: a span of ids. */
export function countMessages(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  fromId: string,
  untilId: string,
): Promise<VolumeSum[]> {
  return tx.rows(
    `select m.channel, m.direction, case when m.direction = 'in' then ''
       else coalesce(m.author, '') end as author, count(*)::int as count
     from unnest(array['wa', 'sms', 'botchat', 'rcs']) w (channel)
     cross join lateral (select channel, direction, author from message m
       where m.tenant_id = $1 and m.environment = $2 and m.channel = w.channel
         and m.broadcast_id is null and m.contact_id is not null
         and m.id >= $3 and m.id < $4) m
     group by 1, 2, 3
     union all
     select 'voice', direction, coalesce(author, ''), count(*)::int from inbox_call
     where tenant_id = $1 and environment = $2 and item >= substr($3, 5) and item < substr($4, 5)
     group by 2, 3`,
    [tenantId, environment, fromId, untilId],
  );
}
