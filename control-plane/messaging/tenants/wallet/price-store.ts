/** The host's prices of messages and call minutes. */
import type { Tx } from '../../../platform/db/tx.ts';

export interface PriceRow {
  readonly channel: string;
  /**
   * The first characters of the numbers for which it is valid, such as `+60`; empty: all others.
   */
  readonly prefix: string;
  readonly currency: string;
  readonly amount: string;
}

export async function setPrice(tx: Tx, price: PriceRow): Promise<void> {
  await tx.rows('select set_price($1, $2, $3, $4)', [
    price.channel,
    price.prefix,
    price.currency,
    price.amount,
  ]);
}

export function listPrices(tx: Tx): Promise<PriceRow[]> {
  return tx.rows(
    `select channel, prefix, currency, trim_scale(amount)::text as amount from price
     order by channel, currency, prefix`,
  );
}

/**
 * The price of one message to each of the addresses, in their order: the price of the longest
 * matching prefix, null where none matches.
 */
export async function findPrices(
  tx: Tx,
  channel: string,
  currency: string,
  addresses: readonly string[],
): Promise<(string | null)[]> {
  const rows = await tx.rows<{ amount: string | null }>(
    `select (select trim_scale(amount)::text from price
       where channel = $1 and currency = $2 and starts_with(a.address, prefix)
       order by length(prefix) desc limit 1) as amount
     from unnest($3::text[]) with ordinality as a (address, place) order by a.place`,
    [channel, currency, addresses],
  );
  return rows.map(({ amount }) => amount);
}

/** Whether the host charges for a channel, in any currency. */
export async function isSold(tx: Tx, channel: string): Promise<boolean> {
  return (await tx.row('select 1 from price where channel = $1 limit 1', [channel])) !== undefined;
}

/** The host's prices of a channel for any of these prefixes. */
export function findPricesOf(
  tx: Tx,
  channel: string,
  currency: string,
  prefixes: readonly string[],
): Promise<PriceRow[]> {
  return tx.rows(
    `select channel, prefix, currency, trim_scale(amount)::text as amount from price
     where channel = $1 and currency = $2 and prefix = any($3)`,
    [channel, currency, prefixes],
  );
}
