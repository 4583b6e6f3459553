import { type KeysetRange, oldestFirst } from '../../platform/db/keyset.ts';
import type { Tx } from '../../platform/db/tx.ts';
import type { MemberRoles } from '../roles/member-roles.ts';
import { notifySessions } from '../sessions/store.ts';

export interface MemberRow extends MemberRoles {
  readonly user_id: string;
  readonly email: string;
  readonly name: string;
  /** `provider`: by the identity provider of the workspace, and by no password. */
  readonly signs_in_by: 'password' | 'provider';
  /** One that is kept here; what a provider asks for is not known. */
  readonly has_second_factor: boolean;
  readonly created_at: Date;
}

const memberColumns = `m.user_id, u.email, u.name, m.role, m.einvoicing_role, m.created_at,
  case when u.home_tenant_id is null then 'password' else 'provider' end as signs_in_by,
  m.user_id in (select members_with_second_factor()) as has_second_factor`;

/** By id. */
export function listMembers(tx: Tx, tenantId: string, page: KeysetRange): Promise<MemberRow[]> {
  const { key, where, order, rowsMax } = oldestFirst(page);
  return tx.rows(
    `select ${memberColumns} from member m join user_account u on u.id = m.user_id
     where m.tenant_id = $1 and ${where('m.user_id', '$2')}
     order by m.user_id ${order} limit $3`,
    [tenantId, key, rowsMax],
  );
}

export function findMember(
  tx: Tx,
  tenantId: string,
  userId: string,
): Promise<MemberRow | undefined> {
  return tx.row(
    `select ${memberColumns} from member m join user_account u on u.id = m.user_id
     where m.tenant_id = $1 and m.user_id = $2`,
    [tenantId, userId],
  );
}

/** The role in messaging of a member, who stays one with that role until the transaction ends; undefined for others. */
export async function holdMember(
  tx: Tx,
  tenantId: string,
  userId: string,
): Promise<MemberRoles['role'] | undefined> {
  const row = await tx.row<Pick<MemberRoles, 'role'>>(
    'select role from member where tenant_id = $1 and user_id = $2 for share',
    [tenantId, userId],
  );
  return row?.role;
}

export function findMemberByEmail(
  tx: Tx,
  tenantId: string,
  email: string,
): Promise<MemberRow | undefined> {
  return tx.row(
    `select ${memberColumns} from member m join user_account u on u.id = m.user_id
     where m.tenant_id = $1 and u.email = $2`,
    [tenantId, email],
  );
}

/** Returns how many were added: 0 when the person is already a member. */
export function addMember(
  tx: Tx,
  tenantId: string,
  { userId, role, einvoicing_role, now }: MemberRoles & { userId: string; now: Date },
): Promise<number> {
  return tx.run(
    `insert into member (tenant_id, user_id, role, einvoicing_role, created_at)
     values ($1, $2, $3, $4, $5) on conflict do nothing`,
    [tenantId, userId, role, einvoicing_role, now],
  );
}

/** The owners, locked until the transaction ends, so that two changes cannot remove the last two. */
export async function lockOwners(tx: Tx, tenantId: string): Promise<string[]> {
  const rows = await tx.rows<{ user_id: string }>(
    `select user_id from member where tenant_id = $1 and role = 'owner' order by user_id for update`,
    [tenantId],
  );
  return rows.map(({ user_id }) => user_id);
}

/**
 * Whether somebody could sign in without the identity provider if this person were no owner: where the workspace
 * leaves signing in to it, another owner has to have a password. The caller has locked the owners.
 */
export async function hasWayBackWithout(
  tx: Tx,
  tenantId: string,
  userId: string,
): Promise<boolean> {
  const row = await tx.row(
    `select where not exists (select from identity_provider where tenant_id = $1 and is_required)
       or exists (select from member m join user_account u on u.id = m.user_id
         where m.tenant_id = $1 and m.role = 'owner' and m.user_id <> $2
           and u.home_tenant_id is null)`,
    [tenantId, userId],
  );
  return row !== undefined;
}

export async function setRoles(
  tx: Tx,
  tenantId: string,
  userId: string,
  { role, einvoicing_role }: MemberRoles,
): Promise<void> {
  await tx.run(
    `update member set role = $3, einvoicing_role = $4 where tenant_id = $1 and user_id = $2`,
    [tenantId, userId, role, einvoicing_role],
  );
  await notifySessions(tx, tenantId, userId);
}

/** Removes the member and ends its sessions. */
export async function removeMember(tx: Tx, tenantId: string, userId: string): Promise<void> {
  await notifySessions(tx, tenantId, userId); // before they are deleted with the member
  await tx.run('delete from member where tenant_id = $1 and user_id = $2', [tenantId, userId]);
}

/** Withdraws what somebody has invited, also with a key, so that who was removed does not come back by it. */
export async function deleteInvitationsOf(tx: Tx, tenantId: string, userId: string): Promise<void> {
  await tx.run(
    `delete from invitation where tenant_id = $1 and (invited_by = $2 or invited_by in (
       select id from api_key where tenant_id = $1 and made_by = $2))`,
    [tenantId, userId],
  );
}

export interface InvitationRow extends MemberRoles {
  readonly id: string;
  readonly email: string;
  readonly invited_by: string;
  readonly created_at: Date;
  readonly expires_at: Date;
}

const invitationColumns = 'id, email, role, einvoicing_role, invited_by, created_at, expires_at';

/** A later invitation to the same address replaces the earlier one, whose token becomes void. */
export async function saveInvitation(
  tx: Tx,
  tenantId: string,
  row: InvitationRow,
  tokenHash: Buffer,
): Promise<void> {
  await tx.run(
    `insert into invitation (tenant_id, token_hash, ${invitationColumns})
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
     on conflict (tenant_id, email) do update set id = $3, token_hash = $2, role = $5,
       einvoicing_role = $6, invited_by = $7, created_at = $8, expires_at = $9`,
    [
      tenantId,
      tokenHash,
      row.id,
      row.email,
      row.role,
      row.einvoicing_role,
      row.invited_by,
      row.created_at,
      row.expires_at,
    ],
  );
}

/** Oldest first. */
export function listInvitations(
  tx: Tx,
  tenantId: string,
  page: KeysetRange,
): Promise<InvitationRow[]> {
  const { key, where, order, rowsMax } = oldestFirst(page);
  return tx.rows(
    `select ${invitationColumns} from invitation
     where tenant_id = $1 and ${where('id', '$2')} order by id ${order} limit $3`,
    [tenantId, key, rowsMax],
  );
}

/** An invitation that is still open. */
export function findOpenInvitation(
  tx: Tx,
  tenantId: string,
  id: string,
): Promise<InvitationRow | undefined> {
  return tx.row(`select ${invitationColumns} from invitation where tenant_id = $1 and id = $2`, [
    tenantId,
    id,
  ]);
}

export async function deleteInvitation(tx: Tx, tenantId: string, id: string): Promise<void> {
  await tx.run('delete from invitation where tenant_id = $1 and id = $2', [tenantId, id]);
}

export interface Invited extends MemberRoles {
  readonly tenant_id: string;
  readonly email: string;
}

/** The invitation of a token, of any tenant; undefined when it is used, expired or unknown. */
export function findInvitation(tx: Tx, tokenHash: Buffer, now: Date): Promise<Invited | undefined> {
  return tx.row('select * from find_invitation($1, $2)', [tokenHash, now]);
}

/** As `findInvitation`, and marks it as used. */
export function takeInvitation(tx: Tx, tokenHash: Buffer, now: Date): Promise<Invited | undefined> {
  return tx.row('select * from take_invitation($1, $2)', [tokenHash, now]);
}

export interface Membership extends MemberRoles {
  readonly tenant_id: string;
  readonly name: string;
  /** False where the workspace leaves signing in to its identity provider. */
  readonly may_use_password: boolean;
}

/** The tenants of a person, the oldest membership first. */
export function membershipsOf(tx: Tx, userId: string): Promise<Membership[]> {
  return tx.rows('select * from memberships_of($1)', [userId]);
}
