import type { Tx } from '../../platform/db/tx.ts';
import type { EinvoicingRole } from '../roles/einvoicing-roles.ts';
import type { MemberRoles } from '../roles/member-roles.ts';
import type { Role } from '../roles/messaging-roles.ts';
import { type SignedInBy, sessionChannel } from '../sessions/store.ts';

/** What the people of a group are here. */
export interface GroupRoles extends MemberRoles {
  readonly group: string;
}

/** The settings of a workspace's identity provider. */
export interface IdentityProviderRow {
  readonly id: string;
  readonly sign_in_name: string;
  readonly name: string;
  readonly issuer: string;
  readonly client_id: string;
  /** Null: a client without a secret. */
  readonly sealed_client_secret: string | null;
  readonly scopes: readonly string[];
  readonly groups_claim: string;
  /** The first that fits counts, for each service. */
  readonly group_roles: readonly GroupRoles[];
  readonly default_role: Role | null;
  readonly default_einvoicing_role: EinvoicingRole | null;
  /** In lower case; none: any. */
  readonly email_domains: readonly string[];
  /** Members sign in through it alone, and owners by password too. */
  readonly is_required: boolean;
  readonly proof_acr_values: readonly string[];
  readonly proof_amr_values: readonly string[];
  readonly is_enabled: boolean;
  readonly trial: Trial | null;
  readonly created_at: Date;
  readonly updated_at: Date;
}

/** What came of a sign-in that began no session. */
export interface Trial {
  readonly at: string;
  /** Why nobody would have been signed in; null: somebody would. */
  readonly problem: string | null;
  /** What is behind the problem, in words for an administrator. */
  readonly detail: string | null;
  readonly subject: string | null;
  readonly email: string | null;
  readonly groups: readonly string[];
  readonly role: Role | null;
  readonly einvoicing_role: EinvoicingRole | null;
  /** The names of all claims that came. */
  readonly claims: readonly string[];
}

export function findProvider(tx: Tx, tenantId: string): Promise<IdentityProviderRow | undefined> {
  return tx.row('select * from identity_provider where tenant_id = $1', [tenantId]);
}

/** As `findProvider`; who waits for it sees what the other transaction has made of provider and members. */
export async function lockProvider(
  tx: Tx,
  tenantId: string,
): Promise<IdentityProviderRow | undefined> {
  // Where there is no row yet there is nothing else that could be locked.
  await tx.run(`select pg_advisory_xact_lock(hashtextextended('identity_provider ' || $1, 0))`, [
    tenantId,
  ]);
  return tx.row('select * from identity_provider where tenant_id = $1 for update', [tenantId]);
}

/** The workspace that is signed in to by this name. */
export async function findTenantOfName(tx: Tx, name: string): Promise<string | undefined> {
  const row = await tx.row<{ id: string | null }>(
    "select tenant_of('sign_in_name', $1)::text as id",
    [name],
  );
  return row?.id ?? undefined;
}

/** Puts it in the place of the one before. Rejects with `duplicate` when another workspace has its sign-in name. */
export async function saveProvider(
  tx: Tx,
  tenantId: string,
  row: IdentityProviderRow,
): Promise<void> {
  await tx.run(
    `insert into identity_provider (tenant_id, id, sign_in_name, name, issuer, client_id,
       sealed_client_secret, scopes, groups_claim, group_roles, default_role,
       default_einvoicing_role, email_domains, is_required, proof_acr_values,
       proof_amr_values, is_enabled, trial, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19,
       $20)
     on conflict (tenant_id) do update set sign_in_name = $3, name = $4, issuer = $5,
       client_id = $6, sealed_client_secret = $7, scopes = $8, groups_claim = $9,
       group_roles = $10, default_role = $11, default_einvoicing_role = $12, email_domains = $13,
       is_required = $14, proof_acr_values = $15, proof_amr_values = $16, is_enabled = $17,
       trial = $18, updated_at = $20`,
    [
      tenantId,
      row.id,
      row.sign_in_name,
      row.name,
      row.issuer,
      row.client_id,
      row.sealed_client_secret,
      JSON.stringify(row.scopes),
      row.groups_claim,
      JSON.stringify(row.group_roles),
      row.default_role,
      row.default_einvoicing_role,
      JSON.stringify(row.email_domains),
      row.is_required,
      JSON.stringify(row.proof_acr_values),
      JSON.stringify(row.proof_amr_values),
      row.is_enabled,
      row.trial === null ? null : JSON.stringify(row.trial),
      row.created_at,
      row.updated_at,
    ],
  );
}

export async function deleteProvider(tx: Tx, tenantId: string): Promise<void> {
  await tx.run('delete from identity_provider where tenant_id = $1', [tenantId]);
}

export async function saveTrial(tx: Tx, tenantId: string, trial: Trial): Promise<void> {
  await tx.run('update identity_provider set trial = $2 where tenant_id = $1', [
    tenantId,
    JSON.stringify(trial),
  ]);
}

/** False when there is no provider. */
export async function allowPasswords(tx: Tx, tenantId: string, now: Date): Promise<boolean> {
  const changed = await tx.run(
    `update identity_provider set is_required = false, updated_at = $2 where tenant_id = $1`,
    [tenantId, now],
  );
  return changed === 1;
}

/** Whether an owner has an account with a password, whom no provider can keep out. */
export async function hasOwnerWithPassword(tx: Tx, tenantId: string): Promise<boolean> {
  const row = await tx.row(
    `select from member m join user_account u on u.id = m.user_id
     where m.tenant_id = $1 and m.role = 'owner' and u.home_tenant_id is null limit 1`,
    [tenantId],
  );
  return row !== undefined;
}

/** Ends, on all nodes, the sessions of a tenant that somebody vouched for; `but`: those of owners stay. */
export async function endSessionsSignedInBy(
  tx: Tx,
  tenantId: string,
  by: SignedInBy,
  { butOwners = false } = {},
): Promise<void> {
  await tx.rows(
    `with ended as (update session set revoked_at = clock_timestamp()
       where tenant_id = $1 and signed_in_by = $2 and revoked_at is null
         and not ($3 and exists (select from member m where m.tenant_id = $1
           and m.user_id = session.user_id and m.role = 'owner'))
       returning id)
     select pg_notify('${sessionChannel}', id) from ended`,
    [tenantId, by, butOwners],
  );
}
