/** Sends the webhook `wallet.low`: once when a wallet runs low, and again only after it was filled. */
import type { Db } from '../../../platform/db/database.ts';
import type { Clock, RandomBytes } from '../../../platform/ids.ts';
import { addEvents } from '../../../webhooks/store.ts';
import { eventOf } from '../../messages/events.ts';
import { toggleLow, type WalletRow, walletsToAnnounce } from './store.ts';

interface LowWalletContext {
  readonly db: Db;
  readonly clock: Clock;
  readonly random: RandomBytes;
}

/** Checks all wallets once; called at intervals, on any number of nodes. */
export async function announceLowWallets({ db, clock, random }: LowWalletContext): Promise<void> {
  for (const wallet of await db.system(walletsToAnnounce)) {
    const { tenant_id: tenantId, environment } = wallet;
    await db.tenant(tenantId, async (tx) => {
      // Another node may have announced it in between.
      const row = await toggleLow(tx, tenantId, environment);
      if (row?.is_low !== true) return;
      const data = { environment, ...walletEventData(row) };
      const event = eventOf(wallet, 'wallet.low', tenantId, data, clock(), random);
      await addEvents(tx, tenantId, [event]);
    });
  }
}

/** The wallet in the event `wallet.low`. */
export function walletEventData({ currency, balance, available, low_at }: WalletRow) {
  return { currency, balance, available, low_at };
}
