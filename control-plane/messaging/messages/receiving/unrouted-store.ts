import type { TenantScope } from '../../../platform/auth/tenant-scope.ts';
import { type KeysetRange, newestFirst } from '../../../platform/db/keyset.ts';
import type { Tx } from '../../../platform/db/tx.ts';

export interface UnroutedRow {
  readonly id: string;
  readonly channel: string;
  readonly provider: string;
  /** The network's id of the number. */
  readonly number: string;
  /** How many events of each kind are in it. */
  readonly counts: Readonly<Record<string, number>>;
  readonly received_at: Date;
}

export type NewUnrouted = UnroutedRow & { readonly body: string };

export async function insertUnrouted(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  row: NewUnrouted,
): Promise<void> {
  await tx.run(
    `insert into unrouted_webhook (tenant_id, environment, id, channel, provider, number, counts,
       body, received_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      tenantId,
      environment,
      row.id,
      row.channel,
      row.provider,
      row.number,
      JSON.stringify(row.counts),
      row.body,
      row.received_at,
    ],
  );
}

/** How many there are, and how much room they take, looked at up to `most`. */
export async function sizeOfUnrouted(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  most: number,
): Promise<{ readonly count: number; readonly bytes: number }> {
  const row = await tx.row<{ count: number; bytes: number }>(
    `select count(*)::int as count, coalesce(sum(pg_column_size(body)), 0)::float8 as bytes
     from (select body from unrouted_webhook
       where tenant_id = $1 and environment = $2 limit $3) u`,
    [tenantId, environment, most],
  );
  return row!;
}

/** Newest first. */
export function listUnrouted(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  number: string | null,
  page: KeysetRange,
): Promise<UnroutedRow[]> {
  const { key, where, order, rowsMax } = newestFirst(page);
  return tx.rows(
    `select id, channel, provider, number, counts, received_at from unrouted_webhook
     where tenant_id = $1 and environment = $2 and ($3::text is null or number = $3)
       and ${where('id', '$4')}
     order by id ${order} limit $5`,
    [tenantId, environment, number, key, rowsMax],
  );
}

/** Removes and returns those of these numbers, the oldest first; others wait for their turn. */
export function takeUnrouted(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  numbers: readonly string[],
  limit: number,
): Promise<NewUnrouted[]> {
  return tx.rows(
    `with taken as (
       delete from unrouted_webhook where tenant_id = $1 and environment = $2 and id = any (array(
         select id from unrouted_webhook where tenant_id = $1 and environment = $2
           and number = any($3) order by id limit $4 for update skip locked))
       returning id, channel, provider, number, counts, body, received_at
     )
     select * from taken order by id`,
    [tenantId, environment, numbers, limit],
  );
}

/** Deletes those of all tenants that nobody made an app for. */
export async function sweepUnrouted(tx: Tx, before: Date): Promise<void> {
  await tx.run('select sweep_unrouted_webhooks($1)', [before]);
}
