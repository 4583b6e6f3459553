/**
 * Divides items, in their order, into portions of at most `sizeMax` together; one that is larger is a
 * portion by itself.
 */
export function* portions<Item>(
  items: Iterable<Item>,
  sizeOf: (item: Item) => number,
  sizeMax: number,
): Generator<readonly Item[]> {
  let portion: Item[] = [];
  let size = 0;
  for (const item of items) {
    const own = sizeOf(item);
    if (portion.length > 0 && size + own > sizeMax) {
      yield portion;
      portion = [];
      size = 0;
    }
    portion.push(item);
    size += own;
  }
  if (portion.length > 0) yield portion;
}
