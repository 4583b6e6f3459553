import { z } from 'zod';
import { pageOf } from '../../platform/http/cursor.ts';
import { requestedPage } from '../../platform/http/paging.ts';
import { type AnyRoute, route } from '../../platform/http/route.ts';
import type { EndpointRow } from '../endpoint-store.ts';
import { type DeliveryRow, findDelivery, listDeliveries, resendDelivery } from '../store.ts';
import { readEndpoint, type WebhookApi, type WebhookRoutesContext } from './endpoint.ts';
import {
  deliveryId,
  deliveryPage,
  deliveryQuery,
  delivery as deliverySchema,
  endpointId,
} from './schema.ts';

const tag = 'Webhook endpoints';
const params = z.strictObject({ id: endpointId });
const deliveryParams = z.strictObject({ id: endpointId, delivery_id: deliveryId });

export function deliveryRoutes(api: WebhookApi, context: WebhookRoutesContext): AnyRoute[] {
  return [
    testRoute(api, context),
    listRoute(api, context),
    getRoute(api, context),
    resendRoute(api, context),
  ];
}

function testRoute(api: WebhookApi, { db, testDeliveries }: WebhookRoutesContext) {
  return route({
    method: 'post',
    path: api.path('{id}/test'),
    operationId: 'testWebhookEndpoint',
    summary: 'Send a signed webhook.test event and see what the endpoint answers',
    description: 'Also to a disabled endpoint. Pending: it was not sent within 20 seconds.',
    tag,
    auth: { scope: 'webhooks:write' },
    limit: 'write',
    request: { params },
    responses: { 200: { description: 'The result.', schema: deliverySchema } },
    errors: ['webhook_endpoint_not_found'],
    handler: async ({ params: { id }, principal, environment, signal }) => {
      await readEndpoint(api, db, principal, id);
      const target = {
        tenantId: principal.tenantId,
        endpointId: id,
        service: api.service,
        environment,
      } as const;
      return { status: 200, body: show(await testDeliveries.send(target, signal)) };
    },
  });
}

function listRoute(api: WebhookApi, { db }: WebhookRoutesContext) {
  return route({
    method: 'get',
    path: api.path('{id}/deliveries'),
    operationId: 'listWebhookDeliveries',
    summary: 'List deliveries with their attempts, newest event first',
    tag,
    auth: { scope: 'webhooks:read' },
    limit: 'read',
    request: { params, query: deliveryQuery },
    responses: { 200: { description: 'A page of deliveries.', schema: deliveryPage } },
    errors: ['webhook_endpoint_not_found'],
    handler: async ({ params: { id }, query, principal, environment }) => {
      const { state } = query;
      const page = requestedPage(query, 'evt');
      const isHeld = holds(await readEndpoint(api, db, principal, id));
      // Of one endpoint either all pending deliveries are held, or none.
      const isNone = state === (isHeld ? 'pending' : 'held');
      const stored = state === 'held' ? 'pending' : (state ?? null);
      const filter = { environment, isHeld, state: stored };
      const rows = isNone
        ? []
        : await db.tenant(principal.tenantId, (tx) =>
            listDeliveries(tx, principal.tenantId, id, filter, page),
          );
      return { status: 200, body: pageOf(page, rows, (row) => row.event_id, show) };
    },
  });
}

function getRoute(api: WebhookApi, context: WebhookRoutesContext) {
  return route({
    method: 'get',
    path: api.path('{id}/deliveries/{delivery_id}'),
    operationId: 'getWebhookDelivery',
    summary: 'Read a delivery with all that was kept of its attempts',
    tag,
    auth: { scope: 'webhooks:read' },
    limit: 'read',
    request: { params: deliveryParams },
    responses: { 200: { description: 'The delivery.', schema: deliverySchema } },
    errors: ['webhook_endpoint_not_found', 'delivery_not_found'],
    handler: async ({ params: { id, delivery_id }, principal, environment }) => {
      const { db } = context;
      const isHeld = holds(await readEndpoint(api, db, principal, id));
      const key = { environment, eventId: eventIdOf(delivery_id), isHeld };
      const row = await db.tenant(principal.tenantId, (tx) =>
        findDelivery(tx, principal.tenantId, id, key),
      );
      return { status: 200, body: show(found(api, row, delivery_id)) };
    },
  });
}

function resendRoute(api: WebhookApi, { db }: WebhookRoutesContext) {
  return route({
    method: 'post',
    path: api.path('{id}/deliveries/{delivery_id}/resend'),
    operationId: 'resendWebhookDelivery',
    summary: 'Send an event again, in any state',
    description: 'With the same webhook-id, a new signature, and the whole schedule of retries.',
    tag,
    auth: { scope: 'webhooks:write' },
    limit: 'write',
    request: { params: deliveryParams },
    responses: { 202: { description: 'It will be sent.', schema: deliverySchema } },
    errors: ['webhook_endpoint_not_found', 'delivery_not_found'],
    handler: async ({ params: { id, delivery_id }, principal, environment }) => {
      const isHeld = holds(await readEndpoint(api, db, principal, id));
      const key = { environment, eventId: eventIdOf(delivery_id), isHeld };
      const row = await db.tenant(principal.tenantId, async (tx) => {
        await resendDelivery(tx, principal.tenantId, id, key);
        return findDelivery(tx, principal.tenantId, id, key);
      });
      return { status: 202, body: show(found(api, row, delivery_id)) };
    },
  });
}

function holds({ state, breaker }: EndpointRow): boolean {
  return state === 'disabled' || breaker.state !== 'closed';
}

/** An endpoint has at most one delivery of an event, so the event's id names it. */
function eventIdOf(id: string): string {
  return id.replace(/^dlv_/, 'evt_');
}

function found(api: WebhookApi, row: DeliveryRow | undefined, id: string): DeliveryRow {
  if (row === undefined) {
    throw api.fail('delivery_not_found', `There is no delivery "${id}" to this endpoint here.`);
  }
  return row;
}

function show(row: DeliveryRow) {
  return {
    id: row.event_id.replace(/^evt_/, 'dlv_'),
    event_id: row.event_id,
    event: row.type,
    subject_id: row.subject_id,
    environment: row.environment,
    state: row.state,
    next_attempt_at: row.next_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    settled_at: row.settled_at?.toISOString() ?? null,
    payload: JSON.parse(row.payload) as Record<string, unknown>,
    attempts: row.attempts,
  };
}
