import type { Environment } from '../auth/principal.ts';
import type { TenantScope } from '../auth/tenant-scope.ts';
import type { Tx } from '../db/tx.ts';

/** Days by kind; a kind that is kept for ever is missing. */
export type LifeTimes = Readonly<Record<string, number>>;

/** Whether this transaction may prune a kind now: one node at a time does. */
export async function mayPrune(tx: Tx, kind: string): Promise<boolean> {
  const row = await tx.row<{ is_ours: boolean }>(
    `select pg_try_advisory_xact_lock(hashtextextended('retention ' || $1, 0)) as is_ours`,
    [kind],
  );
  return row!.is_ours;
}

/** Tenants whose things of a kind have a life time; without those that are suspended. */
export function listLifeTimes(
  tx: Tx,
  kind: string,
): Promise<{ tenant_id: string; environment: Environment; days: number }[]> {
  return tx.rows('select * from list_life_times($1)', [kind]);
}

/** What a tenant has set in an environment. */
export async function readLifeTimes(
  tx: Tx,
  { tenantId, environment }: TenantScope,
): Promise<LifeTimes> {
  const rows = await tx.rows<{ kind: string; days: number }>(
    'select kind, days from life_time where tenant_id = $1 and environment = $2',
    [tenantId, environment],
  );
  return Object.fromEntries(rows.map(({ kind, days }) => [kind, days]));
}

/** Sets the life time of a kind in days; null: it is kept for ever. */
export async function setLifeTime(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  { kind, days, now }: { readonly kind: string; readonly days: number | null; readonly now: Date },
): Promise<void> {
  if (days === null) {
    await tx.run('delete from life_time where tenant_id = $1 and environment = $2 and kind = $3', [
      tenantId,
      environment,
      kind,
    ]);
    return;
  }
  await tx.run(
    `insert into life_time (tenant_id, environment, kind, days, updated_at)
     values ($1, $2, $3, $4, $5)
     on conflict (tenant_id, environment, kind)
       do update set days = excluded.days, updated_at = excluded.updated_at`,
    [tenantId, environment, kind, days, now],
  );
}
