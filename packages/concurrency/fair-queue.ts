/**
 * A queue that takes keys in turn: one with much to do does not hold up the others. Under one key the
 * order is that of arrival.
 *
 * ```ts
 * const waiting = new FairQueue<Task>();
 * waiting.push(tenantId, task);
 * const next = waiting.shift();
 * ```
 */
export class FairQueue<Item> {
  /** Keys that wait, the one whose turn is next first; each has an item or more. */
  readonly #items = new Map<string, Item[]>();

  push(key: string, item: Item): void {
    const items = this.#items.get(key);
    if (items === undefined) this.#items.set(key, [item]);
    else items.push(item);
  }

  /** Takes the next item; undefined when nothing waits. */
  shift(): Item | undefined {
    const [next] = this.#items;
    if (next === undefined) return undefined;
    const [key, items] = next;
    const item = items.shift();
    this.#items.delete(key);
    if (items.length > 0) this.#items.set(key, items);
    return item;
  }
}
