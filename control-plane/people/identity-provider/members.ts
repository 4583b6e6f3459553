/** Makes whoever a provider vouches for a member, and gives them the roles of their groups. */
import type { RequestAudit } from '../../platform/audit/request-audit.ts';
import type { Tx } from '../../platform/db/tx.ts';
import { type Clock, newId, type RandomBytes } from '../../platform/ids.ts';
import type { MemberHooks } from '../members/hooks.ts';
import {
  addMember,
  findMember,
  findMemberByEmail,
  hasWayBackWithout,
  lockOwners,
  type MemberRow,
  removeMember,
  setRoles,
} from '../members/store.ts';
import type { MemberRoles } from '../roles/member-roles.ts';
import { endSessions } from '../sessions/store.ts';
import {
  addProviderAccount,
  deleteInvitationTo,
  findPerson,
  isKnownTo,
  saveIdentity,
  updateProviderAccount,
} from './identity-store.ts';
import { givenRoles, isWithinGiven, nextRoles, rolesOf, type VouchedPerson } from './person.ts';
import type { SignInProblem } from './problem.ts';
import type { IdentityProviderRow } from './store.ts';

export interface AdmissionContext {
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly memberHooks: MemberHooks;
  readonly audit: RequestAudit;
}

export type Admission =
  | { readonly kind: 'member'; readonly userId: string }
  | { readonly kind: 'refused'; readonly problem: SignInProblem };

export function refusal(problem: SignInProblem): Admission {
  return { kind: 'refused', problem };
}

/** In the transaction that has locked the provider, so that two first sign-ins make one member. */
export async function admit(
  tx: Tx,
  tenantId: string,
  context: AdmissionContext,
  provider: IdentityProviderRow,
  person: VouchedPerson,
): Promise<Admission> {
  const known = await findPerson(tx, tenantId, person);
  const roles = rolesOf(person.groups, provider);
  if (roles === undefined) {
    if (known !== undefined) {
      await endSessions(tx, { userId: known, tenantId }, { now: context.clock() });
      await applyRoles(tx, tenantId, context, provider, known, undefined);
    }
    return refusal('no_role');
  }
  const userId = known ?? (await accountOf(tx, tenantId, context, provider, person));
  if (userId === undefined) return refusal('member_exists');
  const now = context.clock();
  const { issuer, subject } = person;
  await saveIdentity(tx, tenantId, { issuer, subject, userId, now });
  await updateProviderAccount(tx, { ...person, id: userId });
  await applyRoles(tx, tenantId, context, provider, userId, roles);
  return { kind: 'member', userId };
}

/**
 * The account of somebody who signs in for the first time. A member who has the address is the same person only if
 * the provider has verified it and the workspace has named its domain, if the provider could have given that member
 * each of their roles, and if it knows the member by no other name: addresses are given to others.
 */
async function accountOf(
  tx: Tx,
  tenantId: string,
  { clock, random }: AdmissionContext,
  provider: IdentityProviderRow,
  { email, name, issuer, isEmailVerified }: VouchedPerson,
): Promise<string | undefined> {
  await deleteInvitationTo(tx, tenantId, email);
  const member = await findMemberByEmail(tx, tenantId, email);
  if (member === undefined) {
    const now = clock();
    const id = newId('usr', () => now, random);
    await addProviderAccount(tx, { id, email, name }, now);
    return id;
  }
  const isSame =
    isEmailVerified &&
    provider.email_domains.length > 0 &&
    isWithinGiven(member, givenRoles(provider)) &&
    !(await isKnownTo(tx, tenantId, issuer, member.user_id));
  return isSame ? member.user_id : undefined;
}

/**
 * Adds, changes or removes the member, as the roles of the groups ask for. The last owner stays
 * one, and the last with a password.
 */
async function applyRoles(
  tx: Tx,
  tenantId: string,
  { clock, memberHooks, audit }: AdmissionContext,
  provider: IdentityProviderRow,
  userId: string,
  given: MemberRoles | undefined,
): Promise<void> {
  const owners = await lockOwners(tx, tenantId);
  const member = await findMember(tx, tenantId, userId);
  const change = { subject: userId, userId };
  if (member === undefined) {
    if (given === undefined) return;
    await addMember(tx, tenantId, { ...given, userId, now: clock() });
    return audit.record(tx, tenantId, { ...change, action: 'joinByProvider', after: given });
  }
  const before = rolesOfMember(member);
  const asked = nextRoles(before, given, provider);
  const isNeeded =
    owners.includes(userId) &&
    (owners.length === 1 || !(await hasWayBackWithout(tx, tenantId, userId)));
  const after = isNeeded ? { ...asked, role: before.role } : asked;
  if (before.role === after.role && before.einvoicing_role === after.einvoicing_role) return;
  const isMember = after.role !== null || after.einvoicing_role !== null;
  if (isMember) await setRoles(tx, tenantId, userId, after);
  else await removeMember(tx, tenantId, userId);
  await memberHooks.changed(tx, tenantId, { userId, role: after.role, by: userId });
  const recorded = isMember
    ? { action: 'changeRolesByProvider', before, after }
    : { action: 'removeByProvider', before };
  await audit.record(tx, tenantId, { ...change, ...recorded });
}

function rolesOfMember({ role, einvoicing_role }: MemberRow): MemberRoles {
  return { role, einvoicing_role };
}
