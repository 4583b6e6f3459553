import type { Db } from '../../platform/db/database.ts';
import type { Log } from '../../platform/log/log.ts';
import type { AppOpener } from './app-opener.ts';
import { findApp, listSandboxApps, type SandboxApp } from './store.ts';

const pageSize = 100;
const beforeAll: SandboxApp = { tenant_id: '00000000-0000-0000-0000-000000000000', id: '' };

export interface SandboxAppsContext {
  readonly db: Db;
  readonly appOpener: AppOpener;
  readonly log: Log;
}

/**
 * Teaches all apps of the sandbox to the simulators that this process has started. An app that
 * fails is taught again before it sends.
 */
export async function prepareSandboxApps(
  { db, appOpener, log }: SandboxAppsContext,
  providers: readonly string[],
  isStopped: () => boolean,
): Promise<void> {
  let after = beforeAll;
  for (;;) {
    const page = await db.system((tx) => listSandboxApps(tx, providers, after, pageSize));
    for (const { tenant_id: tenantId, id } of page) {
      if (isStopped()) return;
      const scope = { tenantId, environment: 'sandbox' } as const;
      const row = await db.tenant(tenantId, (tx) => findApp(tx, scope, id));
      if (row === undefined) continue;
      await appOpener.prepare(scope, appOpener.open(scope, row)).catch((err: unknown) => {
        log.warn({ err, appId: id }, 'a simulator was not taught this app');
      });
    }
    const last = page.at(-1);
    if (last === undefined || page.length < pageSize) return;
    after = last;
  }
}
