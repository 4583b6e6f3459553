/** What one message costs by the beginning of the number; empty: all others. */
export type PriceTable = ReadonlyMap<string, string>;

const prefixMax = 16; // a plus and 15 digits

/** The price of a message to an address: that of the longest prefix that fits. */
export function priceOf(prices: PriceTable, address: string): string | undefined {
  for (let length = Math.min(address.length, prefixMax); length >= 0; length -= 1) {
    const price = prices.get(address.slice(0, length));
    if (price !== undefined) return price;
  }
  return undefined;
}
