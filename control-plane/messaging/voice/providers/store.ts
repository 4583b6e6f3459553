import type { Environment } from '../../../platform/auth/principal.ts';
import type { TenantScope } from '../../../platform/auth/tenant-scope.ts';
import { type KeysetRange, newestFirst } from '../../../platform/db/keyset.ts';
import type { Tx } from '../../../platform/db/tx.ts';

export interface ProviderRow {
  readonly id: string;
  readonly provider: string;
  readonly name: string;
  readonly settings_sealed: string;
  readonly flow_key_sealed: string;
  readonly from_number: string;
  readonly calls_per_second: number;
  readonly recording_policy: 'free' | 'announced' | 'consented';
  readonly recording_days: number;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly deleted_at: Date | null;
}

const columns = `id, provider, name, settings_sealed, flow_key_sealed, from_number,
  calls_per_second, recording_policy, recording_days, created_at, updated_at, deleted_at`;

export async function insertProvider(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  row: Omit<ProviderRow, 'deleted_at'>,
): Promise<void> {
  await tx.run(
    `insert into voice_provider (tenant_id, environment, ${columns})
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, null)`,
    [
      tenantId,
      environment,
      row.id,
      row.provider,
      row.name,
      row.settings_sealed,
      row.flow_key_sealed,
      row.from_number,
      row.calls_per_second,
      row.recording_policy,
      row.recording_days,
      row.created_at,
      row.updated_at,
    ],
  );
}

/** Newest first. */
export function listProviders(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  page: KeysetRange,
): Promise<ProviderRow[]> {
  const { key, where, order, rowsMax } = newestFirst(page);
  return tx.rows(
    `select ${columns} from voice_provider where tenant_id = $1 and environment = $2
       and deleted_at is null and ${where('id', '$3')} order by id ${order} limit $4`,
    [tenantId, environment, key, rowsMax],
  );
}

/** Also a removed one: calls in progress still need it. */
export function findProvider(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  id: string,
): Promise<ProviderRow | undefined> {
  return tx.row(
    `select ${columns} from voice_provider where tenant_id = $1 and environment = $2 and id = $3`,
    [tenantId, environment, id],
  );
}

/** The configurations with these ids, as `findProvider` finds them. */
export function findProviders(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  ids: readonly string[],
): Promise<ProviderRow[]> {
  return tx.rows(
    `select ${columns} from voice_provider
     where tenant_id = $1 and environment = $2 and id = any($3)`,
    [tenantId, environment, ids],
  );
}

export type ProviderChange = Pick<
  ProviderRow,
  | 'name'
  | 'settings_sealed'
  | 'from_number'
  | 'calls_per_second'
  | 'recording_policy'
  | 'recording_days'
  | 'updated_at'
>;

export async function updateProvider(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  id: string,
  row: ProviderChange,
): Promise<void> {
  await tx.run(
    `update voice_provider set name = $4, settings_sealed = $5, from_number = $6,
       calls_per_second = $7, recording_policy = $8, recording_days = $9, updated_at = $10
     where tenant_id = $1 and environment = $2 and id = $3`,
    [
      tenantId,
      environment,
      id,
      row.name,
      row.settings_sealed,
      row.from_number,
      row.calls_per_second,
      row.recording_policy,
      row.recording_days,
      row.updated_at,
    ],
  );
}

/** Returns how many there were: none or one. */
export function removeProvider(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  id: string,
  now: Date,
): Promise<number> {
  return tx.run(
    `update voice_provider set deleted_at = $4, updated_at = $4
     where tenant_id = $1 and environment = $2 and id = $3 and deleted_at is null`,
    [tenantId, environment, id, now],
  );
}

/** The scope of a configuration; needed before the call-back is authenticated. */
export async function findProviderScope(tx: Tx, id: string): Promise<TenantScope | undefined> {
  const row = await tx.row<{ tenant_id: string; environment: Environment }>(
    'select tenant_id, environment from owner_of_voice_provider($1)',
    [id],
  );
  return row === undefined ? undefined : { tenantId: row.tenant_id, environment: row.environment };
}

/** Uses a token of a call-back; false when it was used at another address. */
export async function useToken(
  tx: Tx,
  tenantId: string,
  providerId: string,
  { token, address }: { readonly token: string; readonly address: string },
  now: Date,
): Promise<boolean> {
  const used = await tx.run(
    `insert into voice_callback_once as used (tenant_id, provider_id, token, address, seen_at)
     values ($1, $2, $3, $4, $5)
     on conflict (tenant_id, provider_id, token) do update set seen_at = used.seen_at
       where used.address = excluded.address`,
    [tenantId, providerId, token, address, now],
  );
  return used === 1;
}

/** Deletes tokens that are too old to be accepted in a call-back. */
export async function sweepCallbacks(tx: Tx, before: Date): Promise<void> {
  await tx.rows('select sweep_voice_callbacks($1)', [before]);
}

export interface TrunkStatusRow {
  readonly provider_id: string;
  readonly state: 'connecting' | 'connected' | 'lost';
  readonly since: Date;
  readonly heard_at: Date | null;
  readonly last_error: string | null;
}

export async function saveTrunkStatus(
  tx: Tx,
  tenantId: string,
  row: TrunkStatusRow,
): Promise<void> {
  await tx.run(
    `insert into voice_trunk (tenant_id, provider_id, state, since, heard_at, last_error)
     values ($1, $2, $3, $4, $5, $6)
     on conflict (tenant_id, provider_id) do update set state = $3,
       heard_at = coalesce($5, voice_trunk.heard_at),
       since = case when voice_trunk.state = $3 then voice_trunk.since else $4 end,
       last_error = coalesce($6, voice_trunk.last_error)`,
    [tenantId, row.provider_id, row.state, row.since, row.heard_at, row.last_error],
  );
}

export function findTrunkStatus(
  tx: Tx,
  tenantId: string,
  providerId: string,
): Promise<TrunkStatusRow | undefined> {
  return tx.row(
    `select provider_id, state, since, heard_at, last_error from voice_trunk
     where tenant_id = $1 and provider_id = $2`,
    [tenantId, providerId],
  );
}
