import type { TenantScope } from '../../../platform/auth/tenant-scope.ts';
import { firstRows } from '../../../platform/db/keyset.ts';
import type { Tx } from '../../../platform/db/tx.ts';
import { healthJob } from '../../apps/health.ts';
import { stopByProvider } from '../../apps/stop-by-provider.ts';
import { type AppRow, listApps } from '../../apps/store.ts';
import type { IntakeContext } from './intake-context.ts';
import type { AppEvent } from './webhook-verdict.ts';

/** The most numbers of one account. */
const appsMax = 200;

/** After an event of an account, stops its numbers, or checks their health. */
export async function applyAccountEvents(
  tx: Tx,
  context: IntakeContext,
  scope: TenantScope,
  items: readonly AppEvent<'account'>[],
): Promise<void> {
  const { jobs, log } = context;
  for (const { opened, event } of items) {
    const { what, detail, isStopped } = event;
    log.warn({ appId: opened.row.id, what, detail }, 'a provider reported an account event');
    const apps = await appsOf(tx, context, scope, opened.row, event.account);
    if (isStopped) {
      for (const row of apps) {
        await stopByProvider(tx, scope, row, `${what}: ${detail}`, context);
      }
    }
    const asking = opened.channel.health === undefined ? [] : apps;
    const looks = asking.map((row) => healthJob(scope, row));
    if (looks.length > 0) await jobs.enqueue(tx, scope.tenantId, looks);
  }
}

/** The apps of the account that the network names, else the app of the webhook. */
async function appsOf(
  tx: Tx,
  { appOpener }: IntakeContext,
  scope: TenantScope,
  row: AppRow,
  account: string | undefined,
): Promise<AppRow[]> {
  if (account === undefined) return [row];
  const all = await listApps(tx, scope, row.channel, firstRows(appsMax));
  return all.filter((each) => appOpener.settingsOf(each).waba_id === account);
}
