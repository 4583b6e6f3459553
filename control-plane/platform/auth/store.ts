import { type KeysetRange, oldestFirst } from '../db/keyset.ts';
import type { Tx } from '../db/tx.ts';
import type { Family } from './api-key.ts';
import type { Environment } from './principal.ts';

/** A stored key, which does not contain the key's text. */
export interface KeyRow {
  readonly id: string;
  readonly tenant_id: string;
  readonly family: Family;
  readonly environment: Environment;
  readonly name: string;
  readonly shown: string;
  readonly hash: Buffer;
  readonly scopes: readonly string[];
  readonly allowed_ips: readonly string[];
  readonly created_at: Date;
  readonly expires_at: Date | null;
  readonly revoked_at: Date | null;
  readonly last_used_at: Date | null;
  /** The person whom it counts as. */
  readonly made_by: string | null;
}

/** A key with what authentication needs. */
export interface FoundKey extends KeyRow {
  /** The tenant's own rate limits by name, per key and second. */
  readonly limits: Readonly<Record<string, number>>;
}

/** The columns of a key to insert. */
export type NewKeyRow = Pick<
  KeyRow,
  | 'id'
  | 'family'
  | 'environment'
  | 'name'
  | 'shown'
  | 'hash'
  | 'scopes'
  | 'allowed_ips'
  | 'expires_at'
  | 'made_by'
>;

/** The NOTIFY channel on which nodes announce that a key changed. */
export const keyChannel = 'api_key';

/** Adds a tenant; rejects when the id is taken. */
export async function insertTenant(tx: Tx, tenantId: string, name: string): Promise<void> {
  await tx.rows('select add_tenant($1, $2)', [tenantId, name]);
}

/** Adds a key of the tenant. */
export async function insertKey(tx: Tx, tenantId: string, key: NewKeyRow): Promise<void> {
  await tx.run(
    `insert into api_key (id, tenant_id, family, environment, name, shown, hash, scopes,
       allowed_ips, expires_at, made_by)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    [
      key.id,
      tenantId,
      key.family,
      key.environment,
      key.name,
      key.shown,
      key.hash,
      JSON.stringify(key.scopes),
      JSON.stringify(key.allowed_ips),
      key.expires_at,
      key.made_by,
    ],
  );
}

/** The member whom a key counts as; undefined when nobody in particular made it, or who did is gone. */
export async function findMaker(
  tx: Tx,
  tenantId: string,
  keyId: string,
): Promise<string | undefined> {
  const row = await tx.row<Pick<KeyRow, 'made_by'>>(
    `select k.made_by from api_key k join member m on m.tenant_id = k.tenant_id and m.user_id = k.made_by
     where k.tenant_id = $1 and k.id = $2`,
    [tenantId, keyId],
  );
  return row?.made_by ?? undefined;
}

/** All keys of a tenant, oldest first, revoked ones too. */
export async function listKeys(tx: Tx, tenantId: string): Promise<KeyRow[]> {
  return tx.rows('select * from api_key where tenant_id = $1 order by created_at, id', [tenantId]);
}

/** Which keys of a tenant: those of one service, in one environment. */
export interface KeyRange {
  readonly family: Family;
  readonly environment: Environment;
}

/** Those keys by id, revoked ones too. */
export function pageOfKeys(
  tx: Tx,
  tenantId: string,
  { family, environment }: KeyRange,
  page: KeysetRange,
): Promise<KeyRow[]> {
  const { key, where, order, rowsMax } = oldestFirst(page);
  return tx.rows(
    `select * from api_key where tenant_id = $1 and family = $2 and environment = $3
       and ${where('id', '$4')} order by id ${order} limit $5`,
    [tenantId, family, environment, key, rowsMax],
  );
}

/** One of those keys. */
export function findKeyOf(
  tx: Tx,
  tenantId: string,
  { family, environment }: KeyRange,
  id: string,
): Promise<KeyRow | undefined> {
  return tx.row(
    `select * from api_key
     where tenant_id = $1 and family = $2 and environment = $3 and id = $4`,
    [tenantId, family, environment, id],
  );
}

/**
 * Revokes a key and notifies all nodes; false when the tenant has no such key. A second call keeps
 * the time of the first.
 */
export async function revokeKey(tx: Tx, tenantId: string, id: string): Promise<boolean> {
  const row = await tx.row(
    `with revoked as (update api_key set revoked_at = coalesce(revoked_at, now())
       where tenant_id = $1 and id = $2 returning id)
     select pg_notify('${keyChannel}', id) from revoked`,
    [tenantId, id],
  );
  return row !== undefined;
}

/** What of a key may be changed; undefined leaves it as it is. */
export type KeyChange = {
  readonly [Name in 'name' | 'allowed_ips' | 'expires_at']: KeyRow[Name] | undefined;
};

/** Changes a key and notifies all nodes; undefined when there is none that is not revoked. */
export function updateKey(
  tx: Tx,
  tenantId: string,
  id: string,
  { name, allowed_ips, expires_at }: KeyChange,
): Promise<KeyRow | undefined> {
  return tx.row(
    `with changed as (
       update api_key set name = coalesce($3, name), allowed_ips = coalesce($4, allowed_ips),
         expires_at = case when $5 then $6 else expires_at end
       where tenant_id = $1 and id = $2 and revoked_at is null returning *
     ), told as (select pg_notify('${keyChannel}', id) from changed)
     select changed.* from changed, told`,
    [
      tenantId,
      id,
      name,
      allowed_ips && JSON.stringify(allowed_ips),
      expires_at !== undefined,
      expires_at,
    ],
  );
}

/** A key of any tenant; for authentication only. */
export async function findKey(tx: Tx, id: string): Promise<FoundKey | undefined> {
  return tx.row('select (found.key).*, found.limits from find_api_key($1) found', [id]);
}

/** Stores when keys were last used; `used[i]` belongs to `ids[i]`. */
export async function touchKeys(tx: Tx, ids: string[], used: Date[]): Promise<void> {
  await tx.rows('select touch_api_keys($1, $2)', [ids, used]);
}

/**
 * Sets the tenant's own rate limits; keys in use follow within a second. False when there is no
 * such tenant.
 */
export async function setLimits(
  tx: Tx,
  tenantId: string,
  limits: Readonly<Record<string, number>>,
): Promise<boolean> {
  const row = await tx.row<{ is_set: boolean }>('select set_tenant_limits($1, $2) as is_set', [
    tenantId,
    limits,
  ]);
  return row!.is_set;
}

/** Whether there is such a tenant. */
export async function isTenant(tx: Tx, tenantId: string): Promise<boolean> {
  return (await tx.row('select from tenant where id = $1', [tenantId])) !== undefined;
}

/** A tenant as lists show it. */
export interface TenantRow {
  readonly id: string;
  readonly name: string;
  readonly limits: Readonly<Record<string, number>>;
  readonly created_at: Date;
  readonly suspended_at: Date | null;
  /** Since when it is being deleted; it stays suspended until nothing of it is left. */
  readonly deleting_at: Date | null;
}

/** All tenants of the installation, oldest first; for its operator only. */
export async function listTenants(tx: Tx): Promise<TenantRow[]> {
  return tx.rows('select * from list_tenants()');
}

/** The NOTIFY channel on which nodes hear that a tenant was suspended, resumed or deleted. */
export const tenantChannel = 'tenant';

/** The ids of all suspended tenants. */
export async function listSuspendedTenants(tx: Tx): Promise<string[]> {
  const rows = await tx.rows<{ id: string }>('select id from list_suspended_tenants() as t (id)');
  return rows.map(({ id }) => id);
}

/** The tenant; undefined when there is none. */
export function findTenant(tx: Tx, tenantId: string): Promise<TenantRow | undefined> {
  return tx.row('select * from tenant where id = $1', [tenantId]);
}

/**
 * Suspends a tenant on all nodes, or lets it go on; false when it is being deleted. A second suspension
 * keeps the time of the first.
 */
export async function setSuspended(
  tx: Tx,
  tenantId: string,
  isSuspended: boolean,
): Promise<boolean> {
  const row = await tx.row<{ is_set: boolean }>('select set_tenant_suspended($1, $2) as is_set', [
    tenantId,
    isSuspended,
  ]);
  await announceTenant(tx, tenantId);
  return row!.is_set;
}

/** Lets all nodes look at who is suspended again. */
export async function announceTenant(tx: Tx, tenantId: string): Promise<void> {
  await tx.rows('select pg_notify($1, $2)', [tenantChannel, tenantId]);
}
