import type { TenantScope } from '../../platform/auth/tenant-scope.ts';
import type { Tx } from '../../platform/db/tx.ts';
import type { Clock, RandomBytes } from '../../platform/ids.ts';
import { addEvents } from '../../webhooks/store.ts';
import { eventOf } from '../messages/events.ts';
import { type AppRow, stopApp } from './store.ts';

const reasonMax = 500;

/**
 * Stops an app whose provider takes nothing from it, until a person has mended that and activates it, and tells
 * customers. Returns whether it was active.
 */
export async function stopByProvider(
  tx: Tx,
  scope: TenantScope,
  { id, channel, provider, name }: AppRow,
  why: string,
  { clock, random }: { readonly clock: Clock; readonly random: RandomBytes },
): Promise<boolean> {
  const now = clock();
  const reason = why.slice(0, reasonMax);
  if (!(await stopApp(tx, scope, id, reason, now))) return false;
  const data = { channel, provider, name, reason };
  await addEvents(tx, scope.tenantId, [eventOf(scope, 'app.stopped', id, data, now, random)]);
  return true;
}
