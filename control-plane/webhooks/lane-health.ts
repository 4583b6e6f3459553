/**
 * How an endpoint fares: its breaker, and since when it fails. Kept in memory, written down at most
 * once a second.
 */
import { type Breaker, closedBreaker, gateOf, probing } from '@drawbridge/webhooks/breaker.ts';
import type { Db } from '../platform/db/database.ts';
import type { Clock } from '../platform/ids.ts';
import type { Log } from '../platform/log/log.ts';
import { type LaneRow, setHealth } from './lane-store.ts';

export interface HealthContext {
  readonly db: Db;
  readonly owner: string;
  readonly clock: Clock;
  readonly log: Log;
}

const writeEveryMs = 1_000;

export class LaneHealth {
  readonly #endpointId: string;
  readonly #context: HealthContext;
  #breaker: Breaker = closedBreaker;
  #failingSince: Date | null = null;
  #isDirty = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(endpointId: string, context: HealthContext) {
    this.#endpointId = endpointId;
    this.#context = context;
  }

  get breaker(): Breaker {
    return this.#breaker;
  }

  get failingSince(): Date | null {
    return this.#failingSince;
  }

  get isDirty(): boolean {
    return this.#isDirty;
  }

  gate(): 'flow' | 'probe' | 'wait' {
    return gateOf(this.#breaker, this.#context.clock().getTime()).kind;
  }

  /**
   * When an open breaker lets a probe pass, in milliseconds since the epoch; infinite when none is
   * to come.
   */
  openUntilMs(): number {
    const gate = gateOf(this.#breaker, this.#context.clock().getTime());
    return (gate.kind === 'wait' ? gate.untilMs : undefined) ?? Number.POSITIVE_INFINITY;
  }

  probing(): void {
    this.#breaker = probing(this.#breaker);
  }

  load({ breaker, failing_since }: LaneRow): void {
    // A probe that a former owner had under way is lost.
    this.#breaker = breaker.state === 'closed' ? breaker : { ...breaker, state: 'open' };
    this.#failingSince = failing_since;
  }

  set({ breaker, failingSince }: { breaker: Breaker; failingSince: Date | null }): void {
    const isSame =
      breaker.state === this.#breaker.state &&
      failingSince?.getTime() === this.#failingSince?.getTime();
    this.#breaker = breaker;
    this.#failingSince = failingSince;
    if (isSame) return;
    this.#isDirty = true;
    // It is one row, and every result would touch it.
    this.#timer ??= setTimeout(() => void this.flush(), writeEveryMs);
  }

  /** Writes what has changed. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (!this.#isDirty) return;
    this.#isDirty = false;
    const { db, owner, log } = this.#context;
    const health = { breaker: this.#breaker, failingSince: this.#failingSince };
    await db
      .system((tx) => setHealth(tx, owner, this.#endpointId, health))
      .catch((err: unknown) => log.warn({ err }, 'the health of an endpoint is not written down'));
  }
}
