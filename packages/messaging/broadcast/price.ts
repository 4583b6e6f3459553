/**
 * The price of one message by the first characters of the number; the empty prefix fits all others.
 */
export type PriceTable = ReadonlyMap<string, string>;

const prefixMax = 16; // a plus and 15 digits

/**
 * The price of a message to an address, by the longest prefix that fits; undefined when none does.
 */
export function priceOf(prices: PriceTable, address: string): string | undefined {
  for (let length = Math.min(address.length, prefixMax); length >= 0; length -= 1) {
    const price = prices.get(address.slice(0, length));
    if (price !== undefined) return price;
  }
  return undefined;
}
