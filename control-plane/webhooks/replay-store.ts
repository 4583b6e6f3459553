/** Replays of one tenant's events: which deliveries they name, and making those due again. */
import type { Environment } from '../platform/auth/principal.ts';
import type { Tx } from '../platform/db/tx.ts';
import { isSubscribed } from './store.ts';

export interface ReplayRow {
  readonly id: string;
  readonly endpoint_id: string;
  readonly environment: Environment;
  readonly since: Date;
  /** The first instant that is not replayed. */
  readonly until: Date;
  /** Event names, or all of a subject (`invoice.*`); empty: every event. */
  readonly events: string[];
  readonly only_failed: boolean;
  readonly count: number;
  readonly created_at: Date;
}

/** The events of a replay, by their ids, which begin with their time. */
export interface ReplayedEvents {
  readonly endpointId: string;
  readonly environment: Environment;
  readonly fromId: string;
  /** The first id that is not replayed. */
  readonly untilId: string;
  readonly events: readonly string[];
  readonly onlyFailed: boolean;
}

const replayColumns =
  'id, endpoint_id, environment, since, until, events, only_failed, count, created_at';

export async function addReplay(
  tx: Tx,
  tenantId: string,
  replay: Omit<ReplayRow, 'events'> & { readonly events: readonly string[] },
): Promise<ReplayRow> {
  const row = await tx.row<ReplayRow>(
    `insert into webhook_replay (tenant_id, ${replayColumns})
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) returning ${replayColumns}`,
    [
      tenantId,
      replay.id,
      replay.endpoint_id,
      replay.environment,
      replay.since,
      replay.until,
      replay.events,
      replay.only_failed,
      replay.count,
      replay.created_at,
    ],
  );
  return row!;
}

export function findReplay(tx: Tx, tenantId: string, id: string): Promise<ReplayRow | undefined> {
  return tx.row(`select ${replayColumns} from webhook_replay where tenant_id = $1 and id = $2`, [
    tenantId,
    id,
  ]);
}

const isNamed = `($6::text[] = '{}' or e.type = any ($6)
  or split_part(e.type, '.', 1) || '.*' = any ($6))`;

const failedSql = (condition: string) => `
  (select d.event_id, d.subject_id, false as is_missing
   from webhook_delivery d
   join webhook_event e on e.tenant_id = d.tenant_id and e.id = d.event_id
   where d.tenant_id = $1 and d.endpoint_id = $2 and d.environment = $3
     and d.event_id >= $4 and d.event_id < $5 and ${condition} and not d.is_test and ${isNamed}
   order by d.event_id limit $7)`;

// What was given up, and what was set aside; a statement each, so that each can use its index.
const failedEvents = `
  select * from (
    ${failedSql("d.state = 'failed'")}
    union all
    ${failedSql("d.state = 'pending' and d.set_aside_at is not null")}
  ) f order by event_id limit $7`;

// Also what was never sent to the endpoint, as it was disabled or not there yet; not what is about to
// be sent. Without statistics PostgreSQL would read all deliveries for each event, but for the limit.
const allEvents = `
  select e.id as event_id, e.subject_id, d.state is null as is_missing
  from webhook_event e
  join webhook_endpoint w on w.tenant_id = $1 and w.id = $2 and w.service = e.service
  left join lateral (
    select d.state, d.set_aside_at from webhook_delivery d
    where d.tenant_id = $1 and d.endpoint_id = $2 and d.environment = e.environment
      and d.event_id = e.id limit 1) d on true
  where e.tenant_id = $1 and e.id >= $4 and e.id < $5 and e.environment = $3
    and e.type <> 'webhook.test' and ${isNamed}
    and case when d.state is null
      then ${isSubscribed}
      else d.state <> 'pending' or d.set_aside_at is not null end
  order by e.id limit $7`;

function valuesOf(tenantId: string, replayed: ReplayedEvents, max: number) {
  const { endpointId, environment, fromId, untilId, events } = replayed;
  return [tenantId, endpointId, environment, fromId, untilId, events, max];
}

/** How many events a replay would send, counted up to `max`. */
export async function countReplayed(
  tx: Tx,
  tenantId: string,
  replayed: ReplayedEvents,
  max: number,
): Promise<number> {
  const chosen = replayed.onlyFailed ? failedEvents : allEvents;
  const row = await tx.row<{ count: number }>(
    `select count(*) from (${chosen}) c`,
    valuesOf(tenantId, replayed, max),
  );
  return row!.count;
}

/** An event that is to be sent again. */
export interface ReplayedEvent {
  readonly event_id: string;
  readonly subject_id: string;
  /** The endpoint never got a delivery of it. */
  readonly is_missing: boolean;
}

/** The first `max` events of a replay, in their order. */
export function findReplayed(
  tx: Tx,
  tenantId: string,
  replayed: ReplayedEvents,
  max: number,
): Promise<ReplayedEvent[]> {
  return tx.rows(replayed.onlyFailed ? failedEvents : allEvents, valuesOf(tenantId, replayed, max));
}

/** Whose deliveries are made due, and when. */
export interface ReplayTarget {
  readonly endpointId: string;
  readonly environment: Environment;
  readonly at: Date;
}

/** Starts the schedule of these deliveries anew, but of those that are about to be sent. */
export function repeatDeliveries(
  tx: Tx,
  tenantId: string,
  { endpointId, environment, at }: ReplayTarget,
  events: readonly string[],
): Promise<number> {
  return tx.run(
    `update webhook_delivery set state = 'pending', round_start = attempt, next_at = $5,
       settled_at = null, is_fresh = false, is_kept_back = false, scheduled_at = null,
       wake_after = null, answered_since = null, set_aside_at = null
     where tenant_id = $1 and endpoint_id = $2 and environment = $3 and event_id = any ($4)
       and (state <> 'pending' or set_aside_at is not null)`,
    [tenantId, endpointId, environment, events, at],
  );
}

/** Makes deliveries of events that have none; each takes its place among the others by its id. */
export function addMissingDeliveries(
  tx: Tx,
  tenantId: string,
  { endpointId, environment, at }: ReplayTarget,
  events: readonly ReplayedEvent[],
): Promise<number> {
  return tx.run(
    `insert into webhook_delivery
       (tenant_id, endpoint_id, environment, event_id, subject_id, seq, is_fresh, next_at)
     overriding system value
     select $1, $2, $3, m.event_id, m.subject_id,
       coalesce((select p.seq from webhook_delivery p
         where p.tenant_id = $1 and p.endpoint_id = $2 and p.environment = $3
           and p.event_id < m.event_id
         order by p.event_id desc limit 1), 0), false, $6
     from unnest($4::text[], $5::text[]) as m (event_id, subject_id)
     on conflict do nothing`,
    [
      tenantId,
      endpointId,
      environment,
      events.map(({ event_id }) => event_id),
      events.map(({ subject_id }) => subject_id),
      at,
    ],
  );
}

/** How many deliveries of an endpoint wait beside its new ones, counted up to `max`. */
export async function countWaiting(
  tx: Tx,
  tenantId: string,
  endpointId: string,
  max: number,
): Promise<number> {
  const row = await tx.row<{ count: number }>(
    `select count(*) from (
       select from webhook_delivery d
       where d.tenant_id = $1 and d.endpoint_id = $2 and d.state = 'pending'
         and (not d.is_fresh or d.is_kept_back) and d.set_aside_at is null and not d.is_test
       limit $3) w`,
    [tenantId, endpointId, max],
  );
  return row!.count;
}
