import type { Tx } from '../db/tx.ts';
import type { Family } from './api-key.ts';
import type { Environment } from './principal.ts';

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
}

export interface FoundKey extends KeyRow {
  /** The tenant's own rate limits by name, per key and second. */
  readonly limits: Readonly<Record<string, number>>;
}

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
>;

/** The channel on which nodes tell each other that a key changed. */
export const keyChannel = 'api_key';

export async function insertTenant(tx: Tx, tenantId: string, name: string): Promise<void> {
  await tx.run('insert into tenant (id, name) values ($1, $2)', [tenantId, name]);
}

export async function insertKey(tx: Tx, tenantId: string, key: NewKeyRow): Promise<void> {
  await tx.run(
    `insert into api_key (id, tenant_id, family, environment, name, shown, hash, scopes,
       allowed_ips, expires_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      ...[key.id, tenantId, key.family, key.environment, key.name, key.shown, key.hash],
      ...[JSON.stringify(key.scopes), JSON.stringify(key.allowed_ips), key.expires_at],
    ],
  );
}

/** All keys of a tenant, oldest first, revoked ones too. */
export async function listKeys(tx: Tx, tenantId: string): Promise<KeyRow[]> {
  return tx.rows('select * from api_key where tenant_id = $1 order by created_at, id', [tenantId]);
}

/**
 * Revokes a key and tells all nodes; false when the tenant has no such key. Revoking twice keeps
 * the first time.
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

/** A key of whichever tenant; for authentication only. */
export async function findKey(tx: Tx, id: string): Promise<FoundKey | undefined> {
  return tx.row('select (found.key).*, found.limits from find_api_key($1) found', [id]);
}

/** Writes down when keys were last used; parallel arrays. */
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
  return (await tx.run('update tenant set limits = $2 where id = $1', [tenantId, limits])) === 1;
}

export async function isTenant(tx: Tx, tenantId: string): Promise<boolean> {
  return (await tx.row('select from tenant where id = $1', [tenantId])) !== undefined;
}

export interface TenantRow {
  readonly id: string;
  readonly name: string;
  readonly limits: Readonly<Record<string, number>>;
  readonly created_at: Date;
}

/** All tenants of the installation, oldest first; for its operator only. */
export async function listTenants(tx: Tx): Promise<TenantRow[]> {
  return tx.rows('select * from list_tenants()');
}
