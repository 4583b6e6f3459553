import { fullPace, type Pace, slowDown } from '@drawbridge/messaging/broadcast/pace.ts';
import type { TenantScope } from '../../../platform/auth/tenant-scope.ts';
import type { OpenedApp } from '../../apps/app-opener.ts';
import type { BroadcastContext } from '../context.ts';
import { Pacer } from './pacer.ts';
import { type KeyedLimit, limitsOf, perSecond } from './rates.ts';

/** One batch every twentieth of a second: as even as providers want it, and cheap enough. */
const batchSeconds = 0.05;
const batchMax = 200;
/** Slightly faster than the rate, so that the limit decides and not this interval. */
const cadence = 0.97;
/** A late batch asks for the grants it missed, for at most this long. */
const lateMsMax = 500;
/** How far grants may run ahead of sending. */
const aheadSeconds = 0.2;
const waitMsMin = 2;

/** What the rate is computed from. */
export interface RateConditions {
  readonly opened: OpenedApp;
  readonly tenantRate: number;
  readonly leavesRoom: boolean;
}

/** Messages that the narrower limit grants. */
export interface GrantedBatch {
  readonly kind: 'granted';
  readonly count: number;
  /** The limit that the batch must still pass. */
  readonly second: KeyedLimit;
  /** Spreads the messages over time. */
  readonly pacer: Pacer;
}

export type Granted = GrantedBatch | { readonly kind: 'wait'; readonly waitMs: number };

/**
 * Takes grants for one broadcast at even intervals: slower after a complaint of the network, and
 * never further ahead than the database and the network can follow.
 */
export class Grants {
  readonly #scope: TenantScope;
  readonly #limits: BroadcastContext['limits'];
  readonly #stopwatch: () => number;
  #pace: Pace = fullPace;
  #pacer: Pacer | undefined;
  #nextAt = 0;
  #unclaimed = 0;
  #aheadMax = 1;

  constructor({ limits, stopwatch }: BroadcastContext, scope: TenantScope) {
    this.#limits = limits;
    this.#stopwatch = stopwatch;
    this.#scope = scope;
  }

  /** Milliseconds until more may be taken; 0: now. */
  waitMs(nowMs: number): number {
    // More than a slow database or network takes is not asked for: grants would be lost in a crash.
    const ahead = this.#unclaimed + (this.#pacer?.waitingCount ?? 0);
    if (ahead >= this.#aheadMax) return waitMsMin;
    return Math.max(0, Math.max(this.#pace.restsUntil, this.#nextAt) - nowMs);
  }

  /** Asks the narrower limit for a batch of at most `countMax`. */
  async take(conditions: RateConditions, nowMs: number, countMax: number): Promise<Granted> {
    const { opened, tenantRate, leavesRoom } = conditions;
    const app = { id: opened.row.id, rate: opened.channel.limits(opened.app).app };
    const limits = { scope: this.#scope, app, tenantRate, pace: this.#pace, nowMs, leavesRoom };
    const [first, second] = limitsOf(limits);
    const rate = perSecond(first);
    const lateSeconds = Math.min(nowMs - this.#nextAt, lateMsMax) / 1_000;
    const size = Math.max(1, Math.ceil(rate * Math.max(batchSeconds, lateSeconds)));
    const wanted = Math.min(countMax, batchMax, size);
    const { granted, retryAfterMs } = await this.#limits.take(first.key, first.limit, wanted);
    if (granted === 0) return { kind: 'wait', waitMs: Math.max(retryAfterMs, 1) };
    const spanMs = (granted / rate) * 1_000 * cadence;
    // The next time is computed from the last one, not from now, so that a late batch catches up.
    this.#nextAt = Math.max(this.#nextAt + spanMs, nowMs - lateMsMax);
    this.#aheadMax = Math.max(1, rate * aheadSeconds);
    return { kind: 'granted', count: granted, second, pacer: this.#pacerAt(tenantRate) };
  }

  /** Claims as many of a batch as the second limit grants; until then the batch counts as ahead. */
  async spend<Row>(
    { count, second }: GrantedBatch,
    claim: (count: number) => Promise<readonly Row[]>,
  ): Promise<readonly Row[]> {
    this.#unclaimed += count;
    try {
      const { granted } = await this.#limits.take(second.key, second.limit, count);
      return granted === 0 ? [] : await claim(granted);
    } finally {
      this.#unclaimed -= count;
    }
  }

  /** The network complained, and wants no messages for `afterMs`. */
  slowDown(nowMs: number, afterMs: number): void {
    this.#pace = slowDown(this.#pace, nowMs, afterMs);
  }

  #pacerAt(rate: number): Pacer {
    if (this.#pacer?.perSecond !== rate) this.#pacer = new Pacer(rate, this.#stopwatch);
    return this.#pacer;
  }
}
