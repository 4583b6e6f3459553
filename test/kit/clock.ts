/** A clock that stands still until it is moved, and starts at `iso`. */
export function standingClock(iso: string): { clock: () => Date; advance(ms: number): void } {
  let now = Date.parse(iso);
  return {
    clock: () => new Date(now),
    advance: (ms) => {
      now += ms;
    },
  };
}

/** Numbers in [0, 1) that are the same in every run. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
