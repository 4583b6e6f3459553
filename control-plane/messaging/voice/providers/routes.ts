import { z } from 'zod';
import { voiceProviderById, voiceProviders } from '../../../channels/voice-registry.ts';
import type { RequestAudit } from '../../../platform/audit/request-audit.ts';
import { scopeOf, type TenantScope } from '../../../platform/auth/tenant-scope.ts';
import { pageOf } from '../../../platform/http/cursor.ts';
import { pageQuery, pageSchema, requestedPage } from '../../../platform/http/paging.ts';
import { type AnyRoute, route } from '../../../platform/http/route.ts';
import { idempotencyHeaders, madeHeaders, onceOf } from '../../../platform/idempotency/once.ts';
import { providerKindList, providerKindOf } from '../../provider-kinds/schema.ts';
import { type CallingContext, tag } from '../context.ts';
import { callbackUrlOf } from './account.ts';
import {
  changeProvider,
  createProvider,
  type ProviderChanged,
  providerNotFound,
  testProvider,
} from './actions.ts';
import { providerId, providerPatch, providerRequest, providerView, testView } from './schema.ts';
import { shownSettings } from './settings.ts';
import { findProvider, listProviders, type ProviderRow, removeProvider } from './store.ts';

const path = '/voice/api/provider-configs/';
const params = z.strictObject({ id: providerId });
const missing = ['provider_config_not_found'] as const;

export interface ProviderRoutesContext {
  readonly context: CallingContext;
  /** Monotonic milliseconds. */
  readonly stopwatch: () => number;
}

/** Accounts at voice providers, and PBXs. */
export function providerRoutes({ context, stopwatch }: ProviderRoutesContext): AnyRoute[] {
  return [
    kindsRoute(context),
    listRoute(context),
    createRoute(context),
    getRoute(context),
    patchRoute(context),
    deleteRoute(context),
    testRoute(context, stopwatch),
  ];
}

function kindsRoute({ simulatorSettings }: CallingContext) {
  return route({
    method: 'get',
    path: '/voice/api/provider-kinds/',
    operationId: 'listVoiceProviderKinds',
    summary: 'List the voice providers with their settings',
    description: 'For forms: what `provider` and `settings` of a configuration may be.',
    tag,
    auth: { scope: 'channels:read' },
    limit: 'read',
    responses: { 200: { description: 'All providers.', schema: providerKindList } },
    handler: async ({ principal }) => {
      const { environment } = scopeOf(principal);
      const results = voiceProviders.map((each) =>
        providerKindOf('voice', each, simulatorSettings(environment, each.id) ?? {}),
      );
      return { status: 200, body: { results } };
    },
  });
}

function listRoute(context: CallingContext) {
  return route({
    method: 'get',
    path,
    operationId: 'listVoiceProviders',
    summary: 'List configured voice providers, newest first',
    description: 'Secrets are masked.',
    tag,
    auth: { scope: 'channels:read' },
    limit: 'read',
    request: { query: pageQuery },
    responses: {
      200: { description: 'A page.', schema: pageSchema(providerView, 'VoiceProviderPage') },
    },
    handler: async ({ query, principal }) => {
      const scope = scopeOf(principal);
      const page = requestedPage(query, 'vpc');
      const rows = await context.db.tenant(scope.tenantId, (tx) => listProviders(tx, scope, page));
      const show = (row: ProviderRow) => shown(context, scope, row);
      return { status: 200, body: pageOf(page, rows, (row) => row.id, show) };
    },
  });
}

function createRoute(context: CallingContext) {
  return route({
    method: 'post',
    path,
    operationId: 'createVoiceProvider',
    summary: 'Configure a voice provider or a PBX',
    tag,
    auth: { scope: 'channels:write' },
    limit: 'write',
    request: { body: providerRequest, headers: idempotencyHeaders },
    responses: { 201: { description: 'The configuration.', schema: providerView } },
    errors: ['idempotency_payload_mismatch'],
    handler: async ({ body, headers, principal, audit }) => {
      const scope = scopeOf(principal);
      const once = onceOf(`POST ${path}`, headers, body);
      const changed = recorder(context, scope, audit);
      const made = await createProvider(context, scope, body, { once, changed });
      const location = `${path}${made.row.id}/`;
      return {
        status: 201,
        body: shown(context, scope, made.row),
        headers: madeHeaders(location, made),
      };
    },
  });
}

function getRoute(context: CallingContext) {
  return route({
    method: 'get',
    path: `${path}{id}/`,
    operationId: 'getVoiceProvider',
    summary: 'Read a provider configuration',
    tag,
    auth: { scope: 'channels:read' },
    limit: 'read',
    request: { params },
    responses: { 200: { description: 'The configuration.', schema: providerView } },
    errors: missing,
    handler: async ({ params: { id }, principal }) => {
      const scope = scopeOf(principal);
      return { status: 200, body: shown(context, scope, await existing(context, scope, id)) };
    },
  });
}

function patchRoute(context: CallingContext) {
  return route({
    method: 'patch',
    path: `${path}{id}/`,
    operationId: 'updateVoiceProvider',
    summary: 'Change a provider configuration',
    tag,
    auth: { scope: 'channels:write' },
    limit: 'write',
    request: { params, body: providerPatch },
    responses: { 200: { description: 'As it is now.', schema: providerView } },
    errors: missing,
    handler: async ({ params: { id }, body, principal, audit }) => {
      const scope = scopeOf(principal);
      const changed = recorder(context, scope, audit);
      const row = await changeProvider(context, scope, id, body, changed);
      return { status: 200, body: shown(context, scope, row) };
    },
  });
}

function deleteRoute(context: CallingContext) {
  return route({
    method: 'delete',
    path: `${path}{id}/`,
    operationId: 'deleteVoiceProvider',
    summary: 'Remove a provider configuration',
    description: 'Calls under way continue to their end.',
    tag,
    auth: { scope: 'channels:write' },
    limit: 'write',
    request: { params },
    responses: { 204: { description: 'It was removed.' } },
    errors: missing,
    handler: async ({ params: { id }, principal, audit }) => {
      const scope = scopeOf(principal);
      await context.db.tenant(scope.tenantId, async (tx) => {
        const row = await findProvider(tx, scope, id);
        const gone = await removeProvider(tx, scope, id, context.clock());
        if (row === undefined || gone === 0) throw providerNotFound(id);
        const before = shown(context, scope, row);
        await audit.record(tx, scope.tenantId, { subject: id, before });
      });
      return { status: 204 };
    },
  });
}

function testRoute(context: CallingContext, stopwatch: () => number) {
  return route({
    method: 'post',
    path: `${path}{id}/test/`,
    operationId: 'testVoiceProvider',
    summary: 'Check the credentials with the provider',
    description: 'No call is placed and nothing is charged.',
    tag,
    auth: { scope: 'channels:write' },
    unaudited: 'it changes nothing',
    limit: 'write',
    request: { params },
    responses: { 200: { description: 'The answer of the provider.', schema: testView } },
    errors: missing,
    handler: async ({ params: { id }, principal }) => {
      const scope = scopeOf(principal);
      const row = await existing(context, scope, id);
      return { status: 200, body: await testProvider(context, scope, row, stopwatch) };
    },
  });
}

function recorder(
  context: CallingContext,
  scope: TenantScope,
  audit: RequestAudit,
): ProviderChanged {
  return async (tx, before, after) => {
    await audit.record(tx, scope.tenantId, {
      subject: after.id,
      ...(before === undefined ? {} : { before: shown(context, scope, before) }),
      after: shown(context, scope, after),
    });
  };
}

async function existing(
  context: CallingContext,
  scope: TenantScope,
  id: string,
): Promise<ProviderRow> {
  const row = await context.db.tenant(scope.tenantId, (tx) => findProvider(tx, scope, id));
  if (row === undefined || row.deleted_at !== null) throw providerNotFound(id);
  return row;
}

function shown(context: CallingContext, scope: TenantScope, row: ProviderRow) {
  const settings = JSON.parse(context.secrets.open(row.settings_sealed, row.id));
  return {
    id: row.id,
    provider: row.provider,
    name: row.name,
    settings: shownSettings(voiceProviderById(row.provider)!, settings),
    from_number: row.from_number,
    calls_per_second: row.calls_per_second,
    recording_policy: row.recording_policy,
    recording_retention_days: row.recording_days,
    callback_url: callbackUrlOf(context, scope, row.id),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
