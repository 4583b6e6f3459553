import { type CallRate, callCost } from '@drawbridge/messaging/call-rate.ts';
import type { Tx } from '../../../platform/db/tx.ts';
import type { Place } from '../../contacts/store.ts';
import { findPrice } from '../../tenants/price-store.ts';
import { findRate } from './store.ts';

/** The rate of one call as it was when the call was made: kept with it, so that it is paid by it. */
export type KeptRate = Pick<
  CallRate,
  'prefix' | 'perMinute' | 'connectionFee' | 'firstSeconds' | 'stepSeconds'
>;

/**
 * What a call to the number costs. What the host asks for by itself comes first (a price of a
 * begun minute); elsewhere the tenant's own rate cards hold.
 */
export async function rateOf(
  tx: Tx,
  place: Place,
  number: string,
  currency: string,
  at: Date,
): Promise<KeptRate | undefined> {
  const price = await findPrice(tx, 'voice', currency, number);
  if (price !== undefined) {
    const { prefix, amount } = price;
    const minutes = { firstSeconds: 60, stepSeconds: 60 };
    return { prefix: prefix || '+', perMinute: amount, connectionFee: '0', ...minutes };
  }
  const rate = await findRate(tx, place, number, currency, at);
  if (rate === undefined) return undefined;
  const { prefix, perMinute, connectionFee, firstSeconds, stepSeconds } = rate;
  return { prefix, perMinute, connectionFee, firstSeconds, stepSeconds };
}

/** The most a call can cost that is ended after so long: what is reserved for it. */
export function mostOf(limitSeconds: number, rate: KeptRate): string {
  return callCost(limitSeconds, rate);
}
