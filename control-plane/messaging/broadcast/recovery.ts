import type { Job } from '../../platform/jobs/job.ts';
import type { Place } from '../contacts/store.ts';
import { recoverAbandoned } from '../messages/abandoned.ts';
import type { BroadcastEdge } from './edge.ts';
import { listLeft } from './message-store.ts';
import type { BroadcastRow } from './store.ts';

const pieceSize = 1_000;

/** Settles what the last holder of the broadcast was sending when it died, piece by piece. */
export async function recover(
  edge: BroadcastEdge,
  place: Place,
  job: Job,
  { id: broadcastId, app_id }: BroadcastRow,
): Promise<void> {
  const { db, jobs, log } = edge;
  for (let isDone = false; !isDone; ) {
    isDone = await db.tenant(place.tenantId, async (tx) => {
      await jobs.hold(tx, [job]);
      const left = { broadcastId, claimId: job.claimId, limit: pieceSize };
      const ids = await listLeft(tx, place, left);
      if (ids.length === 0) return true;
      await recoverAbandoned(tx, edge, place, app_id, ids);
      log.warn({ broadcastId, messages: ids.length }, 'a sender died; its messages are recovered');
      return ids.length < pieceSize;
    });
  }
}
