import { exactlyNamedEvents, filtersOf, type Service } from '@drawbridge/webhooks/events.ts';
import { z } from 'zod';
import { pageQuery, pageSchema } from '../../platform/http/paging.ts';
import { zonedInstant } from '../../platform/http/time-input.ts';
import { idPattern } from '../../platform/ids.ts';
import { deliveryStates } from '../store.ts';

const instant = z.iso.datetime();

export const endpointId = z
  .string()
  .max(100)
  .meta({
    description: 'Identifier of a webhook endpoint.',
    examples: ['whe_01k9zq3v7m2n4p6r8t0w2y4a6c'],
  });
export const deliveryId = z.string().regex(idPattern('dlv'), 'must be the id of a delivery');

const url = z.string().min(1).max(2_000).describe('Where events are sent by POST; https.');
function eventTypesOf(service: Service) {
  const filters = filtersOf(service);
  const exactly = exactlyNamedEvents.map((name) => `\`${name}\``).join(', ');
  const what = {
    einvoice:
      `\`invoice.*\` for all of a subject but ${exactly}, which are sent where they are named themselves; ` +
      'empty: every event but these and those of `document.*`, which names those that are added later, too.',
    messaging:
      '`message.*` for all of a subject; empty: every event. Both name those that are added later, too.',
  }[service];
  return z
    .array(z.enum(filters as [string, ...string[]]))
    .max(filters.length)
    .describe(`Events to send, ${what}`);
}
const description = z.string().trim().max(500);

export function endpointRequestOf(service: Service) {
  return z
    .strictObject({
      url,
      event_types: eventTypesOf(service).default([]),
      description: description.default(''),
    })
    .meta({ id: 'WebhookEndpointRequest' });
}

export function endpointPatchOf(service: Service) {
  return z
    .strictObject({
      url: url.optional(),
      event_types: eventTypesOf(service).optional(),
      description: description.optional(),
      state: z
        .enum(['active', 'disabled'])
        .optional()
        .describe(
          'Set active again, it gets what waited when it was disabled; what happened since then only a replay ' +
            'with `only: "all"` sends.',
        ),
    })
    .meta({ id: 'WebhookEndpointPatch' });
}

const secretSummary = z.strictObject({
  id: z.string(),
  created_at: instant,
  expires_at: instant.nullable(),
});

const endpointFields = {
  id: endpointId,
  url: z.string(),
  event_types: z.array(z.string()),
  description: z.string(),
  state: z
    .enum(['active', 'degraded', 'disabled'])
    .describe('degraded: it fails so often that deliveries wait and it is tried now and then.'),
  disabled_reason: z
    .enum(['requested', 'gone', 'failing'])
    .nullable()
    .describe('gone: it answered 410; failing: for five days without one success.'),
  failing_since: instant.nullable(),
  secrets: z.array(secretSummary).describe('Newest first; each that has not ended signs.'),
  created_at: instant,
  updated_at: instant,
};

export const endpoint = z.strictObject(endpointFields).meta({ id: 'WebhookEndpoint' });

export const endpointWithSecret = z
  .strictObject({
    ...endpointFields,
    secret: z
      .string()
      .nullable()
      .describe('The signing secret: shown this once; null in a repeat.'),
  })
  .meta({ id: 'WebhookEndpointWithSecret' });

export const endpointPage = pageSchema(endpoint, 'WebhookEndpointPage');

export const rotateRequest = z
  .strictObject({
    grace_s: z
      .number()
      .int()
      .min(0)
      .max(7 * 86_400)
      .default(86_400)
      .describe('Seconds for which the old secret goes on signing beside the new one.'),
  })
  .meta({ id: 'RotateSecretRequest' });

export function replayRequestOf(service: Service) {
  return z
    .strictObject({
      since: zonedInstant().describe('Events that happened at this time or later.'),
      until: zonedInstant()
        .optional()
        .describe('Events that happened before this time; default: now.'),
      events: eventTypesOf(service).default([]),
      only: z
        .enum(['failed', 'all'])
        .default('failed')
        .describe('failed: what was given up or set aside; all: also what was delivered.'),
    })
    .meta({ id: 'WebhookReplayRequest' });
}

export const replay = z
  .strictObject({
    id: z.string(),
    endpoint_id: endpointId,
    environment: z.enum(['live', 'sandbox']),
    since: instant,
    until: instant,
    events: z.array(z.string()),
    only: z.enum(['failed', 'all']),
    count: z.number().int().describe('How many events there were when it was asked for.'),
    created_at: instant,
  })
  .meta({ id: 'WebhookReplay' });

const attempt = z.strictObject({
  n: z.number().int(),
  at: z.string(),
  ms: z.number().int(),
  status: z.number().int().nullable(),
  error: z.string().nullable().describe('Why there was no answer.'),
  response_head: z.string(),
  response_body: z.string().describe('Cut; one delivery read by itself shows more.'),
});

export const delivery = z
  .strictObject({
    id: deliveryId,
    event_id: z.string().describe('Sent as webhook-id, the same with every attempt.'),
    event: z.string(),
    subject_id: z.string(),
    environment: z.enum(['live', 'sandbox']),
    state: z
      .enum(deliveryStates)
      .describe(
        'held: it waits because the endpoint is disabled or degraded. set_aside: it keeps failing ' +
          'while the endpoint answers others, so later events of its subject go on without it; ' +
          'it is still tried by the schedule, and can be replayed.',
      ),
    next_attempt_at: instant.nullable(),
    created_at: instant,
    settled_at: instant.nullable(),
    payload: z.record(z.string(), z.unknown()),
    attempts: z.array(attempt),
  })
  .meta({ id: 'WebhookDelivery' });

export const deliveryPage = pageSchema(delivery, 'WebhookDeliveryPage');

export const deliveryQuery = pageQuery.extend({ state: z.enum(deliveryStates).optional() });
