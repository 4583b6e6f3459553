import type { TenantScope } from '../../../platform/auth/tenant-scope.ts';
import type { Db } from '../../../platform/db/database.ts';
import type { Clock } from '../../../platform/ids.ts';
import { applyStatusReports, type StatusContext } from './changes.ts';
import { isRefused, recordNetworkRefusals } from './network-refusals.ts';
import { findReported, type StatusReport, takeEarlyReports } from './store.ts';

export interface EarlyReportsContext extends StatusContext {
  readonly db: Db;
  readonly clock: Clock;
}

/** A report as it is stored until its message is known. */
export type KeptReport = Omit<StatusReport, 'id' | 'at' | 'provider_id'> & { readonly at: string };

/**
 * Applies reports that came before the provider's answer with the message's id. Called after both
 * the answer and the report commit: whichever commits last sees the other.
 */
export async function applyEarlyReports(
  context: EarlyReportsContext,
  scope: TenantScope,
  appId: string,
  providerIds: readonly string[],
): Promise<void> {
  if (providerIds.length === 0) return;
  const { db, clock } = context;
  await db.tenant(scope.tenantId, async (tx) => {
    const kept = await takeEarlyReports(tx, scope, appId, providerIds);
    if (kept.length === 0) return;
    const ids = await findReported(
      tx,
      scope,
      kept.map(({ provider_id }) => ({ appId, providerId: provider_id, messageId: undefined })),
    );
    const learnt = kept.flatMap(({ provider_id, report }, at): StatusReport[] => {
      const id = ids[at];
      const { at: when, ...rest } = report as KeptReport;
      return id === undefined ? [] : [{ ...rest, id, provider_id, at: new Date(when) }];
    });
    const changed = await applyStatusReports(tx, scope, learnt, context, clock());
    await recordNetworkRefusals(tx, scope, context, changed.filter(isRefused));
  });
}
