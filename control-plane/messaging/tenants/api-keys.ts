import { z } from 'zod';
import { cidrOf } from '../../platform/auth/authenticator.ts';
import { draftKey, keepKey } from '../../platform/auth/issue.ts';
import { type KeyRow, revokeKey } from '../../platform/auth/store.ts';
import { pageOf } from '../../platform/http/cursor.ts';
import { type AnyRoute, route } from '../../platform/http/route.ts';
import {
  idempotencyHeaders,
  madeHeaders,
  makeOnce,
  onceOf,
} from '../../platform/idempotency/once.ts';
import { fail, invalid } from '../errors.ts';
import { afterCursor, pageQuery, pageSchema } from '../paging.ts';
import { isRole } from '../rbac.ts';
import { findKey, listKeys } from './api-key-store.ts';
import { type TenantRoutesContext, tag } from './context.ts';
import { requireGrant } from './members.ts';
import { issuedKey, keyId, keyRequest, keyView } from './schema.ts';

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
        listKeys(tx, tenantId, environment, after, limit + 1),
      );
      return { status: 200, body: pageOf(rows, limit, (row) => row.id, show) };
    },
  });
}

function issueRoute({ db, clock, random }: TenantRoutesContext) {
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
    limit: 'write',
    request: { body: keyRequest, headers: idempotencyHeaders },
    responses: { 201: { description: 'The key, shown this once.', schema: issuedKey } },
    errors: ['role_too_strong', 'idempotency_payload_mismatch'],
    handler: async ({ body, principal, headers }) => {
      const { name, role, allowed_ips, expires_at } = body;
      requireGrant(principal, role);
      const expiresAt = expires_at === undefined ? undefined : new Date(expires_at);
      if (expiresAt && expiresAt <= clock()) throw invalid('expires_at', 'must lie ahead');
      const request = {
        ...{ family: 'jc' as const, environment: principal.environment, name },
        scopes: [`role:${role}`],
        allowedIps: allowed_ips.flatMap((range) => cidrOf(range) ?? []),
        ...(expiresAt ? { expiresAt } : {}),
      };
      const { tenantId, environment } = principal;
      const drafted = draftKey(request, random);
      const made = await db.tenant(tenantId, (tx) =>
        makeOnce<Pick<KeyRow, 'id' | 'shown'>>(
          ...([tx, principal, onceOf(`POST ${path}`, headers, body)] as const),
          {
            id: drafted.id,
            make: () => keepKey(tx, tenantId, request, drafted),
            find: (id) => findKey(tx, tenantId, environment, id),
          },
        ),
      );
      const { id, shown } = made.row;
      // Only its hash is kept, so a repeat cannot show it.
      const key = made.isReplay ? null : drafted.text;
      const answer = { id, key, shown, name, role };
      return { status: 201, body: answer, headers: madeHeaders(undefined, made) };
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
    limit: 'write',
    request: { params: z.strictObject({ id: keyId }) },
    responses: { 204: { description: 'It is revoked.' } },
    errors: ['api_key_not_found', 'role_too_strong'],
    handler: async ({ params: { id }, principal }) => {
      const { tenantId, environment } = principal;
      await db.tenant(tenantId, async (tx) => {
        const key = await findKey(tx, tenantId, environment, id);
        if (key === undefined) throw fail('api_key_not_found', `There is no API key "${id}".`);
        const role = roleOf(key);
        if (role !== null) requireGrant(principal, role);
        await revokeKey(tx, tenantId, id);
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
  return {
    ...{ id, name, shown, role: roleOf(row), allowed_ips },
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at?.toISOString() ?? null,
    revoked_at: row.revoked_at?.toISOString() ?? null,
    last_used_at: row.last_used_at?.toISOString() ?? null,
  };
}
