/** Tells customers' endpoints that a wallet is running low: once, until it is filled again. */
import type { Db } from '../../platform/db/database.ts';
import type { Clock, RandomBytes } from '../../platform/ids.ts';
import { addEvents } from '../../webhooks/store.ts';
import { eventOf } from '../messages/events.ts';
import { noteLow, type WalletRow, walletsToTell } from './wallet-store.ts';

interface Edge {
  readonly db: Db;
  readonly clock: Clock;
  readonly random: RandomBytes;
}

/** Looks once at all wallets; to be called every now and then, on any number of nodes. */
export async function tellLowWallets({ db, clock, random }: Edge): Promise<void> {
  for (const place of await db.system(walletsToTell)) {
    const { tenant_id: tenantId, environment } = place;
    await db.tenant(tenantId, async (tx) => {
      // Another node may have told it in between.
      const row = await noteLow(tx, tenantId, environment);
      if (row?.is_low !== true) return;
      const data = { environment, ...walletNews(row) };
      const event = eventOf(place, 'wallet.low', tenantId, data, clock(), random);
      await addEvents(tx, tenantId, [event]);
    });
  }
}

/** What `wallet.low` says of the wallet. */
export function walletNews({ currency, balance, available, low_at }: WalletRow) {
  return { currency, balance, available, low_at };
}
