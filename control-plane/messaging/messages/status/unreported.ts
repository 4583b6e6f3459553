/** Releases the holds of messages for which no report has come and none is expected. */
import { reportsWithinMsDefault } from '../../../channels/contract.ts';
import { channels } from '../../../channels/registry.ts';
import type { Db } from '../../../platform/db/database.ts';
import type { Clock } from '../../../platform/ids.ts';
import { releaseMany } from '../../tenants/wallet/store.ts';
import { listUnreported, markHoldsReleased } from './unreported-store.ts';

/** How many messages have their money released at once. */
const pieceSize = 1_000;

/**
 * Releases the holds of messages that stayed unknown for longer than their provider takes to
 * report; a report that still comes later charges them. Called at intervals, on any number of
 * nodes.
 */
export async function releaseUnreportedHolds({
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
    const unreported = await db.system((tx) => listUnreported(tx, deadlines, pieceSize));
    const scopes = Map.groupBy(unreported, (row) => `${row.tenant_id} ${row.environment}`);
    for (const own of scopes.values()) {
      const { tenant_id: tenantId, environment } = own[0]!;
      const ids = own.map(({ id }) => id);
      await db.tenant(tenantId, async (tx) => {
        const released = await markHoldsReleased(tx, { tenantId, environment }, ids, now);
        await releaseMany(tx, tenantId, environment, released);
      });
    }
    isDone = unreported.length < pieceSize;
  }
}
