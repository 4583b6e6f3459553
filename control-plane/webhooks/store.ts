/**
 * Endpoints, events and deliveries of one tenant. The statements of the delivering process are in
 * endpoint-queue-store.ts.
 */
import { exactlyNamedEvents, namedOnlyEvents, type Service } from '@drawbridge/webhooks/events.ts';
import type { Environment } from '../platform/auth/principal.ts';
import { columnArrays, unnest } from '../platform/db/insert.ts';
import { type KeysetRange, newestFirst } from '../platform/db/keyset.ts';
import type { Tx } from '../platform/db/tx.ts';
import { traceparentOf } from '../platform/tracing/active-spans.ts';

/** An event for all endpoints that subscribe to it. */
export interface NewEvent {
  /** Made by `newId('evt', …)`; receivers use it to drop repeats. */
  readonly id: string;
  readonly environment: Environment;
  readonly service: Service;
  readonly type: string;
  /** The invoice or message whose events are kept in order. */
  readonly subject_id: string;
  /** A JSON object without `ts` and `signature`, as text: see `WebhookPayload`. */
  readonly payload: string;
  /** When it happened. */
  readonly created_at: Date;
}

export interface DeliveryRow {
  readonly event_id: string;
  readonly type: string;
  readonly subject_id: string;
  readonly environment: Environment;
  /**
   * `held`: it waits because its endpoint is disabled or its breaker is open; `set_aside`: it kept
   * failing while its endpoint answered others, and later ones of its subject go on without it.
   */
  readonly state: DeliveryState;
  readonly attempt: number;
  readonly next_at: Date | null;
  readonly created_at: Date;
  readonly settled_at: Date | null;
  readonly payload: string;
  readonly attempts: AttemptRow[];
}

export const deliveryStates = ['pending', 'delivered', 'failed', 'held', 'set_aside'] as const;
type DeliveryState = (typeof deliveryStates)[number];

interface AttemptRow {
  readonly n: number;
  readonly at: string;
  readonly ms: number;
  readonly status: number | null;
  readonly error: string | null;
  readonly response_head: string;
  readonly response_body: string;
}

/** NOTIFY channel: the payload is the endpoint that has work, or has changed. */
export const dueChannel = 'webhook_due';

const eventColumns = {
  id: 'text',
  environment: 'text',
  service: 'text',
  type: 'text',
  subject_id: 'text',
  payload: 'text',
  created_at: 'timestamptz',
  traceparent: 'text',
} as const;

/** SQL: whether the endpoint `w` subscribes to the event `e`. */
export const isSubscribed = `(
  w.event_types = '{}' and e.type <> all ('{${namedOnlyEvents}}'::text[])
  or e.type = any (w.event_types)
  or e.type <> all ('{${exactlyNamedEvents}}'::text[])
    and split_part(e.type, '.', 1) || '.*' = any (w.event_types))`;

// The tenant comes after the columns' arrays. Events of invoices are their timeline, so they are
// always stored. Messages have another timeline: their events are stored for subscribers only, also for those
// that are disabled now, as they may ask for a replay.
const addEventsSql = `
  with event as materialized (
    select * from ${unnest(Object.values(eventColumns))} with ordinality
      as i (id, environment, service, type, subject_id, payload, created_at, traceparent, ordinal)
  ), wanted as materialized (
    select w.id as endpoint_id, w.state, e.id, e.environment, e.subject_id, e.ordinal
    from event e join webhook_endpoint w on w.tenant_id = $9::uuid and w.service = e.service
      and w.deleted_at is null
      and (w.environment is null or w.environment = e.environment)
      and ${isSubscribed}
  ), delivery as (
    insert into webhook_delivery (endpoint_id, environment, event_id, tenant_id, subject_id)
    select endpoint_id, environment, id, $9::uuid, subject_id
    from wanted where state <> 'disabled' order by ordinal
    returning endpoint_id, event_id
  ), kept as (
    insert into webhook_event
      (id, tenant_id, environment, service, type, subject_id, payload, created_at, traceparent,
       is_undelivered)
    select id, $9::uuid, environment, service, type, subject_id, payload::json, created_at,
      traceparent, service <> 'einvoice' and id not in (select event_id from delivery)
    from event
    where service = 'einvoice' or id in (select id from wanted)
  )
  select distinct endpoint_id from delivery`;

/**
 * Writes events, and a delivery of each to every endpoint that subscribes to it, in the caller's
 * transaction: they are sent if and only if it commits. One statement for any number of events.
 */
export async function addEvents(
  tx: Tx,
  tenantId: string,
  events: readonly NewEvent[],
): Promise<void> {
  if (events.length === 0) return;
  const due = await tx.rows<{ endpoint_id: string }>(addEventsSql, [
    ...columnArrays(eventColumns, events.map(withTrace)),
    tenantId,
  ]);
  for (const { endpoint_id } of due) tx.notify(dueChannel, endpoint_id);
}

/** Writes an event for one endpoint only, in any state and with any filter. */
export function addTestEvent(
  tx: Tx,
  tenantId: string,
  endpointId: string,
  event: NewEvent,
): Promise<number> {
  return tx.run(
    `with kept as (
       insert into webhook_event
         (id, tenant_id, environment, service, type, subject_id, payload, created_at, traceparent)
       values ($1, $9, $2, $3, $4, $5, $6::text::json, $7, $8)
     ), delivery as (
       insert into webhook_delivery
         (endpoint_id, environment, event_id, tenant_id, subject_id, is_test)
       values ($10, $2, $1, $9, $5, true)
     )
     select pg_notify('${dueChannel}', $10)`,
    [
      ...columnArrays(eventColumns, [withTrace(event)]).map(([value]) => value),
      tenantId,
      endpointId,
    ],
  );
}

function withTrace(event: NewEvent): NewEvent & { readonly traceparent: string | null } {
  return { ...event, traceparent: traceparentOf(event.subject_id) ?? null };
}

// A page of deliveries shows only part of each response; one delivery shows all that is stored.
const shownBodyCharacters = 1_000;

const deliveryColumns = (bodyCharacters: number) => `
  d.event_id, e.type, d.subject_id, d.environment,
  case when d.state = 'pending' and d.set_aside_at is not null then 'set_aside'
    when d.state = 'pending' and $4 then 'held' else d.state end as state, d.attempt,
  case when d.state = 'pending' and not $4 then d.next_at end as next_at, d.created_at,
  d.settled_at, e.payload::text,
  coalesce((select json_agg(json_build_object('n', a.n, 'at',
      to_char(a.at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'ms', a.ms,
      'status', a.status, 'error', a.error, 'response_head', a.response_head,
      'response_body', left(a.response_body, ${bodyCharacters})) order by a.n)
    from webhook_attempt a
    where a.tenant_id = d.tenant_id and a.endpoint_id = d.endpoint_id
      and a.event_id = d.event_id), '[]') as attempts`;

/** Which deliveries of an endpoint are listed. */
export interface DeliveryFilter {
  readonly environment: Environment;
  /** Whether pending deliveries are held because of the endpoint. */
  readonly isHeld: boolean;
  readonly state: 'pending' | 'delivered' | 'failed' | 'set_aside' | null;
}

/** Deliveries to an endpoint in one environment, newest event first. */
export function listDeliveries(
  tx: Tx,
  tenantId: string,
  endpointId: string,
  { environment, isHeld, state }: DeliveryFilter,
  page: KeysetRange,
): Promise<DeliveryRow[]> {
  const { key, where, order, rowsMax } = newestFirst(page);
  // One statement for each case, so that each can use its index.
  const wanted = {
    delivered: "and d.state = 'delivered'",
    pending: "and d.state = 'pending' and d.set_aside_at is null",
    set_aside: "and d.state = 'pending' and d.set_aside_at is not null",
    failed: "and d.state = 'failed'",
    any: '',
  }[state ?? 'any'];
  return tx.rows(
    `select ${deliveryColumns(shownBodyCharacters)}
     from webhook_delivery d
     join webhook_event e on e.tenant_id = d.tenant_id and e.id = d.event_id
     where d.tenant_id = $1 and d.endpoint_id = $2 and d.environment = $3
       and ${where('d.event_id', '$5')} ${wanted}
     order by d.event_id ${order} limit $6`,
    [tenantId, endpointId, environment, isHeld, key, rowsMax],
  );
}

export function findDelivery(
  tx: Tx,
  tenantId: string,
  endpointId: string,
  key: {
    readonly environment: Environment;
    readonly eventId: string;
    readonly isHeld: boolean;
  },
): Promise<DeliveryRow | undefined> {
  return tx.row(
    `select ${deliveryColumns(1_000_000)}
     from webhook_delivery d
     join webhook_event e on e.tenant_id = d.tenant_id and e.id = d.event_id
     where d.tenant_id = $1 and d.endpoint_id = $2 and d.environment = $3 and d.event_id = $5`,
    [tenantId, endpointId, key.environment, key.isHeld, key.eventId],
  );
}

/** Starts the schedule of a delivery again, in any state; returns 1, or 0 when there is none. */
export function resendDelivery(
  tx: Tx,
  tenantId: string,
  endpointId: string,
  key: { readonly environment: Environment; readonly eventId: string },
): Promise<number> {
  return tx.run(
    `with again as (
       update webhook_delivery set state = 'pending', round_start = attempt, next_at = now(),
         settled_at = null, is_fresh = false, is_kept_back = false, scheduled_at = null,
         wake_after = null, answered_since = null, set_aside_at = null
       where tenant_id = $1 and endpoint_id = $2 and environment = $3 and event_id = $4
       returning endpoint_id
     )
     select pg_notify('${dueChannel}', endpoint_id) from again`,
    [tenantId, endpointId, key.environment, key.eventId],
  );
}
