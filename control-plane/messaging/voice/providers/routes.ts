import { z } from 'zod';
import { voiceProviderById } from '../../../channels/voice-registry.ts';
import { pageOf } from '../../../platform/http/cursor.ts';
import { type AnyRoute, route } from '../../../platform/http/route.ts';
import { idempotencyHeaders, madeHeaders, onceOf } from '../../../platform/idempotency/once.ts';
import { placeOf } from '../../contacts/place.ts';
import type { Place } from '../../contacts/store.ts';
import { afterCursor, pageQuery, pageSchema } from '../../paging.ts';
import { tag, type VoiceDesk } from '../desk.ts';
import { callbackUrlOf } from './account.ts';
import { changeProvider, createProvider, providerNotFound, testProvider } from './directory.ts';
import { providerId, providerPatch, providerRequest, providerView, testView } from './schema.ts';
import { shownSettings } from './settings.ts';
import { findProvider, listProviders, type ProviderRow, removeProvider } from './store.ts';

const path = '/voice/api/provider-configs/';
const params = z.strictObject({ id: providerId });
const missing = ['provider_config_not_found'] as const;

export interface ProviderRoutesContext {
  readonly desk: VoiceDesk;
  /** Monotonic milliseconds. */
  readonly stopwatch: () => number;
}

/** Accounts at voice providers, and PBXs. */
export function providerRoutes({ desk, stopwatch }: ProviderRoutesContext): AnyRoute[] {
  return [
    listRoute(desk),
    createRoute(desk),
    getRoute(desk),
    patchRoute(desk),
    deleteRoute(desk),
    testRoute(desk, stopwatch),
  ];
}

function listRoute(desk: VoiceDesk) {
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
    handler: async ({ query: { cursor, limit }, principal }) => {
      const place = placeOf(principal);
      const before = afterCursor(cursor, 'vpc');
      const rows = await desk.db.tenant(place.tenantId, (tx) =>
        listProviders(tx, place, before, limit + 1),
      );
      const show = (row: ProviderRow) => shown(desk, place, row);
      return { status: 200, body: pageOf(rows, limit, (row) => row.id, show) };
    },
  });
}

function createRoute(desk: VoiceDesk) {
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
    handler: async ({ body, headers, principal }) => {
      const place = placeOf(principal);
      const once = onceOf(`POST ${path}`, headers, body);
      const made = await createProvider(desk, place, body, once);
      const location = `${path}${made.row.id}/`;
      return {
        status: 201,
        body: shown(desk, place, made.row),
        headers: madeHeaders(location, made),
      };
    },
  });
}

function getRoute(desk: VoiceDesk) {
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
      const place = placeOf(principal);
      return { status: 200, body: shown(desk, place, await existing(desk, place, id)) };
    },
  });
}

function patchRoute(desk: VoiceDesk) {
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
    handler: async ({ params: { id }, body, principal }) => {
      const place = placeOf(principal);
      return { status: 200, body: shown(desk, place, await changeProvider(desk, place, id, body)) };
    },
  });
}

function deleteRoute(desk: VoiceDesk) {
  return route({
    method: 'delete',
    path: `${path}{id}/`,
    operationId: 'deleteVoiceProvider',
    summary: 'Remove a provider configuration',
    description: 'Calls under way go on to their end.',
    tag,
    auth: { scope: 'channels:write' },
    limit: 'write',
    request: { params },
    responses: { 204: { description: 'It is gone.' } },
    errors: missing,
    handler: async ({ params: { id }, principal }) => {
      const place = placeOf(principal);
      const gone = await desk.db.tenant(place.tenantId, (tx) =>
        removeProvider(tx, place, id, desk.clock()),
      );
      if (gone === 0) throw providerNotFound(id);
      return { status: 204 };
    },
  });
}

function testRoute(desk: VoiceDesk, stopwatch: () => number) {
  return route({
    method: 'post',
    path: `${path}{id}/test/`,
    operationId: 'testVoiceProvider',
    summary: 'Ask the provider whether the credentials are good',
    description: 'Nobody is called, and nothing is paid.',
    tag,
    auth: { scope: 'channels:write' },
    limit: 'write',
    request: { params },
    responses: { 200: { description: 'What it said.', schema: testView } },
    errors: missing,
    handler: async ({ params: { id }, principal }) => {
      const place = placeOf(principal);
      const row = await existing(desk, place, id);
      return { status: 200, body: await testProvider(desk, place, row, stopwatch) };
    },
  });
}

async function existing(desk: VoiceDesk, place: Place, id: string): Promise<ProviderRow> {
  const row = await desk.db.tenant(place.tenantId, (tx) => findProvider(tx, place, id));
  if (row === undefined || row.deleted_at !== null) throw providerNotFound(id);
  return row;
}

function shown(desk: VoiceDesk, place: Place, row: ProviderRow) {
  const settings = JSON.parse(desk.secrets.open(row.settings_sealed, row.id));
  return {
    id: row.id,
    provider: row.provider,
    name: row.name,
    settings: shownSettings(voiceProviderById(row.provider)!, settings),
    from_number: row.from_number,
    calls_per_second: row.calls_per_second,
    recording_policy: row.recording_policy,
    recording_retention_days: row.recording_days,
    callback_url: callbackUrlOf(desk, place, row.id),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
