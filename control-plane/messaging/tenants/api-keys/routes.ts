import { z } from 'zod';
import { requireGrant } from '../../../people/roles/grant.ts';
import { isRole } from '../../../people/roles/messaging-roles.ts';
import type { Principal } from '../../../platform/auth/principal.ts';
import { findKeyOf, type KeyRow, pageOfKeys, revokeKey } from '../../../platform/auth/store.ts';
import {
  changeTenantKey,
  issueTenantKey,
  keyPatch,
  timesOfKey,
} from '../../../platform/auth/tenant-keys.ts';
import { pageOf } from '../../../platform/http/cursor.ts';
import { pageQuery, pageSchema, requestedPage } from '../../../platform/http/paging.ts';
import { type AnyRoute, route } from '../../../platform/http/route.ts';
import { idempotencyHeaders, madeHeaders, onceOf } from '../../../platform/idempotency/once.ts';
import { fail } from '../../errors.ts';
import { type TenantRoutesContext, tag } from '../context.ts';
import { issuedKey, keyId, keyRequest, keyView } from '../schema.ts';

const path = '/tenants/api-keys/';
const family = 'jc';
const params = z.strictObject({ id: keyId });

export function apiKeyRoutes(context: TenantRoutesContext): AnyRoute[] {
  return [
    listRoute(context),
    issueRoute(context),
    getRoute(context),
    patchRoute(context),
    revokeRoute(context),
  ];
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
    handler: async ({ query, principal: { tenantId, environment } }) => {
      const page = requestedPage(query, /^key_/);
      const rows = await db.tenant(tenantId, (tx) =>
        pageOfKeys(tx, tenantId, { family, environment }, page),
      );
      return { status: 200, body: pageOf(page, rows, (row) => row.id, show) };
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
        { family, name, scopes: [`role:${role}`], allowed_ips, expires_at },
      );
      const { id, key, shown } = issued;
      const answer = { id, key, shown, name, role };
      return { status: 201, body: answer, headers: madeHeaders(`${path}${id}/`, issued) };
    },
  });
}

function getRoute({ db }: TenantRoutesContext) {
  return route({
    method: 'get',
    path: `${path}{id}/`,
    operationId: 'getApiKey',
    summary: 'Read what is kept of an API key',
    tag,
    auth: { scope: 'keys:read' },
    limit: 'read',
    request: { params },
    responses: { 200: { description: 'The key, without its secret.', schema: keyView } },
    errors: ['api_key_not_found'],
    handler: async ({ params: { id }, principal: { tenantId, environment } }) => {
      const row = await db.tenant(tenantId, (tx) =>
        findKeyOf(tx, tenantId, { family, environment }, id),
      );
      return { status: 200, body: show(found(row, id)) };
    },
  });
}

function patchRoute({ db, clock }: TenantRoutesContext) {
  return route({
    method: 'patch',
    path: `${path}{id}/`,
    operationId: 'updateApiKey',
    summary: 'Rename an API key, or change from where and how long it may be used',
    description:
      'Every node follows within a second. Its role never changes: issue another one for that.',
    tag,
    auth: { scope: 'keys:write' },
    needsProof: true,
    limit: 'write',
    request: { params, body: keyPatch },
    responses: { 200: { description: 'The key as it is now.', schema: keyView } },
    errors: ['api_key_not_found', 'api_key_revoked', 'role_too_strong'],
    handler: async ({ params: { id }, body, principal, audit }) => {
      const { tenantId, environment } = principal;
      const row = await db.tenant(tenantId, async (tx) => {
        const before = found(await findKeyOf(tx, tenantId, { family, environment }, id), id);
        requireRole(principal, before);
        const after = await changeTenantKey(tx, clock, principal, before, body);
        if (after === undefined) throw fail('api_key_revoked', `The API key "${id}" was revoked.`);
        await audit.record(tx, tenantId, { subject: id, before: show(before), after: show(after) });
        return after;
      });
      return { status: 200, body: show(row) };
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
    request: { params },
    responses: { 204: { description: 'It is revoked.' } },
    errors: ['api_key_not_found', 'role_too_strong'],
    handler: async ({ params: { id }, principal, audit }) => {
      const { tenantId, environment } = principal;
      await db.tenant(tenantId, async (tx) => {
        const key = found(await findKeyOf(tx, tenantId, { family, environment }, id), id);
        requireRole(principal, key);
        await revokeKey(tx, tenantId, id);
        await audit.record(tx, tenantId, { subject: id, before: show(key) });
      });
      return { status: 204 };
    },
  });
}

function found(row: KeyRow | undefined, id: string): KeyRow {
  if (row === undefined) throw fail('api_key_not_found', `There is no API key "${id}".`);
  return row;
}

function requireRole(principal: Principal, key: KeyRow): void {
  const role = roleOf(key);
  if (role !== null) requireGrant(principal, role);
}

function roleOf({ scopes }: KeyRow) {
  const role = /^role:(.+)$/.exec(scopes[0] ?? '')?.[1] ?? '';
  return isRole(role) ? role : null;
}

function show(row: KeyRow) {
  const { id, name, shown, allowed_ips } = row;
  return { id, name, shown, role: roleOf(row), allowed_ips, ...timesOfKey(row) };
}
