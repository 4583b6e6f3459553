import type { TenantScope } from '../../../platform/auth/tenant-scope.ts';
import { firstRows } from '../../../platform/db/keyset.ts';
import type { Tx } from '../../../platform/db/tx.ts';
import { healthJob } from '../../apps/health.ts';
import { type AppRow, listApps, stopApp } from '../../apps/store.ts';
import type { IntakeContext } from './intake-context.ts';
import type { AppEvent } from './webhook-verdict.ts';

/** The most numbers of one account. */
const appsMax = 200;
const reasonMax = 500;

/** After an event of an account, stops its numbers, or checks their health. */
export async function applyAccountEvents(
  tx: Tx,
  context: IntakeContext,
  scope: TenantScope,
  items: readonly AppEvent<'account'>[],
): Promise<void> {
  const { clock, jobs, log } = context;
  for (const { opened, event } of items) {
    const { what, detail, isStopped } = event;
    log.warn({ appId: opened.row.id, what, detail }, 'a provider reported an account event');
    const apps = await appsOf(tx, context, scope, opened.row, event.account);
    if (isStopped) {
      const reason = `${what}: ${detail}`.slice(0, reasonMax);
      for (const { id } of apps) await stopApp(tx, scope, id, reason, clock());
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
