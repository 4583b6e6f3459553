/** Recovers messages whose sender died while sending them. */

import type { TenantScope } from '../../../platform/auth/tenant-scope.ts';
import type { Tx } from '../../../platform/db/tx.ts';
import type { Clock } from '../../../platform/ids.ts';
import type { AppOpener } from '../../apps/app-opener.ts';
import { findApp } from '../../apps/store.ts';
import { applyStatusReports, type StatusContext } from '../status/changes.ts';
import { requeueInterrupted, type StatusReport } from '../status/store.ts';

export interface CrashRecoveryContext extends StatusContext {
  readonly appOpener: AppOpener;
  readonly clock: Clock;
}

const lost: Omit<StatusReport, 'id' | 'at'> = {
  status: 'unknown',
  provider_id: null,
  error_code: 'sender_lost',
  error_detail: 'The node that sent it stopped before the answer.',
};

/**
 * Such a message may have been sent or not. Where the provider drops repeats, or the tenant allows
 * them, it is sent again. Elsewhere it becomes `unknown` and is never sent again; a report may
 * still settle it. All messages are of one app.
 */
export async function recoverInterrupted(
  tx: Tx,
  context: CrashRecoveryContext,
  scope: TenantScope,
  appId: string,
  ids: readonly string[],
): Promise<void> {
  const now = context.clock();
  const app = await findApp(tx, scope, appId);
  const guarantee = app && context.appOpener.open(scope, app).channel.guarantee;
  if (guarantee?.kind === 'exactly-once' || app?.resend_unknown === true) {
    await requeueInterrupted(tx, scope, ids, now);
    return;
  }
  const learnt = ids.map((id): StatusReport => ({ id, at: now, ...lost }));
  await applyStatusReports(tx, scope, learnt, context, now);
}
