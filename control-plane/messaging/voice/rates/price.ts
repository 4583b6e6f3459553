import { type CallRate, callCost, prefixesOf, rateFor } from '@drawbridge/messaging/call-rate.ts';
import type { TenantScope } from '../../../platform/auth/tenant-scope.ts';
import type { Tx } from '../../../platform/db/tx.ts';
import { findPricesOf, type PriceRow } from '../../tenants/wallet/price-store.ts';
import { findRates } from './store.ts';

/** The rate of one call when it was created; stored with the call, which is billed by it. */
export type CallRateTerms = Pick<
  CallRate,
  'prefix' | 'perMinute' | 'connectionFee' | 'firstSeconds' | 'stepSeconds'
>;

/**
 * The rates for calls to the numbers; a number may have none. The host's own price comes first (for
 * each started minute); otherwise the tenant's rate cards apply.
 */
export async function ratesOf(
  tx: Tx,
  scope: TenantScope,
  numbers: readonly string[],
  currency: string,
  at: Date,
): Promise<ReadonlyMap<string, CallRateTerms>> {
  const prefixes = [...new Set(numbers.flatMap(prefixesOf))];
  const [prices, rates] = await Promise.all([
    findPricesOf(tx, 'voice', currency, ['', ...prefixes]),
    findRates(tx, scope, prefixes, currency, at),
  ]);
  return new Map(
    numbers.flatMap((number) => {
      const rate = hostPriceOf(number, prices) ?? rateFor(number, at, rates);
      return rate === undefined ? [] : [[number, termsOf(rate)]];
    }),
  );
}

function hostPriceOf(number: string, prices: readonly PriceRow[]): CallRateTerms | undefined {
  const [longest] = prices
    .filter(({ prefix }) => number.startsWith(prefix))
    .sort((a, b) => b.prefix.length - a.prefix.length);
  if (longest === undefined) return undefined;
  const { prefix, amount } = longest;
  const minutes = { firstSeconds: 60, stepSeconds: 60 };
  return { prefix: prefix || '+', perMinute: amount, connectionFee: '0', ...minutes };
}

function termsOf({
  prefix,
  perMinute,
  connectionFee,
  firstSeconds,
  stepSeconds,
}: CallRateTerms): CallRateTerms {
  return { prefix, perMinute, connectionFee, firstSeconds, stepSeconds };
}

/** The highest cost of a call of that length: the amount to reserve. */
export function maxCost(limitSeconds: number, rate: CallRateTerms): string {
  return callCost(limitSeconds, rate);
}
