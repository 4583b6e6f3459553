/** Who people are by what a provider calls them, and the sessions that it vouched for. */
import type { Tx } from '../../platform/db/tx.ts';

/** What names a person for ever: addresses and names change, and are given to others. */
export interface ProviderIdentity {
  readonly issuer: string;
  readonly subject: string;
}

export async function findPerson(
  tx: Tx,
  tenantId: string,
  { issuer, subject }: ProviderIdentity,
): Promise<string | undefined> {
  const row = await tx.row<{ user_id: string }>(
    'select user_id from provider_identity where tenant_id = $1 and issuer = $2 and subject = $3',
    [tenantId, issuer, subject],
  );
  return row?.user_id;
}

/** Whether the issuer has a name for the account already. */
export async function isKnownTo(
  tx: Tx,
  tenantId: string,
  issuer: string,
  userId: string,
): Promise<boolean> {
  const row = await tx.row(
    `select from provider_identity
     where tenant_id = $1 and issuer = $2 and user_id = $3 limit 1`,
    [tenantId, issuer, userId],
  );
  return row !== undefined;
}

/** Writes down that the person has signed in. */
export async function saveIdentity(
  tx: Tx,
  tenantId: string,
  { issuer, subject, userId, now }: ProviderIdentity & { userId: string; now: Date },
): Promise<void> {
  await tx.run(
    `insert into provider_identity (tenant_id, issuer, subject, user_id, created_at, signed_in_at)
     values ($1, $2, $3, $4, $5, $5)
     on conflict (tenant_id, issuer, subject) do update set signed_in_at = $5`,
    [tenantId, issuer, subject, userId, now],
  );
}

interface ProviderAccount {
  readonly id: string;
  readonly email: string;
  readonly name: string;
}

/** An account of the transaction's tenant alone. */
export async function addProviderAccount(
  tx: Tx,
  { id, email, name }: ProviderAccount,
  now: Date,
): Promise<void> {
  await tx.rows('select add_provider_account($1, $2, $3, $4)', [id, email, name, now]);
}

/** What the provider calls the person now; an account that has a password stays as it is. */
export async function updateProviderAccount(
  tx: Tx,
  { id, email, name }: ProviderAccount,
): Promise<void> {
  await tx.rows('select update_provider_account($1, $2, $3)', [id, email, name]);
}

/** Withdraws the open invitation to an address. */
export async function deleteInvitationTo(tx: Tx, tenantId: string, email: string): Promise<void> {
  await tx.run('delete from invitation where tenant_id = $1 and email = $2', [tenantId, email]);
}

export interface ProviderSessionRow extends ProviderIdentity {
  /** The session's. */
  readonly id: string;
  readonly sid: string | null;
  readonly sealed_id_token: string | null;
}

export async function insertProviderSession(
  tx: Tx,
  tenantId: string,
  { id, issuer, subject, sid, sealed_id_token }: ProviderSessionRow,
): Promise<void> {
  await tx.run(
    `insert into provider_session (tenant_id, id, issuer, subject, sid, sealed_id_token)
     values ($1, $2, $3, $4, $5, $6)`,
    [tenantId, id, issuer, subject, sid, sealed_id_token],
  );
}

export function findProviderSession(
  tx: Tx,
  tenantId: string,
  id: string,
): Promise<ProviderSessionRow | undefined> {
  return tx.row('select * from provider_session where tenant_id = $1 and id = $2', [tenantId, id]);
}

/** Whose sessions are meant by what a provider calls the person, or its own session. */
export async function findPeopleSignedIn(
  tx: Tx,
  tenantId: string,
  { issuer, subject, sid }: { issuer: string; subject: string | null; sid: string | null },
): Promise<string[]> {
  const rows = await tx.rows<{ user_id: string }>(
    `select distinct s.user_id from provider_session p
     join session s on s.tenant_id = p.tenant_id and s.id = p.id
     where p.tenant_id = $1 and p.issuer = $2 and s.revoked_at is null
       and ($3::text is null or p.subject = $3)
       and ($4::text is null or $3 is not null or p.sid = $4)`,
    [tenantId, issuer, subject, sid],
  );
  return rows.map(({ user_id }) => user_id);
}

/** False when it was used before. */
export async function useOnce(
  tx: Tx,
  tenantId: string,
  id: string,
  expiresAt: Date,
): Promise<boolean> {
  const added = await tx.run(
    `insert into used_provider_token (tenant_id, id, expires_at) values ($1, $2, $3)
     on conflict (tenant_id, id) do nothing`,
    [tenantId, id, expiresAt],
  );
  return added === 1;
}
