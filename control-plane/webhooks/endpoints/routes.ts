import { z } from 'zod';
import type { Environment } from '../../platform/auth/principal.ts';
import type { Tx } from '../../platform/db/tx.ts';
import { pageOf } from '../../platform/http/cursor.ts';
import { pageQuery, requestedPage } from '../../platform/http/paging.ts';
import { type AnyRoute, route } from '../../platform/http/route.ts';
import {
  idempotencyHeaders,
  madeHeaders,
  makeOnce,
  onceOf,
} from '../../platform/idempotency/once.ts';
import { newId } from '../../platform/ids.ts';
import { checkUrl, loopbackToo, publicOnly } from '../../platform/outbound/address.ts';
import { mintSecret, rotated } from '../endpoint-secrets.ts';
import {
  addEndpoint,
  changeEndpoint,
  countEndpoints,
  deleteEndpoint,
  type EndpointRow,
  findEndpoint,
  listEndpoints,
  lockEndpoint,
  type NewEndpoint,
  setSecrets,
} from '../endpoint-store.ts';
import { deliveryRoutes } from './deliveries.ts';
import {
  found,
  invalid,
  notFound,
  readEndpoint,
  type WebhookApi,
  type WebhookRoutesContext,
} from './endpoint.ts';
import { replayRoute } from './replay.ts';
import {
  endpointId,
  endpointPage,
  endpointPatchOf,
  endpointRequestOf,
  endpoint as endpointSchema,
  endpointWithSecret,
  rotateRequest,
} from './schema.ts';

const tag = 'Webhook endpoints';
const params = z.strictObject({ id: endpointId });
const endpointsMax = 50;

export function webhookEndpointRoutes(api: WebhookApi, context: WebhookRoutesContext): AnyRoute[] {
  return [
    createRoute(api, context),
    listRoute(api, context),
    getRoute(api, context),
    patchRoute(api, context),
    deleteRoute(api, context),
    rotateRoute(api, context),
    ...deliveryRoutes(api, context),
    replayRoute(api, context),
  ];
}

function whereFrom({ isOfOneEnvironment }: WebhookApi): string {
  return isOfOneEnvironment
    ? 'It gets the events of the environment it was made in.'
    : 'One endpoint serves both environments; the header X-Environment tells which.';
}

function createRoute(api: WebhookApi, context: WebhookRoutesContext) {
  return route({
    method: 'post',
    path: api.path(''),
    operationId: 'createWebhookEndpoint',
    summary: 'Have events sent to an address',
    description:
      `${whereFrom(api)} To verify: cut ` +
      '`,"signature":"sha256=…"` out of the raw body, put its `ts` and a full stop before it, and ' +
      'compare the HMAC-SHA256 (hex) under the secret as shown, `whsec_` included; refuse a `ts` ' +
      'more than 300 seconds off. Or verify by Standard Webhooks (webhook-id, webhook-timestamp, ' +
      'webhook-signature). Drop repeats by webhook-id. A repeat with the same Idempotency-Key ' +
      'shows no secret: rotate it if it was lost.',
    tag,
    auth: { scope: 'webhooks:write' },
    limit: 'write',
    request: { body: endpointRequestOf(api.service), headers: idempotencyHeaders },
    responses: {
      201: { description: 'The endpoint, with its signing secret.', schema: endpointWithSecret },
    },
    errors: ['idempotency_payload_mismatch'],
    handler: async ({ body, principal, environment, headers, audit }) => {
      const { db, clock, random } = context;
      refuseUrl(api, body.url, environment, context);
      const id = newId('whe', clock, random);
      const { secret, row } = mintSecret(id, context);
      const { tenantId } = principal;
      const draft = {
        id,
        service: api.service,
        secrets: [row],
        created_at: clock(),
        url: body.url,
        event_types: body.event_types,
        description: body.description,
        environment: api.isOfOneEnvironment ? environment : null,
      };
      const made = await db.tenant(tenantId, (tx) =>
        makeOnce(tx, principal, onceOf(`POST ${api.path('')}`, headers, body), {
          id,
          make: async () => {
            const row = await add(tx, api, tenantId, draft);
            await audit.record(tx, tenantId, { subject: id, after: show(row) });
            return row;
          },
          find: (known) => findEndpoint(tx, tenantId, api.service, known),
        }),
      );
      return {
        status: 201,
        headers: madeHeaders(api.path(made.row.id), made),
        // A repeat does not show the secret again: a caller who lost it rotates it.
        body: { ...show(made.row), secret: made.isReplay ? null : secret },
      };
    },
  });
}

async function add(
  tx: Tx,
  api: WebhookApi,
  tenantId: string,
  draft: NewEndpoint,
): Promise<EndpointRow> {
  if ((await countEndpoints(tx, tenantId, api.service)) < endpointsMax) {
    return addEndpoint(tx, tenantId, draft);
  }
  const problem = `cannot be added: a tenant has at most ${endpointsMax} endpoints`;
  throw invalid(api, 'url', problem);
}

function listRoute(api: WebhookApi, { db }: WebhookRoutesContext) {
  return route({
    method: 'get',
    path: api.path(''),
    operationId: 'listWebhookEndpoints',
    summary: 'List endpoints, oldest first',
    tag,
    auth: { scope: 'webhooks:read' },
    limit: 'read',
    request: { query: pageQuery },
    responses: { 200: { description: 'A page of endpoints.', schema: endpointPage } },
    handler: async ({ query, principal }) => {
      const environment = api.isOfOneEnvironment ? principal.environment : null;
      const page = requestedPage(query, 'whe');
      const rows = await db.tenant(principal.tenantId, (tx) =>
        listEndpoints(tx, principal.tenantId, api.service, environment, page),
      );
      return { status: 200, body: pageOf(page, rows, (row) => row.id, show) };
    },
  });
}

function getRoute(api: WebhookApi, { db }: WebhookRoutesContext) {
  return route({
    method: 'get',
    path: api.path('{id}'),
    operationId: 'getWebhookEndpoint',
    summary: 'Read an endpoint',
    tag,
    auth: { scope: 'webhooks:read' },
    limit: 'read',
    request: { params },
    responses: { 200: { description: 'The endpoint.', schema: endpointSchema } },
    errors: ['webhook_endpoint_not_found'],
    handler: async ({ params: { id }, principal }) => ({
      status: 200,
      body: show(await readEndpoint(api, db, principal, id)),
    }),
  });
}

function patchRoute(api: WebhookApi, context: WebhookRoutesContext) {
  return route({
    method: 'patch',
    path: api.path('{id}'),
    operationId: 'updateWebhookEndpoint',
    summary: 'Change, disable or enable an endpoint',
    tag,
    auth: { scope: 'webhooks:write' },
    limit: 'write',
    request: { params, body: endpointPatchOf(api.service) },
    responses: { 200: { description: 'The endpoint as it is now.', schema: endpointSchema } },
    errors: ['webhook_endpoint_not_found'],
    handler: async ({ params: { id }, body, principal, environment, audit }) => {
      if (body.url !== undefined) refuseUrl(api, body.url, environment, context);
      const before = await readEndpoint(api, context.db, principal, id);
      const change = {
        url: body.url ?? null,
        event_types: body.event_types ?? null,
        description: body.description ?? null,
        state: body.state ?? null,
      };
      const { tenantId } = principal;
      const row = await context.db.tenant(tenantId, async (tx) => {
        const after = found(api, await changeEndpoint(tx, tenantId, id, change), id);
        await audit.record(tx, tenantId, {
          subject: id,
          before: show(before),
          after: show(after),
        });
        return after;
      });
      return { status: 200, body: show(row) };
    },
  });
}

function deleteRoute(api: WebhookApi, { db }: WebhookRoutesContext) {
  return route({
    method: 'delete',
    path: api.path('{id}'),
    operationId: 'deleteWebhookEndpoint',
    summary: 'Remove an endpoint',
    description: 'Nothing more is sent to it, also not what was waiting; its secrets are erased.',
    tag,
    auth: { scope: 'webhooks:write' },
    limit: 'write',
    request: { params },
    responses: { 204: { description: 'It was removed.' } },
    errors: ['webhook_endpoint_not_found'],
    handler: async ({ params: { id }, principal, audit }) => {
      const before = await readEndpoint(api, db, principal, id);
      const { tenantId } = principal;
      await db.tenant(tenantId, async (tx) => {
        if ((await deleteEndpoint(tx, tenantId, api.service, id)) === 0) throw notFound(api, id);
        await audit.record(tx, tenantId, { subject: id, before: show(before) });
      });
      return { status: 204 };
    },
  });
}

function rotateRoute(api: WebhookApi, context: WebhookRoutesContext) {
  return route({
    method: 'post',
    path: api.path('{id}/rotate-secret'),
    operationId: 'rotateWebhookSecret',
    summary: 'Replace the signing secret',
    description:
      'Until the grace ends both secrets sign the headers (X-Signature, webhook-signature); the ' +
      "body's `signature` is by the new one at once.",
    tag,
    auth: { scope: 'webhooks:write' },
    needsProof: true,
    limit: 'write',
    request: { params, body: rotateRequest.prefault({}) },
    responses: {
      200: { description: 'The endpoint, with its new secret.', schema: endpointWithSecret },
    },
    errors: ['webhook_endpoint_not_found'],
    handler: async ({ params: { id }, body, principal }) => {
      await readEndpoint(api, context.db, principal, id);
      const { secret, row: added } = mintSecret(id, context);
      const row = await context.db.tenant(principal.tenantId, async (tx) => {
        const before = found(api, await lockEndpoint(tx, principal.tenantId, api.service, id), id);
        const secrets = rotated(before.secrets, added, body.grace_s, context.clock());
        return found(api, await setSecrets(tx, principal.tenantId, id, secrets), id);
      });
      return { status: 200, body: { ...show(row), secret } };
    },
  });
}

function refuseUrl(
  api: WebhookApi,
  url: string,
  environment: Environment,
  context: WebhookRoutesContext,
): void {
  const isLocal = environment === 'sandbox' && context.allowLoopback;
  const verdict = checkUrl(url, isLocal ? loopbackToo : publicOnly);
  if (verdict.kind === 'refused') throw invalid(api, 'url', verdict.reason);
}

function show(row: EndpointRow) {
  return {
    id: row.id,
    url: row.url,
    event_types: row.event_types,
    description: row.description,
    state: row.state,
    disabled_reason: row.disabled_reason,
    failing_since: row.failing_since?.toISOString() ?? null,
    secrets: row.secrets.map(({ id, created_at, expires_at }) => ({ id, created_at, expires_at })),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
