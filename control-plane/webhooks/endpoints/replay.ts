import { replayLimits } from '@drawbridge/webhooks/replay.ts';
import { z } from 'zod';
import { route } from '../../platform/http/route.ts';
import {
  idempotencyHeaders,
  madeHeaders,
  makeOnce,
  onceOf,
} from '../../platform/idempotency/once.ts';
import { newId } from '../../platform/ids.ts';
import { findReplay, type ReplayRow } from '../replay-store.ts';
import { orderReplay } from '../replays.ts';
import { invalid, readEndpoint, type WebhookApi, type WebhookRoutesContext } from './endpoint.ts';
import { endpointId, replayRequestOf, replay as replaySchema } from './schema.ts';

const params = z.strictObject({ id: endpointId });

export function replayRoute(api: WebhookApi, context: WebhookRoutesContext) {
  const { db, clock, random, jobs } = context;
  return route({
    method: 'post',
    path: api.path('{id}/replay'),
    operationId: 'replayWebhookEvents',
    summary: 'Send the events of a past time again',
    description:
      'Of each subject in the order in which they happened, with the same webhook-id, a new signature and ' +
      'the whole schedule of retries; slowly enough for new events to go on. What is about to be ' +
      'sent anyway is left as it is. `only: "all"` also sends what the endpoint would get now and ' +
      'never got, as it was disabled or not there yet.',
    tag: 'Webhook endpoints',
    auth: { scope: 'webhooks:write' },
    limit: 'write',
    request: { params, body: replayRequestOf(api.service), headers: idempotencyHeaders },
    responses: { 202: { description: 'How many will be sent.', schema: replaySchema } },
    errors: ['webhook_endpoint_not_found', 'idempotency_payload_mismatch'],
    handler: async ({ params: { id }, body, headers, principal, environment }) => {
      await readEndpoint(api, db, principal, id);
      const { tenantId } = principal;
      const now = clock();
      const since = new Date(body.since);
      const asked = body.until === undefined ? now : new Date(body.until);
      const until = asked < now ? asked : now;
      if (since >= until) {
        throw invalid(api, 'since', 'must be before "until" and in the past');
      }
      const replayId = newId('rpl', clock, random);
      const once = onceOf(`POST ${api.path(`${id}/replay`)}`, headers, body);
      const made = await db.tenant(tenantId, (tx) =>
        makeOnce(tx, principal, once, {
          id: replayId,
          make: async () => {
            const order = {
              id: replayId,
              tenantId,
              endpointId: id,
              environment,
              since,
              until,
              events: body.events,
              onlyFailed: body.only === 'failed',
            };
            const ordered = await orderReplay(tx, order, { jobs, clock });
            if (ordered.kind === 'ordered') return ordered.replay;
            const most = replayLimits.deliveries.toLocaleString('en');
            throw invalid(api, 'since', `names more than ${most} events: take a shorter time`);
          },
          find: (known) => findReplay(tx, tenantId, known),
        }),
      );
      return { status: 202, headers: madeHeaders(undefined, made), body: show(made.row) };
    },
  });
}

function show(row: ReplayRow) {
  return {
    id: row.id,
    endpoint_id: row.endpoint_id,
    environment: row.environment,
    since: row.since.toISOString(),
    until: row.until.toISOString(),
    events: row.events,
    only: row.only_failed ? ('failed' as const) : ('all' as const),
    count: row.count,
    created_at: row.created_at.toISOString(),
  };
}
