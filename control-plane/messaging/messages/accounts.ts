import type { Tx } from '../../platform/db/tx.ts';
import { standingJob } from '../apps/standing.ts';
import { type AppRow, listApps, stopApp } from '../apps/store.ts';
import type { Place } from '../contacts/store.ts';
import type { IntakeContext } from './intake.ts';
import type { Item } from './judgement.ts';

/** Numbers of one account. */
const appsMax = 200;
const reasonMax = 500;

/** What befell an account: its numbers are stopped, or looked at anew. */
export async function heedAccounts(
  tx: Tx,
  context: IntakeContext,
  place: Place,
  items: readonly Item<'account'>[],
): Promise<void> {
  const { clock, jobs, log } = context;
  for (const { opened, event } of items) {
    const { what, detail, isStopped } = event;
    log.warn({ appId: opened.row.id, what, detail }, 'a provider told of the account');
    const apps = await appsOf(tx, context, place, opened.row, event.account);
    if (isStopped) {
      const reason = `${what}: ${detail}`.slice(0, reasonMax);
      for (const { id } of apps) await stopApp(tx, place, id, reason, clock());
    }
    const asking = opened.channel.standing === undefined ? [] : apps;
    const looks = asking.map((row) => standingJob(place, row));
    if (looks.length > 0) await jobs.enqueue(tx, place.tenantId, looks);
  }
}

/** The apps of the account that the network names, else the one the webhook was for. */
async function appsOf(
  tx: Tx,
  { desk }: IntakeContext,
  place: Place,
  row: AppRow,
  account: string | undefined,
): Promise<AppRow[]> {
  if (account === undefined) return [row];
  const all = await listApps(tx, place, row.channel, { after: '', limit: appsMax });
  return all.filter((each) => desk.settingsOf(each).waba_id === account);
}
