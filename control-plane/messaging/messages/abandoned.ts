/** What becomes of a message whose sender died in the midst of sending it. */
import type { Tx } from '../../platform/db/tx.ts';
import type { Clock } from '../../platform/ids.ts';
import type { AppDesk } from '../apps/desk.ts';
import { findApp } from '../apps/store.ts';
import type { Place } from '../contacts/store.ts';
import { type Learnt, requeueAbandoned } from './move-store.ts';
import { applyLearnt, type MovesContext } from './moves.ts';

export interface AbandonedContext extends MovesContext {
  readonly desk: AppDesk;
  readonly clock: Clock;
}

const lost: Omit<Learnt, 'id' | 'at'> = {
  status: 'unknown',
  provider_id: null,
  error_code: 'sender_lost',
  error_detail: 'The node that sent it stopped before the answer.',
};

/**
 * It may have gone or not. Where the provider drops repeats, or the tenant wants them, it is sent
 * again; else nobody knows, and it is never sent again: a report may still tell. All are of one app.
 */
export async function recoverAbandoned(
  tx: Tx,
  context: AbandonedContext,
  place: Place,
  appId: string,
  ids: readonly string[],
): Promise<void> {
  const now = context.clock();
  const app = await findApp(tx, place, appId);
  const guarantee = app && context.desk.open(place, app).channel.guarantee;
  if (guarantee?.kind === 'exactly-once' || app?.resend_unknown === true) {
    await requeueAbandoned(tx, place, ids, now);
    return;
  }
  const learnt = ids.map((id): Learnt => ({ id, at: now, ...lost }));
  await applyLearnt(tx, place, learnt, context, now);
}
