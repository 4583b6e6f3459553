import type { Environment } from '../../platform/auth/principal.ts';
import type { TenantScope } from '../../platform/auth/tenant-scope.ts';
import type { Tx } from '../../platform/db/tx.ts';

/** An electronic address of a tenant; its documents come to the tenant once it is confirmed. */
export interface ParticipantRow {
  /** `scheme:value` in lower case, e.g. `0235:1008765432`. */
  readonly id: string;
  /** The connector into which its documents are imported by themselves. */
  readonly import_to: string | null;
  readonly confirmed_at: Date | null;
  readonly created_at: Date;
}

const columns = 'id, import_to, confirmed_at, created_at';

export function listParticipants(
  tx: Tx,
  { tenantId, environment }: TenantScope,
): Promise<ParticipantRow[]> {
  return tx.rows(
    `select ${columns} from participant where tenant_id = $1 and environment = $2 order by id`,
    [tenantId, environment],
  );
}

/** Counts them; until this transaction ends no other one adds any after counting. */
export async function countParticipants(
  tx: Tx,
  { tenantId, environment }: TenantScope,
): Promise<number> {
  await tx.run(`select pg_advisory_xact_lock(hashtextextended('participant ' || $1 || $2, 0))`, [
    tenantId,
    environment,
  ]);
  const row = await tx.row<{ count: number }>(
    `select count(*)::int as count from participant where tenant_id = $1 and environment = $2`,
    [tenantId, environment],
  );
  return row!.count;
}

export function findParticipant(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  id: string,
): Promise<ParticipantRow | undefined> {
  return tx.row(
    `select ${columns} from participant where tenant_id = $1 and environment = $2 and id = $3`,
    [tenantId, environment, id],
  );
}

/** Adds an address, or changes where its documents are imported. */
export async function saveParticipant(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  row: Omit<ParticipantRow, 'confirmed_at'> & { readonly confirmed_at: Date | null },
): Promise<ParticipantRow> {
  const saved = await tx.row<ParticipantRow>(
    `insert into participant as known (tenant_id, environment, id, import_to, confirmed_at, created_at)
     values ($1, $2, $3, $4, $5, $6)
     on conflict (tenant_id, environment, id) do update set import_to = excluded.import_to
     returning ${columns}`,
    [tenantId, environment, row.id, row.import_to, row.confirmed_at, row.created_at],
  );
  return saved!;
}

/** Lets documents for the address come to the tenant; undefined when it has no such address. */
export function confirmParticipant(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  id: string,
  now: Date,
): Promise<ParticipantRow | undefined> {
  return tx.row(
    `update participant set confirmed_at = coalesce(confirmed_at, $4)
     where tenant_id = $1 and environment = $2 and id = $3 returning ${columns}`,
    [tenantId, environment, id, now],
  );
}

/** How many there were, 0 or 1. */
export function deleteParticipant(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  id: string,
): Promise<number> {
  return tx.run('delete from participant where tenant_id = $1 and environment = $2 and id = $3', [
    tenantId,
    environment,
    id,
  ]);
}

/** Whose the address is; undefined: nobody's here. */
export async function findParticipantTenant(
  tx: Tx,
  environment: Environment,
  id: string,
): Promise<string | undefined> {
  const row = await tx.row<{ tenant_id: string | null }>(
    `select tenant_of('participant', $1) as tenant_id`,
    [`${environment} ${id}`],
  );
  return row?.tenant_id ?? undefined;
}
