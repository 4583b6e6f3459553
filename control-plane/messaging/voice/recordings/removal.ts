/** Deletes recordings: their file and their text. The row stays and says so, with the sum of the file. */
import type { TenantScope } from '../../../platform/auth/tenant-scope.ts';
import type { Tx } from '../../../platform/db/tx.ts';
import type { CallingContext } from '../context.ts';
import { deleteReported, deleteTranscription } from '../transcription/store.ts';
import { markDeleted, type RecordingRow } from './store.ts';

type Removed = Pick<RecordingRow, 'id' | 'object_key'>;

/**
 * Deletes a recording, also one whose file is still to come; false when it was deleted before. `record`
 * runs in the transaction. Throws when the file cannot be removed; nothing else is deleted then.
 */
export async function removeRecording(
  { db, objects }: Pick<CallingContext, 'db' | 'objects'>,
  tenantId: string,
  { id, object_key }: Removed,
  record?: (tx: Tx) => Promise<void>,
): Promise<boolean> {
  if (object_key !== null) await objects.remove(object_key);
  return db.tenant(tenantId, async (tx) => {
    if (!(await markDeleted(tx, tenantId, id))) return false;
    await deleteTranscription(tx, tenantId, id);
    await deleteReported(tx, tenantId, id);
    await record?.(tx);
    return true;
  });
}

/** Where the file of a recording is put. */
export function objectKeyOf({ tenantId, environment }: TenantScope, id: string): string {
  return `voice/${tenantId}/${environment}/${id}`;
}
