import type { ReportLanguage } from '@drawbridge/messaging/broadcast/report-mail.ts';
import type { TenantScope } from '../../../../platform/auth/tenant-scope.ts';
import type { Tx } from '../../../../platform/db/tx.ts';

export interface ReportSettings {
  readonly mail_to_creator: boolean;
  readonly language: ReportLanguage;
  readonly updated_at: Date;
}

const columns = 'mail_to_creator, language, updated_at';

export function findReportSettings(
  tx: Tx,
  { tenantId, environment }: TenantScope,
): Promise<ReportSettings | undefined> {
  return tx.row(
    `select ${columns} from broadcast_report_settings where tenant_id = $1 and environment = $2`,
    [tenantId, environment],
  );
}

export async function saveReportSettings(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  { mail_to_creator, language, updated_at }: ReportSettings,
): Promise<void> {
  await tx.run(
    `insert into broadcast_report_settings (tenant_id, environment, ${columns})
     values ($1, $2, $3, $4, $5)
     on conflict (tenant_id, environment)
       do update set mail_to_creator = $3, language = $4, updated_at = $5`,
    [tenantId, environment, mail_to_creator, language, updated_at],
  );
}

/** False when it was claimed before: it may have been mailed. */
export async function claimReport(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  broadcastId: string,
  userId: string,
  now: Date,
): Promise<boolean> {
  const added = await tx.run(
    `insert into broadcast_report (tenant_id, environment, broadcast_id, user_id, claimed_at)
     values ($1, $2, $3, $4, $5) on conflict do nothing`,
    [tenantId, environment, broadcastId, userId, now],
  );
  return added === 1;
}

/** Gives a claim back whose mail the server refused. */
export async function releaseReport(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  broadcastId: string,
): Promise<void> {
  await tx.run(
    'delete from broadcast_report where tenant_id = $1 and environment = $2 and broadcast_id = $3',
    [tenantId, environment, broadcastId],
  );
}

export async function settleReport(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  broadcastId: string,
  state: 'sent' | 'unknown' | 'refused',
): Promise<void> {
  await tx.run(
    `update broadcast_report set state = $4
     where tenant_id = $1 and environment = $2 and broadcast_id = $3`,
    [tenantId, environment, broadcastId, state],
  );
}

/** How many messages failed for each reason, the most frequent first. */
export function countFailures(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  broadcastId: string,
  limit: number,
): Promise<{ readonly reason: string; readonly count: number }[]> {
  return tx.rows(
    `select coalesce(error_code, status) as reason, count(*)::int as count from message
     where tenant_id = $1 and environment = $2 and broadcast_id = $3
       and status in ('failed', 'expired')
     group by 1 order by 2 desc, 1 limit $4`,
    [tenantId, environment, broadcastId, limit],
  );
}
