import { decimal, format } from '@drawbridge/decimal/decimal.ts';
import type { Content } from '@drawbridge/messaging/message.ts';
import { segmentsOf } from '@drawbridge/messaging/sms-segments.ts';
import type { TenantScope } from '../../../platform/auth/tenant-scope.ts';
import type { Tx } from '../../../platform/db/tx.ts';
import { findPrices, isSold } from '../../tenants/wallet/price-store.ts';
import { openWallet } from '../../tenants/wallet/store.ts';

/** The price of one message; null: it is free. */
type Price = { readonly amount: string; readonly currency: string } | null;

export type Billing =
  | { readonly kind: 'priced'; readonly prices: readonly Price[] }
  /** The host charges for the channel, and there is no wallet. */
  | { readonly kind: 'no-wallet' };

/** A message to be priced. */
export interface PriceRequest {
  readonly address: string;
  readonly content: Content;
}

/**
 * The price of each message, in their order. A channel that the host does not charge for is free.
 */
export async function priceOf(
  tx: Tx,
  { tenantId, environment }: TenantScope,
  channel: string,
  billed: readonly PriceRequest[],
): Promise<Billing> {
  const free = billed.map((): Price => null);
  if (!(await isSold(tx, channel))) return { kind: 'priced', prices: free };
  const wallet = await openWallet(tx, tenantId, environment);
  if (wallet === undefined) return { kind: 'no-wallet' };
  const { currency } = wallet;
  const units = await findPrices(
    tx,
    channel,
    currency,
    billed.map(({ address }) => address),
  );
  const prices = billed.map(({ content }, at): Price => {
    const unit = units[at];
    if (unit === null || unit === undefined) return null;
    return { amount: times(unit, unitsOf(channel, content)), currency };
  });
  return { kind: 'priced', prices };
}

/** How many messages the carriers bill: a long SMS is several. */
export function unitsOf(channel: string, content: Content): number {
  return channel === 'sms' && content.kind === 'text' ? segmentsOf(content.text).segments : 1;
}

function times(unit: string, count: number): string {
  return format(decimal(unit).times(count));
}
