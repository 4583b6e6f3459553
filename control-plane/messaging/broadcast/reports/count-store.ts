/**
 * The counts of broadcasts: changes are inserted with the messages' changes, and summed a moment
 * later.
 */
import { type Counted, counted, type Tally } from '@drawbridge/messaging/broadcast/tally.ts';
import type { TenantScope } from '../../../platform/auth/tenant-scope.ts';
import { columnArrays, unnest } from '../../../platform/db/insert.ts';
import type { Tx } from '../../../platform/db/tx.ts';

export type CountChange = Tally & {
  readonly broadcast_id: string;
  readonly channel: string;
  /** When it happened; it counts in this hour. */
  readonly at: Date;
};

const changeColumns = {
  broadcast_id: 'text',
  channel: 'text',
  at: 'timestamptz',
  ...(Object.fromEntries(counted.map((name) => [name, 'int'])) as Record<Counted, 'int'>),
} as const;
const sums = counted.map((name) => `coalesce(sum(${name}), 0)::int as ${name}`).join(', ');
const plain = counted.join(', ');

export async function addChanges(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  changes: readonly CountChange[],
): Promise<void> {
  if (changes.length === 0) return;
  const last = Object.keys(changeColumns).length;
  await tx.run(
    `insert into count_change (tenant_id, environment, broadcast_id, channel, hour, ${plain})
     select $${last + 1}::uuid, $${last + 2}, broadcast_id, channel,
       date_trunc('hour', at, 'UTC'), ${plain}
     from ${unnest(Object.values(changeColumns))} as c (${Object.keys(changeColumns)})`,
    [...columnArrays(changeColumns, changes), tenantId, environment],
  );
}

/** Adds changes of all tenants to their counts, at most `most`; returns how many there were. */
export async function aggregateCounts(tx: Tx, most: number): Promise<number> {
  const row = await tx.row<{ done: number }>('select add_count_changes($1) as done', [most]);
  return row?.done ?? 0;
}

/** The sum for each broadcast; broadcasts without any count are left out. */
export function sumOfBroadcasts(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  ids: readonly string[],
): Promise<(Tally & { readonly broadcast_id: string })[]> {
  return tx.rows(
    `select broadcast_id, ${sums} from (
       select broadcast_id, ${plain} from broadcast_count
       where tenant_id = $1 and environment = $2 and broadcast_id = any($3)
       union all
       select broadcast_id, ${plain} from count_change
       where tenant_id = $1 and environment = $2 and broadcast_id = any($3)
     ) c group by broadcast_id`,
    [tenantId, environment, ids],
  );
}

export interface Series {
  readonly channel: string | null;
  readonly from: Date;
  readonly until: Date;
  readonly interval: 'hour' | 'day';
}

export type SeriesRow = Tally & { readonly at: Date };

/** The counts of one broadcast by hour or day (UTC), oldest first. */
export function seriesOfBroadcast(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  broadcastId: string,
  { from, until, interval }: Series,
): Promise<SeriesRow[]> {
  return tx.rows(
    `select date_trunc($6, hour, 'UTC') as at, ${sums} from (
       select hour, ${plain} from broadcast_count where tenant_id = $1 and environment = $2
         and broadcast_id = $3 and hour >= $4 and hour < $5
       union all
       select hour, ${plain} from count_change where tenant_id = $1 and environment = $2
         and broadcast_id = $3 and hour >= $4 and hour < $5
     ) c group by 1 order by 1`,
    [tenantId, environment, broadcastId, from, until, interval],
  );
}

/** The counts of all broadcasts, of one channel or all, by hour or day (UTC), oldest first. */
export function seriesOfTenant(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  { channel, from, until, interval }: Series,
): Promise<SeriesRow[]> {
  return tx.rows(
    `select date_trunc($6, hour, 'UTC') as at, ${sums} from (
       select hour, ${plain} from channel_count where tenant_id = $1 and environment = $2
         and ($3::text is null or channel = $3) and hour >= $4 and hour < $5
       union all
       select hour, ${plain} from count_change where tenant_id = $1 and environment = $2
         and ($3::text is null or channel = $3) and hour >= $4 and hour < $5
     ) c group by 1 order by 1`,
    [tenantId, environment, channel, from, until, interval],
  );
}
