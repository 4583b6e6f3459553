import type { Principal } from '../../platform/auth/principal.ts';
import type { Tx } from '../../platform/db/tx.ts';
import type { PeopleApi } from '../api.ts';
import { fail } from '../errors.ts';
import { findMember } from '../members/store.ts';
import {
  type EinvoicingRole,
  einvoicingRoleTable,
  einvoicingScopesOf,
} from './einvoicing-roles.ts';
import type { MemberRoles } from './member-roles.ts';
import { mayGrant, type Role, scopesOf } from './messaging-roles.ts';

/** Throws `role_too_strong` when the role permits what the caller may not do. */
export function requireGrant({ scopes }: Principal, role: Role): void {
  if (!mayGrant(scopes, role)) throw tooStrong(role);
}

/** Who grants roles, and through which service. */
export interface Caller {
  readonly service: PeopleApi['service'];
  readonly principal: Principal;
}

/**
 * As `requireGrant`, for the roles of a member in both services. What a person may do is asked of
 * both services, through whichever the person calls. A key may do nothing in the other service, but
 * for a key of messaging with the role of an owner, who owns the workspace.
 */
export async function requireGrants(
  tx: Tx,
  { service, principal }: Caller,
  { role, einvoicing_role }: MemberRoles,
): Promise<void> {
  const { tenantId, id, sessionId, scopes } = principal;
  const member = sessionId === undefined ? undefined : await findMember(tx, tenantId, id);
  const isOwner = service === 'messaging' && (scopes.includes('*') || scopes.includes(ownersWrite));
  const own = {
    messaging: service === 'messaging' ? scopes : scopesOf([`role:${member?.role}`]),
    einvoicing:
      service === 'einvoice' ? scopes : isOwner ? ['*'] : einvoicingScopesOfMember(member),
  };
  if (role !== null && !mayGrant(own.messaging, role)) throw tooStrong(role);
  if (einvoicing_role !== null && !mayGrantEinvoicing(own.einvoicing, einvoicing_role)) {
    throw tooStrong(einvoicing_role);
  }
}

const ownersWrite = 'owners:write';

function einvoicingScopesOfMember(member: MemberRoles | undefined): readonly string[] {
  return member === undefined ? [] : einvoicingScopesOf(member.role, member.einvoicing_role);
}

function mayGrantEinvoicing(scopes: readonly string[], role: EinvoicingRole): boolean {
  const { permissions } = einvoicingRoleTable[role];
  return scopes.includes('*') || permissions.every((name) => scopes.includes(name));
}

function tooStrong(role: string) {
  return fail('role_too_strong', `The role ${role} permits more than you may do yourself.`);
}
