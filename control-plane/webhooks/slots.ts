/**
 * A bound on requests under way in the whole process; whoever finds none free is called when one
 * is.
 */
export interface Slots {
  /** True: taken, and to be given back. False: `retry` is called once, later. */
  take(retry: () => void): boolean;
  give(): void;
}

export function slots(max: number): Slots {
  const waiting = new Set<() => void>();
  let used = 0;
  return {
    take: (retry) => {
      if (used >= max) {
        waiting.add(retry);
        return false;
      }
      used += 1;
      return true;
    },
    give: () => {
      used -= 1;
      const [next] = waiting;
      if (next === undefined) return;
      waiting.delete(next);
      next();
    },
  };
}
