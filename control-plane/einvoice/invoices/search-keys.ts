/** The longest beginning of a name that is compared: an index takes no long text. */
const buyerKeyMax = 100;

/** A buyer's name as it is compared: neither case nor blanks at its ends count. */
export function buyerKey(name: string): string {
  return name.trim().toLowerCase().slice(0, buyerKeyMax).toWellFormed();
}

/** What comes after all keys that begin with this one. */
export function endOf(key: string): string {
  return `${key}\u{10ffff}`;
}
