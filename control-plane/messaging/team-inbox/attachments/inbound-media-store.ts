/** Statements for files that came with messages. */

import type { TenantScope } from '../../../platform/auth/tenant-scope.ts';
import type { Tx } from '../../../platform/db/tx.ts';

/** Whether the file of a message is stored already. */
export async function hasFile(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  messageId: string,
): Promise<boolean> {
  const row = await tx.row(
    `select 1 from conversation_attachment
     where tenant_id = $1 and environment = $2 and message_id = $3`,
    [tenantId, environment, messageId],
  );
  return row !== undefined;
}

/** Saves with an inbound message why its file was not stored. */
export async function saveFileProblem(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  messageId: string,
  detail: string,
): Promise<void> {
  await tx.run(
    `update message set error_code = 'file_not_kept', error_detail = $4
     where tenant_id = $1 and environment = $2 and id = $3 and direction = 'in'`,
    [tenantId, environment, messageId, detail],
  );
}
