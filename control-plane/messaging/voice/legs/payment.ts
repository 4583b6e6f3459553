/** The wallet's hold for the legs of a call, separate from the hold for the call itself. */
import { decimal } from '@drawbridge/decimal/decimal.ts';
import type { TenantScope } from '../../../platform/auth/tenant-scope.ts';
import type { Tx } from '../../../platform/db/tx.ts';
import { newId } from '../../../platform/ids.ts';
import { extend, release, reserve, settle } from '../../tenants/wallet/store.ts';
import type { CallRow } from '../calls/store.ts';
import type { CallingContext } from '../context.ts';

type Context = Pick<CallingContext, 'clock' | 'random'>;
type LegSums = Pick<CallRow, 'id' | 'legs_reserved' | 'legs_cost'>;

/** The reference of the hold. */
export function legsReference(callId: string): string {
  return `${callId}/legs`;
}

/** Reserves an additional amount; false when the wallet holds too little. */
export function reserveMore(
  { clock }: Context,
  tx: Tx,
  { tenantId, environment }: TenantScope,
  { id, legs_reserved }: LegSums,
  amount: string,
): Promise<boolean> {
  const hold = { environment, reference: legsReference(id), amount };
  return isZero(legs_reserved) ? reserve(tx, tenantId, hold, clock()) : extend(tx, tenantId, hold);
}

/**
 * Charges the cost of all legs and frees the rest; once, when the call and all its legs have ended.
 */
export async function payLegs(
  context: Context,
  tx: Tx,
  { tenantId, environment }: TenantScope,
  { id, legs_reserved, legs_cost }: LegSums,
): Promise<void> {
  if (isZero(legs_reserved)) return;
  const hold = { environment, reference: legsReference(id) };
  if (isZero(legs_cost)) await release(tx, tenantId, hold);
  else await settle(tx, tenantId, { ...hold, amount: legs_cost }, entryOf(context));
}

/** Charges what was reported after that, once for each reference, if the wallet has enough available. */
export async function payLate(
  context: Context,
  tx: Tx,
  { tenantId, environment }: TenantScope,
  late: { readonly reference: string; readonly amount: string },
): Promise<boolean> {
  const hold = { environment, ...late };
  const isFree = await reserve(tx, tenantId, hold, context.clock());
  return isFree && settle(tx, tenantId, hold, entryOf(context));
}

function entryOf({ clock, random }: Context) {
  const now = clock();
  return { id: newId('wle', () => now, random), now };
}

function isZero(amount: string): boolean {
  return decimal(amount).eq(0);
}
