/**
 * The way to one endpoint, while this process owns it: what is due goes out at the endpoint's rate,
 * so many at a time, as long as its breaker lets it.
 */
import { type RateRing, rateRing, rateWindowMs } from '@drawbridge/webhooks/rate-ring.ts';
import { sign } from '@drawbridge/webhooks/signature.ts';
import type { Environment } from '../platform/auth/principal.ts';
import type { Db } from '../platform/db/database.ts';
import type { Clock } from '../platform/ids.ts';
import type { Log } from '../platform/log/log.ts';
import { type OpenSecret, openSecrets, type Seal, secretsAt } from './endpoint-secrets.ts';
import { LaneHealth } from './lane-health.ts';
import { LaneQueue } from './lane-queue.ts';
import { type DueRow, dueDeliveries, type LaneRow, loadLane } from './lane-store.ts';
import type { Recorder } from './recorder.ts';
import type { Exchange, Sender } from './send.ts';
import { judge } from './settlement.ts';
import type { Slots } from './slots.ts';

export interface LaneContext {
  readonly db: Db;
  readonly owner: string;
  readonly sender: Sender;
  readonly recorder: Recorder;
  readonly slots: Slots;
  readonly seal: Seal;
  readonly clock: Clock;
  /** Monotonic milliseconds. */
  readonly stopwatch: () => number;
  /** In [0, 1). */
  readonly random: () => number;
  readonly log: Log;
  readonly disable: (stop: Stop) => Promise<void>;
}

/** An endpoint that takes no more. */
export interface Stop {
  readonly tenantId: string;
  readonly endpointId: string;
  readonly reason: 'gone' | 'failing';
  readonly environment: Environment;
}

export interface LaneStart {
  readonly endpointId: string;
  readonly tenantId: string;
  /** Stopwatch readings: from when on it may send, and until when it owns the endpoint. */
  readonly readyAtMs: number;
  readonly ownedUntilMs: number;
}

interface Place {
  written(): void;
  over(): void;
}

export const laneLimits = {
  underWay: 64,
  /** Sent, and not yet written down. */
  unsaved: 512,
  fetchFresh: 256,
  fetchRetry: 64,
  idleMs: 5_000,
  soonMs: 5_000,
  timerMsMax: 60_000,
  /** After such a pause receivers begin to close connections. */
  coolMs: 2_000,
  /** When every place is taken by requests that wait for a connection. */
  ringPollMs: 50,
  fetchAgainMs: 1_000,
} as const;

const sentHeaders = {
  'content-type': 'application/json',
  'user-agent': 'Drawbridge-Webhooks/1',
};

export class Lane {
  readonly #start: LaneStart;
  readonly #context: LaneContext;
  readonly #queue = new LaneQueue();
  readonly #health: LaneHealth;
  readonly #unsaved = new Set<Promise<void>>();
  #readyAtMs: number;
  #ownedUntilMs: number;
  #settings: LaneRow | undefined;
  #secrets: readonly OpenSecret[] = [];
  #ring: RateRing = rateRing(1);
  #retryAt: Date | null = null;
  #underWay = 0;
  /** How many connections have been opened and answered on lately. */
  #warmConnections = 0;
  #isStopped = false;
  #isFetching = false;
  #isFetchWanted = true;
  #activeAtMs: number;
  #sentAtMs = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(start: LaneStart, context: LaneContext) {
    this.#start = start;
    this.#context = context;
    this.#health = new LaneHealth(start.endpointId, context);
    this.#readyAtMs = start.readyAtMs;
    this.#ownedUntilMs = start.ownedUntilMs;
    this.#activeAtMs = context.stopwatch();
    this.#pump();
  }

  /** Looks for what is due, and at the endpoint's settings. */
  wake(): void {
    this.#isFetchWanted = true;
    this.#activeAtMs = this.#context.stopwatch();
    this.#pump();
  }

  /** The lease was renewed until then. */
  own(untilMs: number): void {
    this.#ownedUntilMs = untilMs;
    this.#isFetchWanted = true; // what a lost notification told is found at the latest now
    this.#pump();
  }

  /** True when nothing is under way or due soon: the lane can be given back. */
  isIdle(): boolean {
    const { clock, stopwatch } = this.#context;
    const isBusy = this.#queue.known > 0 || this.#unsaved.size > 0 || this.#isFetching;
    if (isBusy || this.#health.isDirty) return false;
    if (stopwatch() - this.#activeAtMs < laneLimits.idleMs) return false;
    return (
      this.#retryAt === null || this.#retryAt.getTime() - clock().getTime() > laneLimits.soonMs
    );
  }

  /** Sends no more; resolves when what is under way has been written down. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await Promise.allSettled(this.#unsaved);
    await this.#health.flush();
  }

  #again(inMs: number): void {
    clearTimeout(this.#timer);
    const ms = Math.max(0, Math.min(inMs, laneLimits.timerMsMax));
    if (!this.#isStopped) this.#timer = setTimeout(() => this.#pump(), ms);
  }

  /** Sends what may be sent now; else sees to being called when more may. */
  #pump(): void {
    clearTimeout(this.#timer);
    if (this.#isStopped) return;
    const { clock, slots } = this.#context;
    if (this.#retryAt !== null && this.#retryAt <= clock()) this.#isFetchWanted = true;
    if (this.#isFetchWanted && this.#queue.size < laneLimits.fetchFresh / 2) void this.#fetch();
    while (this.#settings !== undefined && this.#mayHaveMore()) {
      const now = this.#context.stopwatch();
      const gate = now < this.#readyAtMs ? 'wait' : this.#health.gate();
      const row = now < this.#readyAtMs ? undefined : this.#queue.peek(gate === 'wait');
      if (row === undefined) {
        this.#again(this.#pauseMs(now));
        return;
      }
      const waitMs = this.#ring.take(now);
      if (waitMs > 0) {
        this.#again(Math.min(waitMs, laneLimits.ringPollMs));
        return;
      }
      if (!slots.take(() => this.#pump())) {
        this.#ring.unsent();
        return;
      }
      if (gate === 'probe' && !row.is_test) this.#health.probing();
      this.#dispatch(row, this.#settings.url, now);
    }
  }

  #mayHaveMore(): boolean {
    // Owned no longer, as far as this process knows: another may be sending.
    const isOwned = this.#context.stopwatch() < this.#ownedUntilMs;
    const hasRoom = this.#unsaved.size < laneLimits.unsaved;
    return isOwned && hasRoom && this.#underWay < laneLimits.underWay;
  }

  /** How long nothing can happen unless something comes in. */
  #pauseMs(now: number): number {
    const wallMs = this.#context.clock().getTime();
    const never = Number.POSITIVE_INFINITY;
    const readyMs = now < this.#readyAtMs ? this.#readyAtMs - now : never;
    const gateMs = this.#queue.size > 0 ? this.#health.openUntilMs() - wallMs : never;
    const retryMs = this.#retryAt === null ? never : this.#retryAt.getTime() - wallMs;
    return Math.max(1, Math.min(readyMs, gateMs, retryMs));
  }

  #dispatch(row: DueRow, url: string, now: number): void {
    this.#queue.start(row);
    this.#underWay += 1;
    if (now - this.#sentAtMs > laneLimits.coolMs) this.#warmConnections = 0;
    this.#sentAtMs = now;
    this.#activeAtMs = now;
    const at = this.#context.clock();
    const attempt: Promise<void> = this.#send(row, url, at, this.#place())
      .then((exchange) => this.#settle(row, at, exchange))
      .catch((err: unknown) => this.#context.log.error({ err }, 'a webhook could not be signed'))
      .finally(() => this.#unsaved.delete(attempt));
    this.#unsaved.add(attempt);
  }

  /**
   * The request's place in the rate. Its second begins when it is written; but on a connection that
   * has to be opened first, when it is answered, because until it is accepted there it may wait.
   */
  #place(): Place {
    const ring = this.#ring;
    const connections = this.#underWay;
    const isCold = connections > this.#warmConnections;
    const sent = () => ring.sent(this.#context.stopwatch());
    let isWritten = false;
    return {
      written: () => {
        isWritten = true;
        if (!isCold) sent();
      },
      over: () => {
        if (!isWritten) ring.unsent();
        else if (isCold) sent();
        if (isWritten) this.#warmConnections = Math.max(this.#warmConnections, connections);
      },
    };
  }

  async #send(row: DueRow, url: string, at: Date, place: Place): Promise<Exchange> {
    try {
      const { body, headers } = sign({
        eventId: row.event_id,
        payload: row.payload,
        signedAt: at,
        secrets: secretsAt(this.#secrets, at),
      });
      return await this.#context.sender.send({
        url,
        environment: row.environment,
        headers: { ...headers, ...sentHeaders },
        body,
        onWritten: place.written,
      });
    } finally {
      place.over();
      this.#underWay -= 1;
      this.#context.slots.give();
    }
  }

  async #settle(row: DueRow, at: Date, exchange: Exchange): Promise<void> {
    const { endpointId } = this.#start;
    const { clock, stopwatch, random, recorder } = this.#context;
    const { breaker, failingSince } = this.#health;
    const now = clock();
    const verdict = judge({
      endpointId,
      row,
      at,
      now,
      exchange,
      breaker,
      failingSince,
      random,
    });
    const { attempt, pauseMs, stop } = verdict;
    this.#health.set(verdict);
    if (pauseMs > 0) this.#readyAtMs = Math.max(this.#readyAtMs, stopwatch() + pauseMs);
    const { next_at } = attempt;
    if (next_at && (this.#retryAt === null || next_at < this.#retryAt)) this.#retryAt = next_at;
    this.#queue.finish(row, next_at !== null);
    const written = recorder.add(attempt);
    if (stop !== undefined) await this.#disable(stop, row.environment);
    this.#pump();
    await written;
    this.#queue.saved(row);
    this.#pump();
  }

  async #disable(reason: Stop['reason'], environment: Environment): Promise<void> {
    const { endpointId, tenantId } = this.#start;
    const { disable, log } = this.#context;
    this.#queue.clear(true);
    if (this.#settings?.state === 'disabled') return;
    await disable({ tenantId, endpointId, reason, environment }).catch((err: unknown) =>
      log.warn({ err, endpointId }, 'the endpoint is not disabled yet'),
    );
    this.#isFetchWanted = true;
  }

  async #fetch(): Promise<void> {
    if (this.#isFetching) return;
    this.#isFetching = true;
    this.#isFetchWanted = false;
    try {
      await this.#fetchDue();
    } catch (err) {
      const { log } = this.#context;
      log.warn({ err, endpointId: this.#start.endpointId }, 'deliveries could not be read');
      setTimeout(() => this.wake(), laneLimits.fetchAgainMs).unref();
    } finally {
      this.#isFetching = false;
    }
    this.#pump();
  }

  async #fetchDue(): Promise<void> {
    const { db, owner } = this.#context;
    const { endpointId } = this.#start;
    const queue = this.#queue;
    queue.beginFetch();
    const max = {
      fresh: laneLimits.fetchFresh + queue.known,
      retry: laneLimits.fetchRetry + queue.known,
    };
    const [loaded, due] = await db.system((tx) =>
      Promise.all([loadLane(tx, owner, endpointId), dueDeliveries(tx, owner, endpointId, max)]),
    );
    if (loaded === undefined) {
      this.#ownedUntilMs = 0; // another's, or deleted
      queue.clear(false);
      return;
    }
    this.#apply(loaded);
    const isMore = queue.offer(due) > 0 && due.length >= laneLimits.fetchRetry;
    if (isMore) this.#isFetchWanted = true;
  }

  #apply(loaded: LaneRow): void {
    const { stopwatch, seal } = this.#context;
    const known = this.#settings;
    if (known?.rate !== loaded.rate) {
      // A new ring knows nothing of the last second.
      if (known) this.#readyAtMs = Math.max(this.#readyAtMs, stopwatch() + rateWindowMs);
      this.#ring = rateRing(loaded.rate);
    }
    const isEnabledAgain = known?.state === 'disabled' && loaded.state !== 'disabled';
    if (known === undefined || isEnabledAgain) this.#health.load(loaded);
    if (loaded.state === 'disabled') this.#queue.clear(true);
    this.#secrets = openSecrets(loaded.secrets, this.#start.endpointId, seal);
    this.#retryAt = loaded.state === 'disabled' ? null : loaded.next_retry_at;
    this.#settings = loaded;
  }
}
