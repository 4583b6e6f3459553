/** Gives back what is held for messages of which nobody has told anything, and nobody will. */
import { reportsWithinMsDefault } from '../../channels/contract.ts';
import { channels } from '../../channels/registry.ts';
import type { Db } from '../../platform/db/database.ts';
import type { Clock } from '../../platform/ids.ts';
import { releaseMany } from '../tenants/wallet-store.ts';
import { noteReleases, unheardMessages } from './unheard-store.ts';

/** Messages whose money is given back together. */
const pieceSize = 1_000;

/**
 * Releases the holds of messages that stayed unknown for longer than their provider takes to
 * report; a report that comes later all the same charges them. To be called every now and then, on
 * any number of nodes.
 */
export async function releaseUnheard({
  db,
  clock,
}: {
  readonly db: Db;
  readonly clock: Clock;
}): Promise<void> {
  const now = clock();
  const deadlines = channels.map(({ id: provider, reportsWithinMs = reportsWithinMsDefault }) => {
    return { provider, before: new Date(now.getTime() - reportsWithinMs) };
  });
  for (let isDone = false; !isDone; ) {
    const unheard = await db.system((tx) => unheardMessages(tx, deadlines, pieceSize));
    const places = Map.groupBy(unheard, (row) => `${row.tenant_id} ${row.environment}`);
    for (const own of places.values()) {
      const { tenant_id: tenantId, environment } = own[0]!;
      const ids = own.map(({ id }) => id);
      await db.tenant(tenantId, async (tx) => {
        const released = await noteReleases(tx, { tenantId, environment }, ids, now);
        await releaseMany(tx, tenantId, environment, released);
      });
    }
    isDone = unheard.length < pieceSize;
  }
}
