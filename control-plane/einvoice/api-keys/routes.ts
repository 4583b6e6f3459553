import { z } from 'zod';
import { einvoicingPermissions } from '../../people/roles/einvoicing-roles.ts';
import { type Principal, permits } from '../../platform/auth/principal.ts';
import { findKeyOf, type KeyRow, pageOfKeys, revokeKey } from '../../platform/auth/store.ts';
import {
  changeTenantKey,
  issueTenantKey,
  keyPatch,
  type TenantKeysContext,
  timesOfKey,
} from '../../platform/auth/tenant-keys.ts';
import { pageOf } from '../../platform/http/cursor.ts';
import { pageQuery, pageSchema, requestedPage } from '../../platform/http/paging.ts';
import { type AnyRoute, route } from '../../platform/http/route.ts';
import { idempotencyHeaders, madeHeaders, onceOf } from '../../platform/idempotency/once.ts';
import { fail } from '../errors.ts';
import { issuedKey, keyId, keyRequest, keyView } from './schema.ts';

const tag = 'API keys';
const path = '/v1/api-keys';
const family = 'sk';
const params = z.strictObject({ id: keyId });

/** A tenant's own keys: it needs nobody at the host to make, narrow and revoke them. */
export function apiKeyRoutes(context: TenantKeysContext): AnyRoute[] {
  return [
    issueRoute(context),
    listRoute(context),
    getRoute(context),
    patchRoute(context),
    revokeRoute(context),
  ];
}

function issueRoute(context: TenantKeysContext) {
  return route({
    method: 'post',
    path,
    operationId: 'issueApiKey',
    summary: 'Issue an API key',
    description:
      'It opens the environment of the address where it is issued, and no other. A repeat with ' +
      'the same Idempotency-Key makes no other key and shows none: revoke it if it was lost.',
    tag,
    auth: { scope: 'keys:write' },
    needsProof: true,
    limit: 'write',
    request: { body: keyRequest, headers: idempotencyHeaders },
    responses: { 201: { description: 'The key, shown this once.', schema: issuedKey } },
    errors: ['scope_too_strong', 'idempotency_payload_mismatch'],
    handler: async ({ body, principal, headers, audit }) => {
      requireScopes(principal, body.scopes);
      const once = onceOf(`POST ${path}`, headers, body);
      const issued = await issueTenantKey(context, { principal, audit, once }, { family, ...body });
      const { id, key, shown, request } = issued;
      const answer = {
        id,
        key,
        shown,
        name: body.name,
        scopes: body.scopes,
        allowed_ips: request.allowedIps,
        expires_at: request.expiresAt?.toISOString() ?? null,
      };
      return { status: 201, body: answer, headers: madeHeaders(`${path}/${id}`, issued) };
    },
  });
}

function listRoute({ db }: TenantKeysContext) {
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
    handler: async ({ query, principal: { tenantId }, environment }) => {
      const page = requestedPage(query, /^key_/);
      const rows = await db.tenant(tenantId, (tx) =>
        pageOfKeys(tx, tenantId, { family, environment }, page),
      );
      return { status: 200, body: pageOf(page, rows, (row) => row.id, show) };
    },
  });
}

function getRoute({ db }: TenantKeysContext) {
  return route({
    method: 'get',
    path: `${path}/{id}`,
    operationId: 'getApiKey',
    summary: 'Read what is kept of an API key',
    tag,
    auth: { scope: 'keys:read' },
    limit: 'read',
    request: { params },
    responses: { 200: { description: 'The key, without its secret.', schema: keyView } },
    errors: ['api_key_not_found'],
    handler: async ({ params: { id }, principal: { tenantId }, environment }) => {
      const row = await db.tenant(tenantId, (tx) =>
        findKeyOf(tx, tenantId, { family, environment }, id),
      );
      return { status: 200, body: show(found(row, id)) };
    },
  });
}

function patchRoute({ db, clock }: TenantKeysContext) {
  return route({
    method: 'patch',
    path: `${path}/{id}`,
    operationId: 'updateApiKey',
    summary: 'Rename an API key, or change from where and how long it may be used',
    description:
      'Every node follows within a second. What a key may do never changes: issue another one for that.',
    tag,
    auth: { scope: 'keys:write' },
    needsProof: true,
    limit: 'write',
    request: { params, body: keyPatch },
    responses: { 200: { description: 'The key as it is now.', schema: keyView } },
    errors: ['api_key_not_found', 'api_key_revoked', 'scope_too_strong'],
    handler: async ({ params: { id }, body, principal, environment, audit }) => {
      const { tenantId } = principal;
      const row = await db.tenant(tenantId, async (tx) => {
        const before = found(await findKeyOf(tx, tenantId, { family, environment }, id), id);
        requireScopes(principal, before.scopes);
        const after = await changeTenantKey(tx, clock, principal, before, body);
        if (after === undefined) throw fail('api_key_revoked', `The API key "${id}" was revoked.`);
        await audit.record(tx, tenantId, { subject: id, before: show(before), after: show(after) });
        return after;
      });
      return { status: 200, body: show(row) };
    },
  });
}

function revokeRoute({ db }: TenantKeysContext) {
  return route({
    method: 'delete',
    path: `${path}/{id}`,
    operationId: 'revokeApiKey',
    summary: 'Revoke an API key',
    description: 'It is refused on every node within a second, and stays in the list.',
    tag,
    auth: { scope: 'keys:write' },
    needsProof: true,
    limit: 'write',
    request: { params },
    responses: { 204: { description: 'It is revoked.' } },
    errors: ['api_key_not_found', 'scope_too_strong'],
    handler: async ({ params: { id }, principal, environment, audit }) => {
      const { tenantId } = principal;
      await db.tenant(tenantId, async (tx) => {
        const key = found(await findKeyOf(tx, tenantId, { family, environment }, id), id);
        requireScopes(principal, key.scopes);
        await revokeKey(tx, tenantId, id);
        await audit.record(tx, tenantId, { subject: id, before: show(key) });
      });
      return { status: 204 };
    },
  });
}

/** Nobody hands on, or takes away, what he lacks. `*` is every permission that there is. */
function requireScopes(principal: Principal, scopes: readonly string[]): void {
  const wanted = scopes.includes('*') ? Object.keys(einvoicingPermissions) : scopes;
  const lacking = wanted.find((scope) => !permits(principal, scope));
  if (lacking === undefined) return;
  throw fail('scope_too_strong', `The key would have the permission ${lacking}, which you lack.`);
}

function found(row: KeyRow | undefined, id: string): KeyRow {
  if (row === undefined) throw fail('api_key_not_found', `There is no API key "${id}".`);
  return row;
}

function show(row: KeyRow) {
  const { id, name, shown, scopes, allowed_ips } = row;
  return { id, name, shown, scopes, allowed_ips, ...timesOfKey(row) };
}
