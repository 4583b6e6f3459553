import type { Channel } from '@drawbridge/messaging/message.ts';
import type { TenantScope } from '../../platform/auth/tenant-scope.ts';
import { firstRows } from '../../platform/db/keyset.ts';
import type { Tx } from '../../platform/db/tx.ts';
import { type AppRow, findApp, listApps } from './store.ts';

/**
 * The app with this id. When it was removed it is the only one of its channel: a number that is removed and
 * connected again has another id, and its templates are at the network as before.
 */
export async function findAppOrSuccessor(
  tx: Tx,
  scope: TenantScope,
  channel: Channel,
  id: string,
): Promise<AppRow | undefined> {
  const app = await findApp(tx, scope, id);
  if (app !== undefined) return app;
  const [only, another] = await listApps(tx, scope, channel, firstRows(2));
  return another === undefined ? only : undefined;
}
