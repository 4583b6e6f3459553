import type { Job } from '../../platform/jobs/job.ts';
import { findApp } from '../apps/store.ts';
import type { Place } from '../contacts/store.ts';
import { type Learnt, requeueAbandoned } from '../messages/move-store.ts';
import { applyLearnt } from '../messages/moves.ts';
import type { BroadcastEdge } from './edge.ts';
import { listLeft } from './message-store.ts';
import type { BroadcastRow } from './store.ts';

const pieceSize = 1_000;

/**
 * What the last holder of the broadcast was sending when it died may have gone or not. Where the
 * provider drops repeats, or the tenant wants them, it is sent again; else nobody knows, and it is
 * never sent again: a report may still tell.
 */
export async function recover(
  edge: BroadcastEdge,
  place: Place,
  job: Job,
  { id: broadcastId, app_id }: BroadcastRow,
): Promise<void> {
  const { db, jobs, desk, clock, log } = edge;
  for (let isDone = false; !isDone; ) {
    isDone = await db.tenant(place.tenantId, async (tx) => {
      await jobs.hold(tx, [job]);
      const left = { broadcastId, claimId: job.claimId, limit: pieceSize };
      const ids = await listLeft(tx, place, left);
      if (ids.length === 0) return true;
      const app = await findApp(tx, place, app_id);
      const guarantee = app === undefined ? undefined : desk.open(place, app).channel.guarantee;
      const now = clock();
      if (guarantee?.kind === 'exactly-once' || app?.resend_unknown === true) {
        await requeueAbandoned(tx, place, ids, now);
      } else {
        await applyLearnt(tx, place, ids.map(lostAt(now)), edge, now);
      }
      log.warn({ broadcastId, messages: ids.length }, 'a sender died; its messages are recovered');
      return ids.length < pieceSize;
    });
  }
}

function lostAt(at: Date): (id: string) => Learnt {
  const error_detail = 'The node that sent it stopped before the answer.';
  const error = { error_code: 'sender_lost', error_detail };
  return (id) => ({ id, status: 'unknown', at, provider_id: null, ...error });
}
