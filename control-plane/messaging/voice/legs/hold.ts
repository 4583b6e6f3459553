/** What the wallet promises to the legs of a call, beside what it promises to the call itself. */
import { decimal } from '@drawbridge/decimal/decimal.ts';
import type { Tx } from '../../../platform/db/tx.ts';
import { newId } from '../../../platform/ids.ts';
import type { Place } from '../../contacts/store.ts';
import { extend, release, reserve, settle } from '../../tenants/wallet-store.ts';
import type { CallRow } from '../calls/store.ts';
import type { VoiceDesk } from '../desk.ts';

type Desk = Pick<VoiceDesk, 'clock' | 'random'>;
type Sums = Pick<CallRow, 'id' | 'legs_reserved' | 'legs_cost'>;

/** Names the promise. */
export function legsHold(callId: string): string {
  return `${callId}/legs`;
}

/** Promises so much more; false when the wallet has not as much. */
export function holdMore(
  { clock }: Desk,
  tx: Tx,
  { tenantId, environment }: Place,
  { id, legs_reserved }: Sums,
  amount: string,
): Promise<boolean> {
  const hold = { environment, reference: legsHold(id), amount };
  return isNone(legs_reserved) ? reserve(tx, tenantId, hold, clock()) : extend(tx, tenantId, hold);
}

/** Charges what all legs cost and frees the rest: once, when the call and all of them are over. */
export async function payLegs(
  desk: Desk,
  tx: Tx,
  { tenantId, environment }: Place,
  { id, legs_reserved, legs_cost }: Sums,
): Promise<void> {
  if (isNone(legs_reserved)) return;
  const hold = { environment, reference: legsHold(id) };
  if (isNone(legs_cost)) await release(tx, tenantId, hold);
  else await settle(tx, tenantId, { ...hold, amount: legs_cost }, entryOf(desk));
}

/** Charges a leg that was told of after that, if the wallet has it free; once. */
export async function payLate(
  desk: Desk,
  tx: Tx,
  { tenantId, environment }: Place,
  leg: { readonly id: string; readonly cost: string },
): Promise<boolean> {
  const hold = { environment, reference: leg.id, amount: leg.cost };
  const isFree = await reserve(tx, tenantId, hold, desk.clock());
  return isFree && settle(tx, tenantId, hold, entryOf(desk));
}

function entryOf({ clock, random }: Desk) {
  const now = clock();
  return { id: newId('wle', () => now, random), now };
}

function isNone(amount: string): boolean {
  return decimal(amount).eq(0);
}
