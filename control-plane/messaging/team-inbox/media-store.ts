/** Files that people sent, beside the messages they came with. */
import type { Tx } from '../../platform/db/tx.ts';
import type { Place } from '../contacts/store.ts';

/** Whether the file of a message is kept already. */
export async function hasFile(
  tx: Tx,
  { tenantId, environment }: Place,
  messageId: string,
): Promise<boolean> {
  const row = await tx.row(
    `select 1 from conversation_attachment
     where tenant_id = $1 and environment = $2 and message_id = $3`,
    [tenantId, environment, messageId],
  );
  return row !== undefined;
}

/** Notes on a message that came in why its file is not kept. */
export async function noteFileFault(
  tx: Tx,
  { tenantId, environment }: Place,
  messageId: string,
  detail: string,
): Promise<void> {
  await tx.run(
    `update message set error_code = 'file_not_kept', error_detail = $4
     where tenant_id = $1 and environment = $2 and id = $3 and direction = 'in'`,
    [tenantId, environment, messageId, detail],
  );
}
