import type { Environment } from '../../platform/auth/principal.ts';
import type { Tx } from '../../platform/db/tx.ts';
import type { MemberRoles } from '../roles/member-roles.ts';

/** Where a session began. */
export interface SessionOrigin {
  readonly ip: string | null;
  readonly user_agent: string | null;
}

/** Of what a client calls itself, so much is kept. */
const userAgentMax = 300;

export function originOf(ip: string, userAgent: string | undefined): SessionOrigin {
  return { ip, user_agent: userAgent?.slice(0, userAgentMax) ?? null };
}

export interface SessionRow extends SessionOrigin {
  readonly id: string;
  readonly user_id: string;
  readonly environment: Environment;
  readonly refresh_id: string;
  readonly created_at: Date;
  readonly expires_at: Date;
  /** When somebody showed in a browser who they are; null for a session of tokens. */
  readonly proven_at: Date | null;
  readonly signed_in_by: SignedInBy;
}

/** Who vouched for the person of a session. */
export type SignedInBy = 'password' | 'provider';

export async function insertSession(tx: Tx, tenantId: string, row: SessionRow): Promise<void> {
  await tx.run(
    `insert into session (id, tenant_id, user_id, environment, refresh_id, created_at, expires_at,
       ip, user_agent, proven_at, signed_in_by)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    [
      row.id,
      tenantId,
      row.user_id,
      row.environment,
      row.refresh_id,
      row.created_at,
      row.expires_at,
      row.ip,
      row.user_agent,
      row.proven_at,
      row.signed_in_by,
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
export async function rotateSession(
  tx: Tx,
  tenantId: string,
  { sessionId, usedId, nextId, now, expiresAt }: Rotation,
): Promise<boolean> {
  const changed = await tx.run(
    `update session set refresh_id = $4, previous_refresh_id = $3, refreshed_at = $5, expires_at = $6
     where tenant_id = $1 and id = $2 and refresh_id = $3 and revoked_at is null
       and expires_at > $5`,
    [tenantId, sessionId, usedId, nextId, now, expiresAt],
  );
  return changed === 1;
}

export interface RepeatedTurn {
  readonly sessionId: string;
  readonly usedId: string;
  /** When the token was used first, at the earliest. */
  readonly usedSince: Date;
}

/** The newest refresh token and when it was made, if the one before it is asked for again and was used lately. */
export function findRepeatedTurn(
  tx: Tx,
  tenantId: string,
  { sessionId, usedId, usedSince }: RepeatedTurn,
): Promise<{ readonly refresh_id: string; readonly refreshed_at: Date } | undefined> {
  return tx.row(
    `select refresh_id, refreshed_at from session
     where tenant_id = $1 and id = $2 and previous_refresh_id = $3 and refreshed_at > $4
       and revoked_at is null`,
    [tenantId, sessionId, usedId, usedSince],
  );
}

/** The NOTIFY channel of sessions that ended or may do something else now; the payload is the session's id. */
export const sessionChannel = 'session';

/** Lets every node look at a member's sessions again once the transaction commits. */
export async function notifySessions(tx: Tx, tenantId: string, userId: string): Promise<void> {
  await tx.rows(
    `select pg_notify('${sessionChannel}', id) from session
     where tenant_id = $1 and user_id = $2 and revoked_at is null`,
    [tenantId, userId],
  );
}

/** Ends a session on all nodes; false when there is none, or it has ended already. */
export async function revokeSession(tx: Tx, tenantId: string, id: string): Promise<boolean> {
  const row = await tx.row(
    `with revoked as (update session set revoked_at = clock_timestamp()
       where tenant_id = $1 and id = $2 and revoked_at is null returning id)
     select pg_notify('${sessionChannel}', id) from revoked`,
    [tenantId, id],
  );
  return row !== undefined;
}

export interface ShownSession extends SessionOrigin {
  readonly id: string;
  readonly tenant_id: string;
  readonly tenant_name: string;
  readonly environment: Environment;
  readonly created_at: Date;
  readonly refreshed_at: Date | null;
  readonly expires_at: Date;
  readonly signed_in_by: SignedInBy;
}

/** Sessions of a person: in one tenant, or in all. */
export interface SessionRange {
  readonly userId: string;
  readonly tenantId: string | undefined;
}

/** Those that have not ended, the newest first. */
export function listSessions(
  tx: Tx,
  { userId, tenantId }: SessionRange,
  now: Date,
  max: number,
): Promise<ShownSession[]> {
  return tx.rows('select * from sessions_of($1, $2, $3, $4)', [userId, tenantId, now, max]);
}

/** When a session began. */
export async function findSessionBegin(
  tx: Tx,
  tenantId: string,
  id: string,
): Promise<Date | undefined> {
  const row = await tx.row<{ created_at: Date }>(
    'select created_at from session where tenant_id = $1 and id = $2',
    [tenantId, id],
  );
  return row?.created_at;
}

/** Ends one of them on all nodes; false when there is none, or it has ended already. */
export async function endSession(
  tx: Tx,
  { userId, tenantId }: SessionRange,
  id: string,
  now: Date,
): Promise<boolean> {
  const row = await tx.row<{ is_ended: boolean }>(
    'select end_session_of($1, $2, $3, $4) as is_ended',
    [userId, tenantId, id, now],
  );
  return row!.is_ended;
}

/** Ends all of them on all nodes, but one if it is named. */
export async function endSessions(
  tx: Tx,
  { userId, tenantId }: SessionRange,
  { but, now }: { readonly but?: string; readonly now: Date },
): Promise<void> {
  await tx.rows('select end_sessions_of($1, $2, $3, $4)', [userId, tenantId, but, now]);
}

/** A browser's session goes on, because it is used; nothing happens to one that has ended. */
export async function prolongSession(
  tx: Tx,
  tenantId: string,
  id: string,
  { now, expiresAt }: { readonly now: Date; readonly expiresAt: Date },
): Promise<void> {
  await tx.run(
    `update session set refreshed_at = $3, expires_at = $4
     where tenant_id = $1 and id = $2 and revoked_at is null and expires_at > $3`,
    [tenantId, id, now, expiresAt],
  );
}

/** The person of a browser's session has shown again who they are. All nodes look at it again. */
export async function proveSession(tx: Tx, tenantId: string, id: string, now: Date): Promise<void> {
  await tx.rows(
    `with proven as (update session set proven_at = $3
       where tenant_id = $1 and id = $2 and revoked_at is null returning id)
     select pg_notify('${sessionChannel}', id) from proven`,
    [tenantId, id, now],
  );
}

export interface FoundSession extends MemberRoles {
  readonly tenant_id: string;
  readonly user_id: string;
  readonly limits: Readonly<Record<string, number>>;
  readonly expires_at: Date;
  /** Null: a session of tokens. */
  readonly proven_at: Date | null;
  readonly signed_in_by: SignedInBy;
}

/** A session of any tenant; only for authentication. */
export function findSession(tx: Tx, id: string): Promise<FoundSession | undefined> {
  return tx.row('select * from find_session($1)', [id]);
}

/** Deletes sessions and tokens that ended before `now`, and tries to sign in that count no more. */
export async function sweepSignIn(tx: Tx, now: Date): Promise<void> {
  await tx.rows('select sweep_sign_in($1, $2)', [now, new Date(now.getTime() - 86_400_000)]);
}
