/** So many are looked at together. */
const lotSize = 64;

/** The shortest of the latest round trips: of the last 64 at least, of the last 128 at most. */
export class RoundTrips {
  #before = 0;
  #current = Number.POSITIVE_INFINITY;
  #count = 0;

  note(tookMs: number): void {
    this.#current = Math.min(this.#current, tookMs);
    this.#count += 1;
    if (this.#count < lotSize) return;
    this.#before = this.#current;
    this.#current = Number.POSITIVE_INFINITY;
    this.#count = 0;
  }

  /** 0 until enough are known to tell. */
  get shortestMs(): number {
    return Math.min(this.#before, this.#current);
  }
}
