import type { TenantScope } from '../../../platform/auth/tenant-scope.ts';
import { type KeysetRange, newestFirst } from '../../../platform/db/keyset.ts';
import type { Tx } from '../../../platform/db/tx.ts';

/** A yes or no to recording, with its evidence. */
export interface RecordingConsentRow {
  readonly id: string;
  readonly phone: string;
  /** The only call it is for; null: all calls to the number. */
  readonly call_id: string | null;
  readonly state: 'granted' | 'revoked';
  readonly method: string;
  readonly evidence: string;
  readonly recorded_by: string;
  readonly given_at: Date;
  readonly created_at: Date;
}

const columns = `id, phone, call_id, state, method, evidence, recorded_by, given_at, created_at`;

export async function insertRecordingConsent(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  row: RecordingConsentRow,
): Promise<void> {
  await tx.run(
    `insert into voice_recording_consent (tenant_id, environment, ${columns})
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    [
      tenantId,
      environment,
      row.id,
      row.phone,
      row.call_id,
      row.state,
      row.method,
      row.evidence,
      row.recorded_by,
      row.given_at,
      row.created_at,
    ],
  );
}

export function findRecordingConsent(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  id: string,
): Promise<RecordingConsentRow | undefined> {
  return tx.row(
    `select ${columns} from voice_recording_consent
     where tenant_id = $1 and environment = $2 and id = $3`,
    [tenantId, environment, id],
  );
}

/** Newest first; a null filter matches everything. */
export function listRecordingConsents(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  filter: { phone: string | null; callId: string | null },
  page: KeysetRange,
): Promise<RecordingConsentRow[]> {
  const { key, where, order, rowsMax } = newestFirst(page);
  return tx.rows(
    `select ${columns} from voice_recording_consent where tenant_id = $1 and environment = $2
       and ($3::text is null or phone = $3) and ($4::text is null or call_id = $4)
       and ${where('id', '$5')} order by id ${order} limit $6`,
    [tenantId, environment, filter.phone, filter.callId, key, rowsMax],
  );
}

/**
 * The latest answer about recording calls to the number, or this call: true, false, or undefined
 * when there is none.
 */
export async function hasConsented(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  phone: string,
  callId: string | null,
): Promise<boolean | undefined> {
  const row = await tx.row<{ state: string }>(
    `select state from voice_recording_consent where tenant_id = $1 and environment = $2
       and phone = $3 and (call_id is null or call_id = $4)
     order by given_at desc, id desc limit 1`,
    [tenantId, environment, phone, callId],
  );
  return row === undefined ? undefined : row.state === 'granted';
}

/** The latest answer of each number about recording every call to it. */
export async function latestRecordingConsents(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  phones: readonly string[],
): Promise<ReadonlyMap<string, boolean>> {
  const rows = await tx.rows<{ phone: string; state: string }>(
    `select distinct on (phone) phone, state from voice_recording_consent
     where tenant_id = $1 and environment = $2 and phone = any($3) and call_id is null
     order by phone, given_at desc, id desc`,
    [tenantId, environment, phones],
  );
  return new Map(rows.map(({ phone, state }) => [phone, state === 'granted']));
}
