/**
 * Grants at most a number in any span of time; 0 grants everything. The simulators do not use the
 * product's limiter: a test proves nothing when both sides share it.
 */
export class Quota {
  count: number;
  readonly #perMs: number;
  /** Instants of the latest grants, as a ring. */
  #grants: number[] = [];
  #next = 0;

  constructor(count: number, perMs: number) {
    this.count = count;
    this.#perMs = perMs;
  }

  /** Milliseconds to wait; 0 when granted. */
  take(now: number): number {
    if (this.count === 0) return 0;
    if (this.#grants.length !== this.count) this.#resize();
    const oldest = this.#grants[this.#next]!;
    const wait = oldest + this.#perMs - now;
    if (wait > 0) return wait;
    this.#grants[this.#next] = now;
    this.#next = (this.#next + 1) % this.count;
    return 0;
  }

  /** Keeps the latest grants when the number has changed. */
  #resize(): void {
    const inOrder = [...this.#grants.slice(this.#next), ...this.#grants.slice(0, this.#next)];
    const none = new Array<number>(this.count).fill(Number.NEGATIVE_INFINITY);
    this.#grants = [...none, ...inOrder].slice(-this.count);
    this.#next = 0;
  }
}

/** One message each `perMs`, with some sent ahead: what a network allows towards one person. */
export class Pairs {
  readonly #perMs: number;
  readonly #burst: number;
  /** When the messages sent ahead are paid back, by person. */
  readonly #due = new Map<string, number>();

  constructor(perMs: number, burst: number) {
    this.#perMs = perMs;
    this.#burst = burst;
  }

  /** Milliseconds to wait; 0 when granted. */
  take(person: string, now: number): number {
    if (this.#perMs === 0) return 0;
    const due = Math.max(this.#due.get(person) ?? now, now) + this.#perMs;
    const wait = due - now - this.#burst * this.#perMs;
    if (wait > 0) return wait;
    this.#due.set(person, due);
    if (this.#due.size > peopleMax) this.#forget(now);
    return 0;
  }

  #forget(now: number): void {
    for (const [person, due] of this.#due) if (due <= now) this.#due.delete(person);
  }
}

/** Beyond this many people, those with nothing to pay back are dropped. */
const peopleMax = 100_000;
