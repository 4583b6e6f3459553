import type { TranscriptionReport } from '../../../channels/voice-contract.ts';
import type { TenantScope } from '../../../platform/auth/tenant-scope.ts';
import type { Tx } from '../../../platform/db/tx.ts';

export interface TranscriptionRow {
  readonly recording_id: string;
  readonly state: 'pending' | 'completed' | 'failed';
  readonly text: string | null;
  readonly language: string | null;
  readonly reason: string | null;
  readonly created_at: Date;
}

const columns = 'recording_id, state, text, language, reason, created_at';

export async function insertTranscription(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  recordingId: string,
  now: Date,
): Promise<void> {
  await tx.run(
    `insert into voice_transcription
       (tenant_id, environment, recording_id, created_at, updated_at)
     values ($1, $2, $3, $4, $4) on conflict do nothing`,
    [tenantId, environment, recordingId, now],
  );
}

/** In the order of the recordings. */
export function findTranscriptions(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  recordingIds: readonly string[],
): Promise<TranscriptionRow[]> {
  return tx.rows(
    `select ${columns} from voice_transcription
     where tenant_id = $1 and environment = $2 and recording_id = any($3) order by recording_id`,
    [tenantId, environment, recordingIds],
  );
}

export interface ReportedRow {
  readonly call_id: string;
  readonly provider_recording_id: string;
  readonly kind: TranscriptionReport['kind'];
  readonly value: string;
  readonly reported_at: Date;
}

/**
 * The first word about a recording holds. Returns the recording whose transcription waits for it;
 * of one that is settled or deleted nothing is kept.
 */
export async function insertReported(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  row: ReportedRow,
): Promise<string | undefined> {
  const found = await tx.row<{ waiting: string | null }>(
    `with recording as (
       select r.id, r.state, t.state as text_state from voice_recording r
       left join voice_transcription t on t.tenant_id = r.tenant_id and t.recording_id = r.id
       where r.tenant_id = $1 and r.environment = $2 and r.call_id = $3
         and r.provider_recording_id = $4),
     kept as (
       insert into voice_reported_transcription
         (tenant_id, environment, call_id, provider_recording_id, kind, value, reported_at)
       select $1, $2, $3, $4, $5, $6, $7 where not exists (
         select from recording where state = 'deleted' or text_state <> 'pending')
       on conflict do nothing returning 1)
     select (select id from recording where text_state = 'pending') as waiting
     from kept`,
    [
      tenantId,
      environment,
      row.call_id,
      row.provider_recording_id,
      row.kind,
      row.value,
      row.reported_at,
    ],
  );
  return found?.waiting ?? undefined;
}

export function findReported(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  { call_id, provider_recording_id }: Pick<ReportedRow, 'call_id' | 'provider_recording_id'>,
): Promise<Pick<ReportedRow, 'kind' | 'value'> | undefined> {
  return tx.row(
    `select kind, value from voice_reported_transcription
     where tenant_id = $1 and environment = $2 and call_id = $3 and provider_recording_id = $4`,
    [tenantId, environment, call_id, provider_recording_id],
  );
}

/** Forgets what was told of a recording. */
export async function deleteReported(tx: Tx, tenantId: string, recordingId: string): Promise<void> {
  await tx.run(
    `delete from voice_reported_transcription told using voice_recording r
     where told.tenant_id = $1 and r.tenant_id = $1 and r.id = $2
       and told.environment = r.environment and told.call_id = r.call_id
       and told.provider_recording_id = r.provider_recording_id`,
    [tenantId, recordingId],
  );
}

/** What became of one that is pending; of another nothing changes. */
export async function settleTranscription(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  recordingId: string,
  outcome: Pick<TranscriptionRow, 'state' | 'text' | 'language' | 'reason'>,
  now: Date,
): Promise<void> {
  const { state, text, language, reason } = outcome;
  await tx.run(
    `update voice_transcription
     set state = $4, text = $5, language = $6, reason = $7, updated_at = $8
     where tenant_id = $1 and environment = $2 and recording_id = $3 and state = 'pending'`,
    [tenantId, environment, recordingId, state, text, language, reason, now],
  );
}

export async function deleteTranscription(
  tx: Tx,
  tenantId: string,
  recordingId: string,
): Promise<void> {
  await tx.run('delete from voice_transcription where tenant_id = $1 and recording_id = $2', [
    tenantId,
    recordingId,
  ]);
}
