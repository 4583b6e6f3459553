/** A clock is slewed by so much at most: a twentieth of a percent. */
const driftMax = 0.0005;

/**
 * Estimates how a clock that is asked over a network differs from a stopwatch. It was read between
 * question and answer, so the difference lies between two bounds, and every exchange may narrow
 * them. All in milliseconds.
 */
export class RemoteClock {
  #least = Number.NEGATIVE_INFINITY;
  #most = Number.POSITIVE_INFINITY;
  #notedAt = 0;

  /** It showed `shown`, when the stopwatch showed between `askedAt` and `answeredAt`. */
  observe(shown: number, askedAt: number, answeredAt: number): void {
    const slewed = driftMax * (answeredAt - askedAt);
    const [least, most] = [shown - answeredAt - slewed, shown - askedAt + slewed];
    const drift = driftMax * (answeredAt - this.#notedAt);
    this.#notedAt = answeredAt;
    this.#least = Math.max(least, this.#least - drift);
    this.#most = Math.min(most, this.#most + drift);
    // It was set: what was known of it tells nothing.
    if (this.#least > this.#most) [this.#least, this.#most] = [least, most];
  }

  /** The stopwatch's reading when it surely shows `shown`. */
  reachedAt(shown: number): number {
    return shown - this.#least;
  }

  /** The latest that it can show when the stopwatch shows `at`. */
  latestAt(at: number): number {
    return at + this.#most;
  }
}
