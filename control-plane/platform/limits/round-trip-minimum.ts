/** Round trips that are compared with each other. */
const windowSize = 64;

/** The shortest of the latest round trips: of the last 64 at least, of the last 128 at most. */
export class RoundTripMinimum {
  #before = 0;
  #current = Number.POSITIVE_INFINITY;
  #count = 0;

  observe(tookMs: number): void {
    this.#current = Math.min(this.#current, tookMs);
    this.#count += 1;
    if (this.#count < windowSize) return;
    this.#before = this.#current;
    this.#current = Number.POSITIVE_INFINITY;
    this.#count = 0;
  }

  /** 0 until enough are known to tell. */
  get shortestMs(): number {
    return Math.min(this.#before, this.#current);
  }
}
