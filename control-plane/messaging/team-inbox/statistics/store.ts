import type { TenantScope } from '../../../platform/auth/tenant-scope.ts';
import { columnArrays, unnest } from '../../../platform/db/insert.ts';
import type { Tx } from '../../../platform/db/tx.ts';

export interface Period {
  readonly since: Date;
  /** Exclusive. */
  readonly until: Date;
}

/** Seconds; null where there is no value. */
export interface TimesRow {
  readonly count: number;
  readonly mean_seconds: number | null;
  readonly median_seconds: number | null;
  readonly p90_seconds: number | null;
}

const figures = (seconds: string, which = 'true') => {
  const of = `filter (where ${which})`;
  const sorted = `within group (order by ${seconds}) ${of}`;
  return `json_build_object('count', count(*) ${of}, 'mean_seconds', avg(${seconds}) ${of},
    'median_seconds', percentile_cont(0.5) ${sorted}, 'p90_seconds', percentile_cont(0.9) ${sorted})`;
};

export interface ResponseTimesRow {
  readonly first_business: TimesRow;
  readonly first_elapsed: TimesRow;
  readonly business: TimesRow;
  readonly elapsed: TimesRow;
}

/** The answers given in the period, in business hours and in all hours. */
export async function responseTimes(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  { since, until }: Period,
): Promise<ResponseTimesRow> {
  const elapsed = `date_part('epoch', ended_at - asked_at)`;
  const row = await tx.row<ResponseTimesRow>(
    `select ${figures('business_seconds', 'is_first')} as first_business,
       ${figures(elapsed, 'is_first')} as first_elapsed,
       ${figures('business_seconds')} as business, ${figures(elapsed)} as elapsed
     from conversation_response
     where tenant_id = $1 and environment = $2 and ended_at >= $3 and ended_at < $4
       and is_answered`,
    [tenantId, environment, since, until],
  );
  return row!;
}

/** From opening to close, for conversations closed in the period. */
export async function resolutionTimes(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  { since, until }: Period,
): Promise<TimesRow> {
  const row = await tx.row<{ times: TimesRow }>(
    `select ${figures(`date_part('epoch', closed_at - opened_at)`)} as times
     from conversation_opening
     where tenant_id = $1 and environment = $2 and closed_at >= $3 and closed_at < $4`,
    [tenantId, environment, since, until],
  );
  return row!.times;
}

export interface CountsRow {
  readonly opened: number;
  readonly closed: number;
  readonly open: number;
  readonly snoozed: number;
  readonly unassigned: number;
  readonly waiting: number;
  readonly unanswered: number;
}

/** How many were opened and closed in the period, and how many were open at its end. */
export async function countConversations(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  { since, until }: Period,
): Promise<CountsRow> {
  const row = await tx.row<CountsRow>(
    `select
       (select count(*)::int from conversation_opening where tenant_id = $1 and environment = $2
         and opened_at >= $3 and opened_at < $4) as opened,
       (select count(*)::int from conversation_opening where tenant_id = $1 and environment = $2
         and closed_at >= $3 and closed_at < $4) as closed,
       at_end.open,
       (select count(*)::int from conversation where tenant_id = $1 and environment = $2
         and state = 'snoozed') as snoozed,
       (select count(*)::int from conversation where tenant_id = $1 and environment = $2
         and state in ('open', 'snoozed') and assignee_id is null) as unassigned,
       at_end.waiting,
       (select count(*)::int from conversation_response where tenant_id = $1 and environment = $2
         and ended_at >= $3 and ended_at < $4 and not is_answered) as unanswered
     from count_open_at($2, $4) at_end`,
    [tenantId, environment, since, until],
  );
  return row!;
}

/** The promises due in the period, and how many of them were broken by `now`. */
export async function countPromises(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  { since, until }: Period,
  now: Date,
): Promise<{ promised: number; breached: number }> {
  const row = await tx.row<{ promised: number; breached: number }>(
    `select count(*)::int as promised,
       count(*) filter (where coalesce(ended_at, $5) > due_at)::int as breached
     from conversation_response
     where tenant_id = $1 and environment = $2 and asked_at >= $3 and asked_at < $4
       and due_at is not null`,
    [tenantId, environment, since, until, now],
  );
  return row!;
}

export interface AgentRow {
  readonly agent_id: string;
  readonly responses: number;
  readonly median_seconds: number | null;
  readonly breached: number;
}

/** The answers of each member or key in the period. */
export function responsesByAgent(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  { since, until }: Period,
): Promise<AgentRow[]> {
  return tx.rows(
    `select answered_by as agent_id, count(*)::int as responses,
       percentile_cont(0.5) within group (order by business_seconds)::float8 as median_seconds,
       count(*) filter (where ended_at > due_at)::int as breached
     from conversation_response
     where tenant_id = $1 and environment = $2 and ended_at >= $3 and ended_at < $4
       and is_answered and answered_by is not null
     group by answered_by`,
    [tenantId, environment, since, until],
  );
}

/** From when to when, exclusive. */
interface DaySpan {
  readonly day: string;
  readonly begins: Date;
  readonly ends: Date;
}

export interface DayRow {
  readonly day: string;
  readonly begins: Date;
  readonly inbound: number;
  readonly outbound: number;
  readonly opened: number;
  readonly closed: number;
}

/**
 * What came, went, was opened and closed on each day. Messages are summed by quarters of an hour, at
 * one of which the days of every zone begin.
 */
export function countDays(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  days: readonly DaySpan[],
): Promise<DayRow[]> {
  const types = { day: 'text', begins: 'timestamptz', ends: 'timestamptz' } as const;
  const within = (column: string) => `${column} >= d.begins and ${column} < d.ends`;
  return tx.rows(
    `select d.day, d.begins, v.inbound, v.outbound,
       (select count(*)::int from conversation_opening where tenant_id = $4 and environment = $5
         and ${within('opened_at')}) as opened,
       (select count(*)::int from conversation_opening where tenant_id = $4 and environment = $5
         and ${within('closed_at')}) as closed
     from ${unnest(Object.values(types))} as d (${Object.keys(types)})
     cross join lateral (
       select coalesce(sum(count) filter (where direction = 'in'), 0)::int as inbound,
         coalesce(sum(count) filter (where direction = 'out'), 0)::int as outbound
       from inbox_volume where tenant_id = $4 and environment = $5 and ${within('quarter')}) v
     order by d.day`,
    [...columnArrays(types, days), tenantId, environment],
  );
}
