import { z } from 'zod';
import { requireGrant } from '../../../people/roles/grant.ts';
import { isRole } from '../../../people/roles/messaging-roles.ts';
import { findKeyOf, type KeyRow, pageOfKeys, revokeKey } from '../../../platform/auth/store.ts';
import { issueTenantKey, timesOfKey } from '../../../platform/auth/tenant-keys.ts';
import { pageOf } from '../../../platform/http/cursor.ts';
import { afterCursor, pageQuery, pageSchema } from '../../../platform/http/paging.ts';
import { type AnyRoute, route } from '../../../platform/http/route.ts';
import { idempotencyHeaders, madeHeaders, onceOf } from '../../../platform/idempotency/once.ts';
import { fail } from '../../errors.ts';
import { type TenantRoutesContext, tag } from '../context.ts';
import { issuedKey, keyId, keyRequest, keyView } from '../schema.ts';

const path = '/tenants/api-keys/';

export function apiKeyRoutes(context: TenantRoutesContext): AnyRoute[] {
  return [listRoute(context), issueRoute(context), revokeRoute(context)];
}

function listRoute({ db }: TenantRoutesContext) {
  return route({
    method: 'get',
    path,
    operationId: 'listApiKeys',
    summary: 'List the API keys of this environment, revoked ones too',
    tag,
    auth: { scope: 'keys:read' },
    limit: 'read',
    request: { query: pageQuery },
    responses: {
      200: { description: 'A page of keys.', schema: pageSchema(keyView, 'ApiKeyPage') },
    },
    handler: async ({ query: { cursor, limit }, principal: { tenantId, environment } }) => {
      const after = afterCursor(cursor, /^key_/);
      const rows = await db.tenant(tenantId, (tx) =>
        pageOfKeys(tx, tenantId, { family: 'jc', environment }, after, limit + 1),
      );
      return { status: 200, body: pageOf(rows, limit, (row) => row.id, show) };
    },
  });
}

function issueRoute(context: TenantRoutesContext) {
  return route({
    method: 'post',
    path,
    operationId: 'issueApiKey',
    summary: 'Issue an API key in a role',
    description:
      'It opens the environment of the address where it is issued, and no other. A repeat with ' +
      'the same Idempotency-Key makes no other key and shows none: revoke it if it was lost.',
    tag,
    auth: { scope: 'keys:write' },
    needsProof: true,
    limit: 'write',
    request: { body: keyRequest, headers: idempotencyHeaders },
    responses: { 201: { description: 'The key, shown this once.', schema: issuedKey } },
    errors: ['role_too_strong', 'idempotency_payload_mismatch'],
    handler: async ({ body, principal, headers, audit }) => {
      const { name, role, allowed_ips, expires_at } = body;
      requireGrant(principal, role);
      const once = onceOf(`POST ${path}`, headers, body);
      const issued = await issueTenantKey(
        context,
        { principal, audit, once },
        { family: 'jc', name, scopes: [`role:${role}`], allowed_ips, expires_at },
      );
      const { id, key, shown } = issued;
      const answer = { id, key, shown, name, role };
      return { status: 201, body: answer, headers: madeHeaders(undefined, issued) };
    },
  });
}

function revokeRoute({ db }: TenantRoutesContext) {
  return route({
    method: 'delete',
    path: `${path}{id}/`,
    operationId: 'revokeApiKey',
    summary: 'Revoke an API key',
    description: 'It is refused on every node within a second, and stays in the list.',
    tag,
    auth: { scope: 'keys:write' },
    needsProof: true,
    limit: 'write',
    request: { params: z.strictObject({ id: keyId }) },
    responses: { 204: { description: 'It is revoked.' } },
    errors: ['api_key_not_found', 'role_too_strong'],
    handler: async ({ params: { id }, principal, audit }) => {
      const { tenantId, environment } = principal;
      await db.tenant(tenantId, async (tx) => {
        const key = await findKeyOf(tx, tenantId, { family: 'jc', environment }, id);
        if (key === undefined) throw fail('api_key_not_found', `There is no API key "${id}".`);
        const role = roleOf(key);
        if (role !== null) requireGrant(principal, role);
        await revokeKey(tx, tenantId, id);
        await audit.record(tx, tenantId, { subject: id, before: show(key) });
      });
      return { status: 204 };
    },
  });
}

function roleOf({ scopes }: KeyRow) {
  const role = /^role:(.+)$/.exec(scopes[0] ?? '')?.[1] ?? '';
  return isRole(role) ? role : null;
}

function show(row: KeyRow) {
  const { id, name, shown, allowed_ips } = row;
  return { id, name, shown, role: roleOf(row), allowed_ips, ...timesOfKey(row) };
}
