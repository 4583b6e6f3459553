import type { Principal } from '../../platform/auth/principal.ts';
import type { Tx } from '../../platform/db/tx.ts';
import { fail } from '../errors.ts';
import { findMember } from '../members/store.ts';
import {
  type EinvoicingRole,
  einvoicingRoleTable,
  einvoicingScopesOf,
} from './einvoicing-roles.ts';
import type { MemberRoles } from './member-roles.ts';
import { mayGrant, type Role } from './messaging-roles.ts';

/** Throws `role_too_strong` when the role permits what the caller may not do. */
export function requireGrant({ scopes }: Principal, role: Role): void {
  if (!mayGrant(scopes, role)) throw tooStrong(role);
}

/** As `requireGrant`, for the roles of a member in both services. */
export async function requireGrants(
  tx: Tx,
  principal: Principal,
  { role, einvoicing_role }: MemberRoles,
): Promise<void> {
  if (role !== null) requireGrant(principal, role);
  if (einvoicing_role !== null) await requireEinvoicingGrant(tx, principal, einvoicing_role);
}

/**
 * What the caller may do in e-invoicing is what the member may whose session it is. A key of messaging
 * may do nothing there, unless it has the role of an owner.
 */
async function requireEinvoicingGrant(
  tx: Tx,
  { tenantId, id, scopes }: Principal,
  role: EinvoicingRole,
): Promise<void> {
  if (scopes.includes('*') || scopes.includes('owners:write')) return;
  const caller = await findMember(tx, tenantId, id);
  const own: readonly string[] = caller
    ? einvoicingScopesOf(caller.role, caller.einvoicing_role)
    : [];
  if (!einvoicingRoleTable[role].permissions.every((name) => own.includes(name))) {
    throw tooStrong(role);
  }
}

function tooStrong(role: string) {
  return fail('role_too_strong', `The role ${role} permits more than you may do yourself.`);
}
