import type { Environment } from '../../platform/auth/principal.ts';
import type { Tx } from '../../platform/db/tx.ts';

export interface AccountRow {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly password_hash: string;
  readonly created_at: Date;
}

/** An account of whichever tenant; for signing in and accepting invitations only. */
export function findAccount(tx: Tx, email: string): Promise<AccountRow | undefined> {
  return tx.row('select * from find_account($1)', [email]);
}

export async function addAccount(tx: Tx, row: AccountRow): Promise<void> {
  await tx.rows('select add_account($1, $2, $3, $4, $5)', [
    ...[row.id, row.email, row.name, row.password_hash, row.created_at],
  ]);
}

export interface Membership {
  readonly tenant_id: string;
  readonly name: string;
  readonly role: string;
}

/** The tenants of a person, the oldest membership first. */
export function membershipsOf(tx: Tx, userId: string): Promise<Membership[]> {
  return tx.rows('select * from memberships_of($1)', [userId]);
}

export interface SessionRow {
  readonly id: string;
  readonly user_id: string;
  readonly environment: Environment;
  readonly refresh_id: string;
  readonly created_at: Date;
  readonly expires_at: Date;
}

export async function insertSession(tx: Tx, tenantId: string, row: SessionRow): Promise<void> {
  await tx.run(
    `insert into session (id, tenant_id, user_id, environment, refresh_id, created_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [
      ...[row.id, tenantId, row.user_id, row.environment, row.refresh_id],
      ...[row.created_at, row.expires_at],
    ],
  );
}

export interface Rotation {
  readonly sessionId: string;
  readonly usedId: string;
  readonly nextId: string;
  readonly now: Date;
  readonly expiresAt: Date;
}

/** False when the refresh token was not the session's newest, or the session has ended. */
export async function rotateSession(tx: Tx, tenantId: string, turn: Rotation): Promise<boolean> {
  const changed = await tx.run(
    `update session set refresh_id = $4, expires_at = $6
     where tenant_id = $1 and id = $2 and refresh_id = $3 and revoked_at is null
       and expires_at > $5`,
    [tenantId, turn.sessionId, turn.usedId, turn.nextId, turn.now, turn.expiresAt],
  );
  return changed === 1;
}

/** The channel on which nodes tell each other that a session ended. */
export const sessionChannel = 'session';

/** Ends a session on all nodes; false when there is none, or it has ended. */
export async function revokeSession(tx: Tx, tenantId: string, id: string): Promise<boolean> {
  const row = await tx.row(
    `with revoked as (update session set revoked_at = clock_timestamp()
       where tenant_id = $1 and id = $2 and revoked_at is null returning id)
     select pg_notify('${sessionChannel}', id) from revoked`,
    [tenantId, id],
  );
  return row !== undefined;
}

export interface FoundSession {
  readonly tenant_id: string;
  readonly user_id: string;
  readonly role: string;
  readonly limits: Readonly<Record<string, number>>;
}

/** A session of whichever tenant; for authentication only. */
export function findSession(tx: Tx, id: string): Promise<FoundSession | undefined> {
  return tx.row('select * from find_session($1)', [id]);
}

/**
 * Counts a try to sign in under every key; answers the seconds to wait when one of them is used up.
 */
export async function takeSignIn(
  tx: Tx,
  keys: readonly string[],
  mosts: readonly number[],
  windowSeconds: number,
): Promise<number | undefined> {
  const row = await tx.row<{ wait: number | null }>('select take_sign_in($1, $2, $3) as wait', [
    keys,
    mosts,
    windowSeconds,
  ]);
  return row?.wait ?? undefined;
}

/** Forgets all tries of these keys. */
export async function forgetSignIns(tx: Tx, key: string): Promise<void> {
  await tx.run('delete from sign_in_window where key = $1', [key]);
}

/** Forgets one try of a key: it turned out well. */
export async function forgetSignIn(tx: Tx, key: string): Promise<void> {
  await tx.run(
    `update sign_in_window set tried_at = trim_array(tried_at, 1)
     where key = $1 and cardinality(tried_at) > 0`,
    [key],
  );
}

/** Deletes sessions that ended before `now`, and windows nobody was counted in for an hour. */
export async function sweepSignIn(tx: Tx, now: Date): Promise<void> {
  await tx.rows('select sweep_sign_in($1, $2)', [now, new Date(now.getTime() - 3_600_000)]);
}

export interface SigningKeyRow {
  readonly id: string;
  readonly public_jwk: Readonly<Record<string, unknown>>;
  readonly sealed_private_jwk: string;
}

/** All keys, the newest first. */
export function listSigningKeys(tx: Tx): Promise<SigningKeyRow[]> {
  return tx.rows(
    'select id, public_jwk, sealed_private_jwk from signing_key order by created_at desc, id desc',
  );
}

/** Adds the key unless there is one already. */
export async function addFirstSigningKey(tx: Tx, key: SigningKeyRow): Promise<void> {
  await tx.rows('select pg_advisory_xact_lock($1)', [7_314_161]);
  await tx.run(
    `insert into signing_key (id, public_jwk, sealed_private_jwk) select $1, $2, $3
     where not exists (select from signing_key)`,
    [key.id, JSON.stringify(key.public_jwk), key.sealed_private_jwk],
  );
}
