import type { TenantScope } from '../../../platform/auth/tenant-scope.ts';
import { type KeysetRange, newestFirst } from '../../../platform/db/keyset.ts';
import type { Tx } from '../../../platform/db/tx.ts';

export interface RecordingRow {
  readonly id: string;
  readonly call_id: string;
  readonly provider_recording_id: string;
  readonly source_url: string | null;
  readonly state: 'fetching' | 'stored' | 'failed' | 'deleted';
  readonly media_type: string | null;
  readonly bytes: number | null;
  readonly sha256: string | null;
  readonly object_key: string | null;
  readonly duration_seconds: number | null;
  readonly error: string | null;
  readonly created_at: Date;
  readonly stored_at: Date | null;
  readonly delete_after: Date;
  /** The number that was called. */
  readonly to_number: string;
  /** Null where it is not transcribed. */
  readonly transcription_state: 'pending' | 'completed' | 'failed' | null;
}

const columns = `id, call_id, provider_recording_id, source_url, state, media_type, bytes, sha256,
  object_key, duration_seconds, error, created_at, stored_at, delete_after,
  (select to_number from voice_call c where c.tenant_id = r.tenant_id
     and c.environment = r.environment and c.id = r.call_id) as to_number,
  (select state from voice_transcription t
   where t.tenant_id = r.tenant_id and t.recording_id = r.id) as transcription_state`;

export type NewRecording = Pick<
  RecordingRow,
  | 'id'
  | 'call_id'
  | 'provider_recording_id'
  | 'source_url'
  | 'duration_seconds'
  | 'created_at'
  | 'delete_after'
>;

/** False when the provider reported it before. */
export async function insertRecording(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  row: NewRecording,
): Promise<boolean> {
  const added = await tx.run(
    `insert into voice_recording (id, tenant_id, environment, call_id, provider_recording_id,
       source_url, duration_seconds, created_at, delete_after)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
     on conflict (tenant_id, call_id, provider_recording_id) do nothing`,
    [
      row.id,
      tenantId,
      environment,
      row.call_id,
      row.provider_recording_id,
      row.source_url,
      row.duration_seconds,
      row.created_at,
      row.delete_after,
    ],
  );
  return added === 1;
}

export function findRecording(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  id: string,
): Promise<RecordingRow | undefined> {
  return tx.row(
    `select ${columns} from voice_recording r
     where tenant_id = $1 and environment = $2 and id = $3`,
    [tenantId, environment, id],
  );
}

/** What is left out matches everything. */
export interface RecordingFilter {
  readonly callId?: string | undefined;
  /** The number that was called. */
  readonly to?: string | undefined;
  readonly state?: string | undefined;
  /** The first id, and the one behind the last. */
  readonly fromId?: string | undefined;
  readonly untilId?: string | undefined;
}

/** Newest first. */
export function listRecordings(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  { callId, to, state, fromId, untilId }: RecordingFilter,
  page: KeysetRange,
): Promise<RecordingRow[]> {
  const { key, where, order, rowsMax } = newestFirst(page);
  return tx.rows(
    `select ${columns} from voice_recording r where tenant_id = $1 and environment = $2
       and ($3::text is null or call_id = $3) and ($4::text is null or state = $4)
       and ${where('id', '$5')} and ($6::text is null or id >= $6)
       and ($7::text is null or id < $7) and ($8::text is null or call_id in (
         select id from voice_call where tenant_id = $1 and environment = $2 and to_number = $8))
     order by id ${order} limit $9`,
    [tenantId, environment, callId, state, key, fromId, untilId, to, rowsMax],
  );
}

export type StoredFile = Pick<RecordingRow, 'media_type' | 'bytes' | 'sha256' | 'object_key'> & {
  readonly stored_at: Date;
};

/** Marks the file as stored and clears the provider's address; false when it was stored before. */
export async function markStored(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  id: string,
  row: StoredFile,
): Promise<boolean> {
  const changed = await tx.run(
    `update voice_recording set state = 'stored', source_url = null, error = null, media_type = $4,
       bytes = $5, sha256 = $6, object_key = $7, stored_at = $8
     where tenant_id = $1 and environment = $2 and id = $3 and state = 'fetching'`,
    [
      tenantId,
      environment,
      id,
      row.media_type,
      row.bytes,
      row.sha256,
      row.object_key,
      row.stored_at,
    ],
  );
  return changed === 1;
}

export async function markFailed(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  id: string,
  error: string,
): Promise<void> {
  await tx.run(
    `update voice_recording set state = 'failed', error = $4
     where tenant_id = $1 and environment = $2 and id = $3 and state = 'fetching'`,
    [tenantId, environment, id, error],
  );
}

/** False when it was deleted before. */
export async function markDeleted(tx: Tx, tenantId: string, id: string): Promise<boolean> {
  const changed = await tx.run(
    `update voice_recording set state = 'deleted', object_key = null, source_url = null, error = null
     where tenant_id = $1 and id = $2 and state <> 'deleted'`,
    [tenantId, id],
  );
  return changed === 1;
}

export interface ExpiredRecording {
  readonly tenant_id: string;
  readonly id: string;
  readonly object_key: string;
}

/** Recordings of all tenants that have expired. */
export function findExpired(tx: Tx, now: Date, most: number): Promise<ExpiredRecording[]> {
  return tx.rows('select tenant_id, id, object_key from voice_recordings_over($1, $2)', [
    now,
    most,
  ]);
}
