import type { TenantScope } from '../../../platform/auth/tenant-scope.ts';
import type { Job } from '../../../platform/jobs/job.ts';
import { recoverInterrupted } from '../../messages/sending/crash-recovery.ts';
import type { BroadcastContext } from '../context.ts';
import type { BroadcastRow } from '../store.ts';
import { listInterrupted } from './message-store.ts';

const pieceSize = 1_000;

/**
 * Settles, piece by piece, the messages that the broadcast's previous holder was sending when it
 * died.
 */
export async function recoverInterruptedBatches(
  context: BroadcastContext,
  scope: TenantScope,
  job: Job,
  { id: broadcastId, app_id }: BroadcastRow,
): Promise<void> {
  const { db, jobs, log } = context;
  for (let isDone = false; !isDone; ) {
    isDone = await db.tenant(scope.tenantId, async (tx) => {
      await jobs.renewLeases(tx, [job]);
      const left = { broadcastId, claimId: job.claimId, limit: pieceSize };
      const ids = await listInterrupted(tx, scope, left);
      if (ids.length === 0) return true;
      await recoverInterrupted(tx, context, scope, app_id, ids);
      log.warn({ broadcastId, messages: ids.length }, 'a sender died; its messages are recovered');
      return ids.length < pieceSize;
    });
  }
}
