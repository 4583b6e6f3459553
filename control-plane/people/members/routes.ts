import { z } from 'zod';
import type { Tx } from '../../platform/db/tx.ts';
import { pageOf } from '../../platform/http/cursor.ts';
import { invalid } from '../../platform/http/errors.ts';
import { pageQuery, pageSchema, requestedPage } from '../../platform/http/paging.ts';
import { type AnyRoute, route } from '../../platform/http/route.ts';
import type { PeopleApi } from '../api.ts';
import { fail } from '../errors.ts';
import { type Caller, requireGrants } from '../roles/grant.ts';
import type { MemberRoles } from '../roles/member-roles.ts';
import { type MemberRoutesContext, tag } from './context.ts';
import { memberPatch, memberView, userId } from './schema.ts';
import {
  deleteInvitationsOf,
  findMember,
  hasWayBackWithout,
  listMembers,
  lockOwners,
  type MemberRow,
  removeMember,
  setRoles,
} from './store.ts';

const params = z.strictObject({ id: userId });

export function memberRoutes(api: PeopleApi, context: MemberRoutesContext): AnyRoute[] {
  return [listRoute(api, context), patchRoute(api, context), deleteRoute(api, context)];
}

function listRoute({ paths }: PeopleApi, { db }: MemberRoutesContext) {
  return route({
    method: 'get',
    path: paths.members,
    operationId: 'listMembers',
    summary: 'List members',
    tag,
    auth: { scope: 'members:read' },
    limit: 'read',
    request: { query: pageQuery },
    responses: {
      200: { description: 'A page of members.', schema: pageSchema(memberView, 'MemberPage') },
    },
    handler: async ({ query, principal: { tenantId } }) => {
      const page = requestedPage(query, 'usr');
      const rows = await db.tenant(tenantId, (tx) => listMembers(tx, tenantId, page));
      return { status: 200, body: pageOf(page, rows, (row) => row.user_id, show) };
    },
  });
}

function patchRoute({ service, paths }: PeopleApi, { db, memberHooks }: MemberRoutesContext) {
  return route({
    method: 'patch',
    path: paths.member,
    operationId: 'updateMember',
    summary: 'Give a member other roles',
    description: 'It takes effect at once, also in open sessions.',
    tag,
    auth: { scope: 'members:write' },
    needsProof: true,
    limit: 'write',
    request: { params, body: memberPatch },
    responses: { 200: { description: 'The member as it is now.', schema: memberView } },
    errors: ['user_not_found', 'role_too_strong', 'last_owner', 'no_way_back'],
    isOfWorkspace: true,
    handler: async ({ params: { id }, body, principal, audit }) => {
      const row = await db.tenant(principal.tenantId, async (tx) => {
        const member = await changeable(tx, { service, principal }, id, body);
        const { role = member.role, einvoicing_role = member.einvoicing_role } = body;
        if (role === null && einvoicing_role === null) {
          throw invalid('role', 'no role is left in either service: remove the member instead');
        }
        await setRoles(tx, principal.tenantId, id, { role, einvoicing_role });
        await memberHooks.changed(tx, principal.tenantId, { userId: id, role, by: principal.id });
        const after = { role, einvoicing_role };
        await audit.record(tx, principal.tenantId, { subject: id, before: rolesOf(member), after });
        return { ...member, ...after };
      });
      return { status: 200, body: show(row) };
    },
  });
}

function deleteRoute({ service, paths }: PeopleApi, { db, memberHooks }: MemberRoutesContext) {
  return route({
    method: 'delete',
    path: paths.member,
    operationId: 'removeMember',
    summary: 'Remove a member',
    description:
      'The member’s sessions end, invitations of theirs are void, and their conversations become unassigned shortly ' +
      'after. Keys that they made go on until they are revoked.',
    tag,
    auth: { scope: 'members:write' },
    limit: 'write',
    request: { params },
    responses: { 204: { description: 'The member was removed.' } },
    errors: ['user_not_found', 'role_too_strong', 'last_owner', 'no_way_back'],
    isOfWorkspace: true,
    handler: async ({ params: { id }, principal, audit }) => {
      await db.tenant(principal.tenantId, async (tx) => {
        const none = { role: null, einvoicing_role: null };
        const member = await changeable(tx, { service, principal }, id, none);
        await removeMember(tx, principal.tenantId, id);
        await deleteInvitationsOf(tx, principal.tenantId, id);
        const changed = { userId: id, role: null, by: principal.id };
        await memberHooks.changed(tx, principal.tenantId, changed);
        await audit.record(tx, principal.tenantId, { subject: id, before: show(member) });
      });
      return { status: 204 };
    },
  });
}

/**
 * The member, if the caller may take the roles from it that it has, and hand on those that it is to
 * have, and an owner remains afterwards; otherwise throws. A role that is left out stays.
 */
async function changeable(
  tx: Tx,
  caller: Caller,
  id: string,
  next: z.output<typeof memberPatch>,
): Promise<MemberRow> {
  const { tenantId } = caller.principal;
  const owners = await lockOwners(tx, tenantId);
  const member = await findMember(tx, tenantId, id);
  if (member === undefined) throw fail('user_not_found', `There is no member "${id}".`);
  for (const { role, einvoicing_role } of [member, next]) {
    await requireGrants(tx, caller, {
      role: next.role === undefined ? null : (role ?? null),
      einvoicing_role: next.einvoicing_role === undefined ? null : (einvoicing_role ?? null),
    });
  }
  const staysOwner = next.role === undefined || next.role === 'owner';
  if (!staysOwner && owners.length === 1 && owners[0] === id) {
    throw fail('last_owner', 'This is the last owner: make another member an owner first.');
  }
  if (!staysOwner && owners.includes(id) && !(await hasWayBackWithout(tx, tenantId, id))) {
    throw fail(
      'no_way_back',
      'Nobody could sign in if the provider failed: make another member who has a password an owner first.',
    );
  }
  return member;
}

function rolesOf({ role, einvoicing_role }: MemberRoles): MemberRoles {
  return { role, einvoicing_role };
}

function show({ user_id: id, created_at, ...member }: MemberRow) {
  return { id, ...member, joined_at: created_at.toISOString() };
}
