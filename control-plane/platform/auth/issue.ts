import type { Db } from '../db/database.ts';
import type { Tx } from '../db/tx.ts';
import { type Clock, newUuid, type RandomBytes } from '../ids.ts';
import { type Family, makeKey, type NewKey } from './api-key.ts';
import type { Environment } from './principal.ts';
import { insertKey, insertTenant } from './store.ts';

/** The key to make. */
export interface KeyRequest {
  readonly family: Family;
  readonly environment: Environment;
  readonly name: string;
  readonly scopes?: readonly string[];
  /** CIDR ranges that may use it; without any, every address may. */
  readonly allowedIps?: readonly string[];
  readonly expiresAt?: Date;
  /** The person whom it counts as; left out where nobody in particular makes it. */
  readonly madeBy?: string | null;
}

/** Makes a tenant, with what `within` adds in the same transaction, and returns its id. */
export async function createTenant(
  db: Db,
  name: string,
  { clock, random }: { clock: Clock; random: RandomBytes },
  within?: (tx: Tx, id: string) => Promise<void>,
): Promise<string> {
  const id = newUuid(clock, random);
  await db.tenant(id, async (tx) => {
    await insertTenant(tx, id, name);
    await within?.(tx, id);
  });
  return id;
}

/** Makes an API key; its text is in the returned value and nowhere else. */
export function issueKey(
  db: Db,
  tenantId: string,
  request: KeyRequest,
  random: RandomBytes,
): Promise<NewKey> {
  return db.tenant(tenantId, (tx) => addKey(tx, tenantId, request, random));
}

/** As `issueKey`, within a transaction of the tenant. */
export function addKey(
  tx: Tx,
  tenantId: string,
  request: KeyRequest,
  random: RandomBytes,
): Promise<NewKey> {
  return keepKey(tx, tenantId, request, draftKey(request, random));
}

/** A new key that is not stored yet. */
export function draftKey({ family, environment }: KeyRequest, random: RandomBytes): NewKey {
  return makeKey(family, environment, random);
}

/** Stores a key without its text, which is never stored. */
export async function keepKey(
  tx: Tx,
  tenantId: string,
  request: KeyRequest,
  made: NewKey,
): Promise<NewKey> {
  const { family, environment, name, scopes = ['*'], allowedIps = [], expiresAt = null } = request;
  const { text, ...key } = made;
  const madeBy = request.madeBy ?? null;
  const row = { ...key, family, environment, name, scopes };
  const limits = { allowed_ips: allowedIps, expires_at: expiresAt };
  await insertKey(tx, tenantId, { ...row, ...limits, made_by: madeBy });
  return made;
}
