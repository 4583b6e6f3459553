/**
 * The health of an endpoint: its circuit breaker, since when it fails, and when it last recovered.
 * It is kept in memory and saved at most once a second.
 */
import { type Breaker, closedBreaker, gateOf, probing } from '@drawbridge/webhooks/breaker.ts';
import type { Db } from '../platform/db/database.ts';
import type { Clock } from '../platform/ids.ts';
import type { Log } from '../platform/log/log.ts';
import {
  type EndpointHealthState,
  type EndpointQueueRow,
  type OwnedQueue,
  setHealth,
} from './endpoint-queue-store.ts';

export interface HealthContext {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
}

const writeEveryMs = 1_000;

export class EndpointHealth {
  readonly #queue: OwnedQueue;
  readonly #context: HealthContext;
  #breaker: Breaker = closedBreaker;
  #failingSince: Date | null = null;
  #recoveredAt: Date | null = null;
  #isDirty = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(queue: OwnedQueue, context: HealthContext) {
    this.#queue = queue;
    this.#context = context;
  }

  get breaker(): Breaker {
    return this.#breaker;
  }

  get failingSince(): Date | null {
    return this.#failingSince;
  }

  get recoveredAt(): Date | null {
    return this.#recoveredAt;
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

  load({ breaker, failing_since, recovered_at }: EndpointQueueRow): void {
    // A probe of a former owner is lost.
    this.#breaker = breaker.state === 'closed' ? breaker : { ...breaker, state: 'open' };
    this.#failingSince = failing_since;
    this.#recoveredAt = recovered_at;
  }

  set({ breaker, failingSince, recoveredAt }: EndpointHealthState): void {
    const isSame =
      breaker.state === this.#breaker.state &&
      failingSince?.getTime() === this.#failingSince?.getTime() &&
      recoveredAt?.getTime() === this.#recoveredAt?.getTime();
    this.#breaker = breaker;
    this.#failingSince = failingSince;
    this.#recoveredAt = recoveredAt;
    if (isSame) return;
    this.#isDirty = true;
    // It is one row, which every result would update.
    this.#timer ??= setTimeout(() => void this.flush(), writeEveryMs);
  }

  /** Saves the changes. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (!this.#isDirty) return;
    this.#isDirty = false;
    const { db, log } = this.#context;
    const health = {
      breaker: this.#breaker,
      failingSince: this.#failingSince,
      recoveredAt: this.#recoveredAt,
    };
    await db
      .system((tx) => setHealth(tx, this.#queue, health))
      .catch((err: unknown) => log.warn({ err }, 'the health of an endpoint is not saved'));
  }
}
