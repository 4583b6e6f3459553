/** The number of characters to insert, delete, replace or swap with the next one. */
export function editDistance(one: string, other: string): number {
  let before: number[] = [];
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let from = 0; from < one.length; from++) {
    const next = [from + 1];
    for (let to = 0; to < other.length; to++) {
      const replaced = row[to]! + (one[from] === other[to] ? 0 : 1);
      const isSwapped = one[from] === other[to - 1] && one[from - 1] === other[to];
      const swapped = isSwapped ? before[to - 1]! + 1 : replaced;
      next.push(Math.min(replaced, swapped, row[to + 1]! + 1, next[to]! + 1));
    }
    [before, row] = [row, next];
  }
  return row.at(-1)!;
}

/** The name that was perhaps meant: the nearest, when at most a third of it is wrong. */
export function nearest(asked: string, names: readonly string[]): string | undefined {
  const ranked = names
    .map((name) => ({ name, distance: editDistance(asked.toLowerCase(), name.toLowerCase()) }))
    .sort((one, other) => one.distance - other.distance);
  const [first] = ranked;
  const distanceMax = Math.max(1, Math.floor(asked.length / 3));
  return first !== undefined && first.distance <= distanceMax ? first.name : undefined;
}
