import { type CallRate, callCost, prefixesOf, rateFor } from '@drawbridge/messaging/call-rate.ts';
import type { Tx } from '../../../platform/db/tx.ts';
import type { Place } from '../../contacts/store.ts';
import { findPricesOf, type PriceRow } from '../../tenants/price-store.ts';
import { findRates } from './store.ts';

/** The rate of one call as it was when the call was made: kept with it, so that it is paid by it. */
export type KeptRate = Pick<
  CallRate,
  'prefix' | 'perMinute' | 'connectionFee' | 'firstSeconds' | 'stepSeconds'
>;

/**
 * What calls to the numbers cost; none for a number that nothing prices. What the host asks for by
 * itself comes first (a price of a begun minute); elsewhere the tenant's own rate cards hold.
 */
export async function ratesOf(
  tx: Tx,
  place: Place,
  numbers: readonly string[],
  currency: string,
  at: Date,
): Promise<ReadonlyMap<string, KeptRate>> {
  const prefixes = [...new Set(numbers.flatMap(prefixesOf))];
  const [prices, rates] = await Promise.all([
    findPricesOf(tx, 'voice', currency, ['', ...prefixes]),
    findRates(tx, place, prefixes, currency, at),
  ]);
  return new Map(
    numbers.flatMap((number) => {
      const rate = priced(number, prices) ?? rateFor(number, at, rates);
      return rate === undefined ? [] : [[number, kept(rate)]];
    }),
  );
}

function priced(number: string, prices: readonly PriceRow[]): KeptRate | undefined {
  const [longest] = prices
    .filter(({ prefix }) => number.startsWith(prefix))
    .sort((a, b) => b.prefix.length - a.prefix.length);
  if (longest === undefined) return undefined;
  const { prefix, amount } = longest;
  const minutes = { firstSeconds: 60, stepSeconds: 60 };
  return { prefix: prefix || '+', perMinute: amount, connectionFee: '0', ...minutes };
}

function kept({ prefix, perMinute, connectionFee, firstSeconds, stepSeconds }: KeptRate): KeptRate {
  return { prefix, perMinute, connectionFee, firstSeconds, stepSeconds };
}

/** The most a call can cost that is ended after so long: what is reserved for it. */
export function mostOf(limitSeconds: number, rate: KeptRate): string {
  return callCost(limitSeconds, rate);
}
