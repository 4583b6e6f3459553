/** A call did not get its turn. */
export const busy = Symbol('busy');

/**
 * Bounds how many calls to one place (a source, an authority) this node has under way, so that one
 * that answers slowly cannot hold every worker while others wait.
 */
export class Lanes {
  readonly #callsMax: number;
  readonly #patienceMs: number;
  readonly #places = new Map<string, { running: number; readonly waiting: Set<() => void> }>();

  /** `patienceMs`: how long a call waits for its turn before it is told that the place is busy. */
  constructor(callsMax: number, patienceMs: number) {
    this.#callsMax = callsMax;
    this.#patienceMs = patienceMs;
  }

  /** Does the work when it is its turn; `busy` when that did not come in time. */
  async through<Result>(place: string, work: () => Promise<Result>): Promise<Result | typeof busy> {
    const lane = this.#places.get(place) ?? { running: 0, waiting: new Set() };
    this.#places.set(place, lane);
    if (lane.running < this.#callsMax) lane.running += 1;
    else if (!(await this.#turn(lane.waiting))) return busy;
    try {
      return await work();
    } finally {
      const [next] = lane.waiting;
      // The turn is handed on, so that nobody slips in between.
      if (next !== undefined) next();
      else if (--lane.running === 0) this.#places.delete(place);
    }
  }

  #turn(waiting: Set<() => void>): Promise<boolean> {
    return new Promise((resolve) => {
      const end = (isOurs: boolean): void => {
        clearTimeout(timer);
        waiting.delete(take);
        resolve(isOurs);
      };
      const take = (): void => end(true);
      const timer = setTimeout(() => end(false), this.#patienceMs);
      waiting.add(take);
    });
  }
}
