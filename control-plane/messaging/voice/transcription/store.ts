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
