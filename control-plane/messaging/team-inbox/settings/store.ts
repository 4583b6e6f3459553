import type { OpenSpan } from '@drawbridge/messaging/inbox/business-hours.ts';
import type { TenantScope } from '../../../platform/auth/tenant-scope.ts';
import type { Tx } from '../../../platform/db/tx.ts';

export interface InboxSettings {
  readonly time_zone: string;
  readonly weekly_hours: readonly OpenSpan[];
  readonly holidays: readonly string[];
  /** Minutes in which a new conversation is promised an answer; null: nothing is promised. */
  readonly first_response_minutes: number | null;
  /** The same for later messages of the person. */
  readonly next_response_minutes: number | null;
  readonly updated_at: Date;
}

const columns = `time_zone, weekly_hours, holidays, first_response_minutes,
  next_response_minutes, updated_at`;

export function findSettings(
  tx: Tx,
  { tenantId, environment }: TenantScope,
): Promise<InboxSettings | undefined> {
  return tx.row(`select ${columns} from inbox_settings where tenant_id = $1 and environment = $2`, [
    tenantId,
    environment,
  ]);
}

export async function saveSettings(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  row: InboxSettings,
): Promise<void> {
  await tx.run(
    `insert into inbox_settings (tenant_id, environment, ${columns})
     values ($1, $2, $3, $4, $5, $6, $7, $8)
     on conflict (tenant_id, environment) do update set time_zone = $3, weekly_hours = $4,
       holidays = $5, first_response_minutes = $6, next_response_minutes = $7, updated_at = $8`,
    [
      tenantId,
      environment,
      row.time_zone,
      JSON.stringify(row.weekly_hours),
      JSON.stringify(row.holidays),
      row.first_response_minutes,
      row.next_response_minutes,
      row.updated_at,
    ],
  );
}
