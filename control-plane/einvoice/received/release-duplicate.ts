import type { TenantScope } from '../../platform/auth/tenant-scope.ts';
import type { Tx } from '../../platform/db/tx.ts';
import { addEvents } from '../../webhooks/store.ts';
import type { Moment } from '../event.ts';
import { receivedEventOf } from './events.ts';
import {
  findLatestDuplicate,
  findReceived,
  findSame,
  isOnItsWay,
  lockReceived,
  type ReceivedRow,
  saveDuplicate,
  saveReleased,
} from './store.ts';

/**
 * Lets the latest duplicate of a document that was rejected or cancelled take its place. It is not imported by
 * itself: nobody can know whether it is a copy that came by another way, or what its supplier sent instead. The
 * caller holds the lock of its number.
 */
export async function releaseDuplicate(
  tx: Tx,
  scope: TenantScope,
  original: ReceivedRow,
  moment: Moment,
): Promise<void> {
  const latest = await findLatestDuplicate(tx, scope, original);
  if (latest === undefined || (await findSame(tx, scope, latest)) !== undefined) return;
  await saveReleased(tx, scope, latest, moment.now);
  await addEvents(tx, scope.tenantId, [receivedEventOf(latest, moment)]);
}

/**
 * Lets a duplicate stand in the place of what it repeats, as somebody who compared the two wants it: who sends first
 * need not be the supplier. Returns the document that stands in its way, whose draft is in the ERP or may come there;
 * undefined: the duplicate stands. The caller holds the lock of its number.
 */
export async function takePlace(
  tx: Tx,
  scope: TenantScope,
  duplicate: ReceivedRow,
  moment: Moment,
): Promise<string | undefined> {
  const id = await findSame(tx, scope, duplicate);
  const standing = id === undefined ? undefined : await lockReceived(tx, scope, id);
  if (standing !== undefined) {
    if (standing.status === 'imported' || isOnItsWay(standing)) return standing.id;
    const repeating = { id: standing.id, duplicate_of: duplicate.id };
    await saveDuplicate(tx, scope.tenantId, repeating, moment.now);
  }
  const { duplicate_of } = duplicate;
  const repeated = { ...duplicate, duplicate_of: standing?.id ?? duplicate_of };
  await saveReleased(tx, scope, repeated, moment.now);
  await addEvents(tx, scope.tenantId, [receivedEventOf(duplicate, moment)]);
  return undefined;
}

/**
 * Makes the duplicate that took the place of a rejected document a duplicate again, so that the document may stand,
 * unless somebody has done anything with it. Returns the document that stands instead; undefined: none does. The
 * caller holds the lock of its number.
 */
export async function returnDuplicate(
  tx: Tx,
  scope: TenantScope,
  rejected: ReceivedRow,
  now: Date,
): Promise<string | undefined> {
  const id = await findSame(tx, scope, rejected);
  const row = id === undefined ? undefined : await findReceived(tx, scope, id);
  const isUntouched =
    row?.duplicate_of === rejected.id && row.import === null && row.response === null;
  if (row === undefined || !isUntouched) return id;
  await saveDuplicate(tx, scope.tenantId, row, now);
  return undefined;
}
