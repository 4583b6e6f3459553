import type { Db } from '../../platform/db/database.ts';
import type { Clock } from '../../platform/ids.ts';
import type { Place } from '../contacts/store.ts';
import { findReported, type Learnt, takeReports } from './move-store.ts';
import { applyLearnt, type MovesContext } from './moves.ts';

export interface EarlyContext extends MovesContext {
  readonly db: Db;
  readonly clock: Clock;
}

/** A report as it is kept until its message is known. */
export type KeptReport = Omit<Learnt, 'id' | 'at' | 'provider_id'> & { readonly at: string };

/**
 * Joins reports that came before the answer which tells their id. Called after the commit of
 * either: whichever of the two commits last sees the other.
 */
export async function joinEarly(
  context: EarlyContext,
  place: Place,
  appId: string,
  providerIds: readonly string[],
): Promise<void> {
  if (providerIds.length === 0) return;
  const { db, clock } = context;
  await db.tenant(place.tenantId, async (tx) => {
    const kept = await takeReports(tx, place, appId, providerIds);
    if (kept.length === 0) return;
    const ids = await findReported(
      tx,
      place,
      kept.map(({ provider_id }) => ({ appId, providerId: provider_id, messageId: undefined })),
    );
    const learnt = kept.flatMap(({ provider_id, report }, at): Learnt[] => {
      const id = ids[at];
      const { at: when, ...rest } = report as KeptReport;
      return id === undefined ? [] : [{ ...rest, id, provider_id, at: new Date(when) }];
    });
    await applyLearnt(tx, place, learnt, context, clock());
  });
}
