import type { Channel } from '@drawbridge/messaging/message.ts';
import type { Status } from '@drawbridge/messaging/status.ts';
import type { TenantScope } from '../../../platform/auth/tenant-scope.ts';
import { columnArrays, unnest } from '../../../platform/db/insert.ts';
import type { Tx } from '../../../platform/db/tx.ts';

/** The state of one message, as reported by its provider or known to us. */
export interface StatusReport {
  readonly id: string;
  readonly status: Status;
  readonly at: Date;
  readonly provider_id: string | null;
  readonly error_code: string | null;
  readonly error_detail: string | null;
}

/** A message whose status rose, with what others need to know about it. */
export interface ChangedMessage {
  readonly id: string;
  readonly channel: Channel;
  readonly app_id: string;
  readonly contact_id: string | null;
  readonly broadcast_id: string | null;
  readonly address: string;
  readonly price: string | null;
  readonly from: Status;
  readonly to: Status;
  readonly at: Date;
  readonly error_code: string | null;
  readonly error_detail: string | null;
}

const learntColumns = {
  id: 'text',
  status: 'text',
  at: 'timestamptz',
  provider_id: 'text',
  error_code: 'text',
  error_detail: 'text',
} as const;

/**
 * Raises statuses and never lowers one; of several reports for one message the highest status
 * counts. A provider's id is stored whatever the status, and so is an error of what stays `sent`.
 * Returns the messages that rose. Networks report whole seconds and use their own clocks, so no instant may lie before that of the previous
 * status.
 */
export function raiseStatuses(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  learnt: readonly StatusReport[],
): Promise<ChangedMessage[]> {
  return tx.rows(
    `with reported as (
       select distinct on (id) id, status, at, error_code, error_detail,
         max(provider_id) over (partition by id) as provider_id
       from ${unnest(Object.values(learntColumns))}
         as t (id, status, at, provider_id, error_code, error_detail)
       order by id, message_rank(status) desc, at
     ), stood as (
       select m.id, m.status, greatest(m.created_at, m.sent_at, m.delivered_at) as since
       from message m join reported using (id)
       where m.tenant_id = $7 and m.environment = $8 and m.direction = 'out'
         and (message_rank(reported.status) > message_rank(m.status)
           or reported.provider_id is not null and m.provider_id is null
           or reported.status = 'sent' and m.status = 'sent' and reported.error_code is not null)
       order by m.id for no key update of m
     ), changed as (
       update message m set
         provider_id = coalesce(m.provider_id, t.provider_id),
         status = case when r.rises then t.status else m.status end,
         due_at = case when r.rises then null else m.due_at end,
         sent_at = case when r.rises and t.status in ('sent', 'delivered', 'read')
           then coalesce(m.sent_at, r.at) else m.sent_at end,
         delivered_at = case when r.rises and t.status in ('delivered', 'read')
           then coalesce(m.delivered_at, r.at) else m.delivered_at end,
         read_at = case when r.rises and t.status = 'read' then r.at else m.read_at end,
         unknown_at = case when r.rises and t.status = 'unknown' then r.at else m.unknown_at end,
         failed_at = case when r.rises and t.status in ('failed', 'expired')
           then r.at else m.failed_at end,
         error_code = case when r.rises or r.is_noted then t.error_code else m.error_code end,
         error_detail = case when r.rises or r.is_noted then t.error_detail else m.error_detail end
       from reported t join stood s using (id)
       cross join lateral (select message_rank(t.status) > message_rank(s.status) as rises,
         t.status = 'sent' and s.status = 'sent' and t.error_code is not null as is_noted,
         greatest(t.at, s.since) as at) r
       where m.tenant_id = $7 and m.environment = $8 and m.id = s.id
       returning m.id, m.channel, m.app_id, m.contact_id, m.broadcast_id, m.address,
         trim_scale(m.price)::text as price, s.status as "from", m.status as "to", r.at,
         m.error_code, m.error_detail
     )
     select * from changed where "from" <> "to" order by id`,
    [...columnArrays(learntColumns, learnt), tenantId, environment],
  );
}

/** The error of a message that may have been sent, also while it waits to be sent again. */
export const answerLost = 'answer_lost';

export interface Requeued {
  readonly id: string;
  readonly due_at: Date;
  readonly error_code: string;
  /** The provider was not asked: no attempt is counted, and what it said before stays. */
  readonly isUntried: boolean;
}

/** Queues messages again that were not accepted; only those still being sent under this claim. */
export function requeue(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  claimId: string,
  rows: readonly Requeued[],
): Promise<number> {
  return tx.run(
    `update message m set status = 'queued', claim_id = null, due_at = r.due_at,
       error_code = case when r.is_untried then coalesce(m.error_code, r.error_code)
         else r.error_code end,
       attempts = m.attempts - r.is_untried::int
     from unnest($4::text[], $5::timestamptz[], $6::text[], $7::boolean[])
       as r (id, due_at, error_code, is_untried)
     where m.tenant_id = $1 and m.environment = $2 and m.id = r.id and m.status = 'sending'
       and m.claim_id = $3`,
    [
      tenantId,
      environment,
      claimId,
      rows.map(({ id }) => id),
      rows.map(({ due_at }) => due_at),
      rows.map(({ error_code }) => error_code),
      rows.map(({ isUntried }) => isUntried),
    ],
  );
}

/**
 * Queues again what a dead node was sending, where sending twice does no harm.
 */
export function requeueInterrupted(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  ids: readonly string[],
  now: Date,
): Promise<number> {
  return tx.run(
    `update message set status = 'queued', claim_id = null, due_at = $4, error_code = $5
     where tenant_id = $1 and environment = $2 and id = any($3) and status = 'sending'`,
    [tenantId, environment, ids, now, answerLost],
  );
}

export interface ReportTarget {
  readonly appId: string;
  readonly providerId: string;
  /** Our own id, where the network returned it. */
  readonly messageId: string | undefined;
}

/**
 * The message of each report in the order of the reports, undefined where there is none. Each is
 * looked up separately, so that the planner cannot choose a scan of the table.
 */
export async function findReported(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  reports: readonly ReportTarget[],
): Promise<(string | undefined)[]> {
  const rows = await tx.rows<{ id: string | null }>(
    `select coalesce(p.id, o.id) as id
     from unnest($3::text[], $4::text[], $5::text[]) with ordinality
       as r (app_id, provider_id, message_id, place)
     left join lateral (
       select id from message where tenant_id = $1 and environment = $2 and app_id = r.app_id
         and provider_id = r.provider_id and direction = 'out' limit 1
     ) p on true
     left join lateral (
       select id from message where tenant_id = $1 and environment = $2 and id = r.message_id
         and direction = 'out' limit 1
     ) o on true
     order by r.place`,
    [
      tenantId,
      environment,
      reports.map(({ appId }) => appId),
      reports.map(({ providerId }) => providerId),
      reports.map(({ messageId }) => messageId ?? null),
    ],
  );
  return rows.map(({ id }) => id ?? undefined);
}

export interface EarlyReport {
  readonly app_id: string;
  readonly provider_id: string;
  readonly report: unknown;
}

const earlyColumns = { app_id: 'text', provider_id: 'text', report: 'jsonb' } as const;

/** Stores reports until the message that they name is known. */
export async function keepEarlyReports(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  reports: readonly EarlyReport[],
  now: Date,
): Promise<void> {
  await tx.run(
    `insert into early_report (app_id, provider_id, report, tenant_id, environment, created_at)
     select *, $4::uuid, $5, $6::timestamptz from ${unnest(Object.values(earlyColumns))}`,
    [...columnArrays(earlyColumns, reports), tenantId, environment, now],
  );
}

/** Removes and returns the early reports of these messages. */
export function takeEarlyReports(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  appId: string,
  providerIds: readonly string[],
): Promise<EarlyReport[]> {
  return tx.rows(
    `delete from early_report
     where tenant_id = $1 and environment = $2 and app_id = $3 and provider_id = any($4)
     returning app_id, provider_id, report`,
    [tenantId, environment, appId, providerIds],
  );
}
