import { z } from 'zod';
import type { Principal } from '../../platform/auth/principal.ts';
import type { Tx } from '../../platform/db/tx.ts';
import { pageOf } from '../../platform/http/cursor.ts';
import { type AnyRoute, route } from '../../platform/http/route.ts';
import { fail } from '../errors.ts';
import { afterCursor, pageQuery, pageSchema } from '../paging.ts';
import { mayAnswer, mayGrant, type Role } from '../rbac.ts';
import { type TenantRoutesContext, tag } from './context.ts';
import {
  findMember,
  listMembers,
  lockOwners,
  type MemberRow,
  removeMember,
  setRole,
} from './people-store.ts';
import { memberPatch, memberView, userId } from './schema.ts';

const params = z.strictObject({ id: userId });

export function memberRoutes(context: TenantRoutesContext): AnyRoute[] {
  return [listRoute(context), patchRoute(context), deleteRoute(context)];
}

function listRoute({ db }: TenantRoutesContext) {
  return route({
    method: 'get',
    path: '/tenants/users/',
    operationId: 'listMembers',
    summary: 'List members',
    tag,
    auth: { scope: 'members:read' },
    limit: 'read',
    request: { query: pageQuery },
    responses: {
      200: { description: 'A page of members.', schema: pageSchema(memberView, 'MemberPage') },
    },
    handler: async ({ query: { cursor, limit }, principal: { tenantId } }) => {
      const after = afterCursor(cursor, 'usr');
      const rows = await db.tenant(tenantId, (tx) => listMembers(tx, tenantId, after, limit + 1));
      return { status: 200, body: pageOf(rows, limit, (row) => row.user_id, show) };
    },
  });
}

function patchRoute({ db, memberHooks }: TenantRoutesContext) {
  return route({
    method: 'patch',
    path: '/tenants/users/{id}/',
    operationId: 'updateMember',
    summary: 'Give a member another role',
    description: 'It holds at once, also in sessions that are open.',
    tag,
    auth: { scope: 'members:write' },
    limit: 'write',
    request: { params, body: memberPatch },
    responses: { 200: { description: 'The member as it is now.', schema: memberView } },
    errors: ['user_not_found', 'role_too_strong', 'last_owner'],
    handler: async ({ params: { id }, body: { role }, principal }) => {
      requireGrant(principal, role);
      const row = await db.tenant(principal.tenantId, async (tx) => {
        const member = await changeable(tx, principal, id, role);
        await setRole(tx, principal.tenantId, id, role);
        const leaver = { userId: id, by: principal.id };
        if (!mayAnswer(role)) await memberHooks.left(tx, principal.tenantId, leaver);
        return { ...member, role };
      });
      return { status: 200, body: show(row) };
    },
  });
}

function deleteRoute({ db, memberHooks }: TenantRoutesContext) {
  return route({
    method: 'delete',
    path: '/tenants/users/{id}/',
    operationId: 'removeMember',
    summary: 'Remove a member',
    description:
      'Sessions of the member end, and conversations that were given to it are nobody’s by and by.',
    tag,
    auth: { scope: 'members:write' },
    limit: 'write',
    request: { params },
    responses: { 204: { description: 'It is no member any more.' } },
    errors: ['user_not_found', 'role_too_strong', 'last_owner'],
    handler: async ({ params: { id }, principal }) => {
      await db.tenant(principal.tenantId, async (tx) => {
        await changeable(tx, principal, id);
        await removeMember(tx, principal.tenantId, id);
        await memberHooks.left(tx, principal.tenantId, { userId: id, by: principal.id });
      });
      return { status: 204 };
    },
  });
}

/** The member, when the caller may change it and an owner is left afterwards. */
async function changeable(
  tx: Tx,
  principal: Principal,
  id: string,
  next?: Role,
): Promise<MemberRow> {
  const { tenantId } = principal;
  const owners = await lockOwners(tx, tenantId);
  const member = await findMember(tx, tenantId, id);
  if (member === undefined) throw fail('user_not_found', `There is no member "${id}".`);
  requireGrant(principal, member.role);
  if (next !== 'owner' && owners.length === 1 && owners[0] === id) {
    throw fail('last_owner', 'This is the last owner: make another member an owner first.');
  }
  return member;
}

/** Throws `role_too_strong` when the role permits what the caller may not do. */
export function requireGrant({ scopes }: Principal, role: Role): void {
  if (mayGrant(scopes, role)) return;
  throw fail('role_too_strong', `The role ${role} permits more than you may do yourself.`);
}

function show({ user_id: id, email, name, role, created_at }: MemberRow) {
  return { id, email, name, role, joined_at: created_at.toISOString() };
}
