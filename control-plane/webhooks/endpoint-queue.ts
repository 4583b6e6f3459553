/**
 * The delivery queue of one endpoint, while this process owns it. It sends what is due at the
 * endpoint's rate, a limited number at a time, while its circuit breaker allows it.
 */
import type { Semaphore } from '@drawbridge/concurrency/semaphore.ts';
import { PendingDeliveries } from '@drawbridge/webhooks/pending-deliveries.ts';
import { type RateRing, rateRing, rateWindowMs } from '@drawbridge/webhooks/rate-ring.ts';
import { sign } from '@drawbridge/webhooks/signature.ts';
import type { Environment } from '../platform/auth/principal.ts';
import type { Db } from '../platform/db/database.ts';
import type { Tx } from '../platform/db/tx.ts';
import type { Clock } from '../platform/ids.ts';
import type { Log } from '../platform/log/log.ts';
import { inTrace, type TraceStart } from '../platform/tracing/active-spans.ts';
import type { Tracing } from '../platform/tracing/span.ts';
import { type AttemptDecision, decideAttempt } from './attempt-decision.ts';
import type { AttemptRecorder } from './attempt-recorder.ts';
import { EndpointHealth } from './endpoint-health.ts';
import {
  type DueRow,
  dueDeliveries,
  type EndpointQueueRow,
  freeDeliveries,
  keepBackDeliveries,
  loadEndpointQueue,
  type OwnedQueue,
  wakeDeliveries,
} from './endpoint-queue-store.ts';
import { type OpenSecret, openSecrets, type Seal, secretsAt } from './endpoint-secrets.ts';
import type { Exchange, Sender } from './send.ts';

export interface EndpointQueueContext {
  readonly db: Db;
  readonly owner: string;
  readonly sender: Sender;
  readonly recorder: AttemptRecorder;
  /** Limits the requests under way in the whole process. */
  readonly permits: Semaphore;
  readonly seal: Seal;
  readonly clock: Clock;
  /** Monotonic milliseconds. */
  readonly stopwatch: () => number;
  /** In [0, 1). */
  readonly random: () => number;
  readonly log: Log;
  /** How long a delivery may keep back others of its subject while its endpoint answers. */
  readonly keepBackMs: number;
  /** Told of each attempt. */
  readonly onAttempt: (decision: AttemptDecision) => void;
  readonly disable: (stop: EndpointStop) => Promise<void>;
  /** Nothing is sent for such a tenant. */
  readonly isSuspended: (tenantId: string) => boolean;
  readonly tracing: Tracing | undefined;
}

/** An endpoint that is to be disabled, and why. */
export interface EndpointStop {
  readonly tenantId: string;
  readonly endpointId: string;
  readonly reason: 'gone' | 'failing';
  readonly environment: Environment;
}

export interface EndpointQueueLease {
  readonly endpointId: string;
  readonly tenantId: string;
  /** Stopwatch readings: when this queue may begin to send, and until when it owns the endpoint. */
  readonly readyAtMs: number;
  readonly ownedUntilMs: number;
}

interface RateGrant {
  written(): void;
  over(): void;
}

const endpointQueueLimits = {
  underWay: 64,
  /** The most attempts that are sent and not saved yet. */
  unsaved: 512,
  fetchFresh: 256,
  fetchRetry: 64,
  /** Tests that are looked for beside what waits for an open breaker. */
  fetchTests: 16,
  idleMs: 5_000,
  soonMs: 5_000,
  timerMsMax: 60_000,
  /** After a pause of this length receivers begin to close connections. */
  coolMs: 2_000,
  /** How often to look again while every grant is held by a request that waits for a connection. */
  ringPollMs: 50,
  fetchAgainMs: 1_000,
  /** Deliveries let go with one statement when the endpoint answers again. */
  wake: 512,
  /** What is tried within this time anyway is not let go earlier. */
  wakeSoonMs: 10_000,
  /** How long ago a delivery must have failed for a later one of its subject to let it go at once. */
  firstPauseMs: 60_000,
  /** Attempts of a delivery beyond which later ones of its subject let it go no earlier. */
  firstAttempts: 200,
} as const;

const sentHeaders = {
  'content-type': 'application/json',
  'user-agent': 'Drawbridge-Webhooks/1',
};

export class EndpointQueue {
  readonly #queue: OwnedQueue;
  readonly #context: EndpointQueueContext;
  readonly #pending = new PendingDeliveries<DueRow>();
  readonly #health: EndpointHealth;
  readonly #unsaved = new Set<Promise<void>>();
  #readyAtMs: number;
  #ownedUntilMs: number;
  #settings: EndpointQueueRow | undefined;
  #secrets: readonly OpenSecret[] = [];
  #ring: RateRing = rateRing(1);
  #retryAt: Date | null = null;
  #underWay = 0;
  /** How many connections were opened and got an answer recently. */
  #warmConnections = 0;
  #isStopped = false;
  #isFetching = false;
  #isFetchWanted = true;
  /** A test may have come, which passes an open breaker while all else waits. */
  #isTestWanted = false;
  /** The endpoint has recovered, and not all that failed before has been let go. */
  #isWakeWanted = false;
  #activeAtMs: number;
  #sentAtMs = 0;
  #timer: NodeJS.Timeout | undefined;
  readonly #onFreePermit = () => this.#sendDue();

  constructor(lease: EndpointQueueLease, context: EndpointQueueContext) {
    const { tenantId, endpointId } = lease;
    this.#queue = { tenantId, endpointId, owner: context.owner };
    this.#context = context;
    this.#health = new EndpointHealth(this.#queue, context);
    this.#readyAtMs = lease.readyAtMs;
    this.#ownedUntilMs = lease.ownedUntilMs;
    this.#activeAtMs = context.stopwatch();
    this.#sendDue();
  }

  /** Reads due deliveries and the endpoint's settings again. */
  wake(): void {
    this.#isFetchWanted = true;
    this.#isTestWanted = true;
    this.#activeAtMs = this.#context.stopwatch();
    this.#sendDue();
  }

  /** The lease was renewed until that reading of the stopwatch. */
  extendLease(untilMs: number): void {
    this.#ownedUntilMs = untilMs;
    this.#isFetchWanted = true; // a notification may have been lost
    this.#isTestWanted = true;
    this.#sendDue();
  }

  /** True when nothing is under way or due soon, so that the queue can be released. */
  isIdle(): boolean {
    const { clock, stopwatch } = this.#context;
    const isBusy = this.#pending.known > 0 || this.#unsaved.size > 0 || this.#isFetching;
    if (isBusy || this.#health.isDirty) return false;
    if (stopwatch() - this.#activeAtMs < endpointQueueLimits.idleMs) return false;
    return (
      this.#retryAt === null ||
      this.#retryAt.getTime() - clock().getTime() > endpointQueueLimits.soonMs
    );
  }

  /** Stops sending; resolves when the attempts under way are saved. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await Promise.allSettled(this.#unsaved);
    await this.#health.flush();
  }

  #sendDueIn(inMs: number): void {
    clearTimeout(this.#timer);
    const ms = Math.max(0, Math.min(inMs, endpointQueueLimits.timerMsMax));
    if (!this.#isStopped) this.#timer = setTimeout(() => this.#sendDue(), ms);
  }

  /** Sends what may be sent now, and sets a timer for when more may be sent. */
  #sendDue(): void {
    clearTimeout(this.#timer);
    if (this.#isStopped) return;
    const { clock, permits, isSuspended } = this.#context;
    if (isSuspended(this.#queue.tenantId)) {
      this.#settings = undefined; // read anew once it is resumed: since when it fails is another time then
      return; // looked at again when the lease is renewed
    }
    if (this.#retryAt !== null && this.#retryAt <= clock()) this.#isFetchWanted = true;
    const hasRoom = this.#pending.size < endpointQueueLimits.fetchFresh / 2;
    if (this.#isFetchWanted && hasRoom) void this.#fetch();
    else if (this.#isTestWanted && this.#health.gate() === 'wait') void this.#fetch('tests');
    while (this.#settings !== undefined && this.#hasCapacity()) {
      const now = this.#context.stopwatch();
      const gate = now < this.#readyAtMs ? 'wait' : this.#health.gate();
      const row = now < this.#readyAtMs ? undefined : this.#pending.peek(gate === 'wait');
      if (row === undefined) {
        this.#sendDueIn(this.#pauseMs(now));
        return;
      }
      const waitMs = this.#ring.take(now);
      if (waitMs > 0) {
        this.#sendDueIn(Math.min(waitMs, endpointQueueLimits.ringPollMs));
        return;
      }
      if (!permits.tryAcquire()) {
        permits.whenFree(this.#onFreePermit);
        this.#ring.unsent();
        return;
      }
      if (gate === 'probe' && !row.is_test) this.#health.probing();
      this.#dispatch(row, this.#settings.url, now);
    }
  }

  #hasCapacity(): boolean {
    // By this process's clock the lease is over, so another process may be sending.
    const isOwned = this.#context.stopwatch() < this.#ownedUntilMs;
    const hasRoom = this.#unsaved.size < endpointQueueLimits.unsaved;
    return isOwned && hasRoom && this.#underWay < endpointQueueLimits.underWay;
  }

  /** Milliseconds until something can be sent without a notification. */
  #pauseMs(now: number): number {
    const wallMs = this.#context.clock().getTime();
    const never = Number.POSITIVE_INFINITY;
    const readyMs = now < this.#readyAtMs ? this.#readyAtMs - now : never;
    const gateMs = this.#pending.size > 0 ? this.#health.openUntilMs() - wallMs : never;
    const retryMs = this.#retryAt === null ? never : this.#retryAt.getTime() - wallMs;
    return Math.max(1, Math.min(readyMs, gateMs, retryMs));
  }

  #dispatch(row: DueRow, url: string, now: number): void {
    this.#pending.start(row);
    this.#underWay += 1;
    if (now - this.#sentAtMs > endpointQueueLimits.coolMs) this.#warmConnections = 0;
    this.#sentAtMs = now;
    this.#activeAtMs = now;
    const at = this.#context.clock();
    const { tracing } = this.#context;
    const attempt: Promise<void> = inTrace(
      tracing,
      traceOf(row, this.#queue),
      () => this.#send(row, url, at, this.#grantOf()),
      ({ error }) => ({ errorType: error ?? undefined }),
    )
      .then((exchange) => this.#settle(row, at, exchange))
      .catch((err: unknown) => this.#context.log.error({ err }, 'a webhook could not be signed'))
      .finally(() => this.#unsaved.delete(attempt));
    this.#unsaved.add(attempt);
  }

  /**
   * The request's grant of the rate limiter. It counts from when the request is written; on a
   * connection that must be opened first from when it is answered, because it may wait until then.
   */
  #grantOf(): RateGrant {
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

  async #send(row: DueRow, url: string, at: Date, grant: RateGrant): Promise<Exchange> {
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
        onWritten: grant.written,
      });
    } finally {
      grant.over();
      this.#underWay -= 1;
      this.#context.permits.release();
    }
  }

  async #settle(row: DueRow, at: Date, exchange: Exchange): Promise<void> {
    const { tenantId, endpointId } = this.#queue;
    const { clock, random, recorder, keepBackMs } = this.#context;
    const { breaker, failingSince, recoveredAt } = this.#health;
    const decision = decideAttempt({
      tenantId,
      endpointId,
      row,
      at,
      now: clock(),
      exchange,
      breaker,
      failingSince,
      recoveredAt,
      keepBackMs,
      random,
    });
    this.#apply(row, decision);
    const written = recorder.add(decision.attempt);
    if (decision.stop !== undefined) await this.#disable(decision.stop, row.environment);
    this.#sendDue();
    const isFreed = await written;
    this.#pending.saved(row);
    // What failed before is in the database by now, as attempts are written in their order.
    if (decision.recoveredAt !== recoveredAt) this.#isWakeWanted = true;
    if (isFreed || !row.is_fresh || this.#isWakeWanted) this.#isFetchWanted = true;
    this.#sendDue();
  }

  #apply(row: DueRow, decision: AttemptDecision): void {
    const { stopwatch, log, onAttempt } = this.#context;
    const { attempt, pauseMs, isSetAsideNow } = decision;
    this.#health.set(decision);
    if (pauseMs > 0) this.#readyAtMs = Math.max(this.#readyAtMs, stopwatch() + pauseMs);
    const { next_at } = attempt;
    if (next_at && (this.#retryAt === null || next_at < this.#retryAt)) this.#retryAt = next_at;
    this.#pending.finish(row, attempt.state === 'pending' && !attempt.is_set_aside);
    onAttempt(decision);
    if (!isSetAsideNow) return;
    const { endpointId, tenantId } = this.#queue;
    const { event_id: eventId, subject_id: subjectId } = row;
    const { status, error } = attempt;
    log.warn(
      { tenantId, endpointId, eventId, subjectId, status, error },
      'a webhook keeps failing while its endpoint answers others: it is set aside, and later ' +
        'events of its subject go on; POST …/replay sends it again',
    );
  }

  async #disable(reason: EndpointStop['reason'], environment: Environment): Promise<void> {
    const { endpointId, tenantId } = this.#queue;
    const { disable, log } = this.#context;
    this.#pending.clear(true);
    if (this.#settings?.state === 'disabled') return;
    await disable({ tenantId, endpointId, reason, environment }).catch((err: unknown) =>
      log.warn({ err, endpointId }, 'the endpoint is not disabled yet'),
    );
    this.#isFetchWanted = true;
  }

  async #fetch(what: 'all' | 'tests' = 'all'): Promise<void> {
    if (this.#isFetching) return;
    this.#isFetching = true;
    this.#isTestWanted = false;
    if (what === 'all') this.#isFetchWanted = false;
    try {
      if (what === 'all') await this.#fetchDue();
      else await this.#fetchTests();
    } catch (err) {
      const { log } = this.#context;
      log.warn({ err, endpointId: this.#queue.endpointId }, 'deliveries could not be read');
      setTimeout(() => this.wake(), endpointQueueLimits.fetchAgainMs).unref();
    } finally {
      this.#isFetching = false;
    }
    this.#sendDue();
  }

  async #fetchDue(): Promise<void> {
    const { db, clock } = this.#context;
    const pending = this.#pending;
    const isFirst = this.#settings === undefined;
    if (isFirst) await this.#change((tx) => freeDeliveries(tx, this.#queue));
    else if (this.#isWakeWanted) await this.#wake();
    pending.beginFetch();
    const max = {
      fresh: endpointQueueLimits.fetchFresh + pending.known,
      retry: endpointQueueLimits.fetchRetry + pending.known,
    };
    const [loaded, due] = await db.system((tx) =>
      Promise.all([
        loadEndpointQueue(tx, this.#queue),
        dueDeliveries(tx, this.#queue, clock(), max),
      ]),
    );
    if (loaded === undefined) {
      this.#ownedUntilMs = 0; // another's, or deleted
      pending.clear(false);
      return;
    }
    this.#load(loaded);
    if (isFirst && loaded.recovered_at !== null) {
      this.#isWakeWanted = true; // a former owner may not have come to it
      this.#isFetchWanted = true;
    }
    await this.#keepBack(due.filter((row) => row.is_blocked && !pending.isKnown(row)));
    const added = pending.offer(due.filter((row) => !row.is_blocked));
    if (added > 0 && due.length >= endpointQueueLimits.fetchRetry) this.#isFetchWanted = true;
  }

  /** Reads tests, and of the rest no more than has been read before. */
  async #fetchTests(): Promise<void> {
    const { db, clock } = this.#context;
    const max = { fresh: endpointQueueLimits.fetchTests, retry: 0 };
    this.#pending.beginFetch();
    const due = await db.system((tx) => dueDeliveries(tx, this.#queue, clock(), max));
    this.#pending.offer(due.filter((row) => row.is_test));
  }

  async #keepBack(rows: readonly DueRow[]): Promise<void> {
    if (rows.length === 0) return;
    const { firstPauseMs: pauseMs, firstAttempts: attemptsMax } = endpointQueueLimits;
    const first = { at: this.#context.clock(), pauseMs, attemptsMax };
    await this.#change((tx) => keepBackDeliveries(tx, this.#queue, rows, first));
    this.#isFetchWanted = true; // others can be read in their place
  }

  /** Lets go what failed before the endpoint recovered; a limited number, then the next. */
  async #wake(): Promise<void> {
    const { clock, keepBackMs } = this.#context;
    const { recoveredAt } = this.#health;
    const { wake: max, wakeSoonMs: soonMs } = endpointQueueLimits;
    this.#isWakeWanted = false;
    if (recoveredAt === null) return;
    const wake = { at: clock(), recoveredAt, soonMs, againAfterMs: keepBackMs, max };
    const woken = await this.#change((tx) => wakeDeliveries(tx, this.#queue, wake));
    if (woken < max) return;
    this.#isWakeWanted = true;
    this.#isFetchWanted = true;
  }

  /** Changes deliveries while no attempt is written, so that neither waits for rows of the other. */
  #change<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> {
    const { db, recorder } = this.#context;
    return recorder.between(() => db.system(work));
  }

  #load(loaded: EndpointQueueRow): void {
    const { stopwatch, seal } = this.#context;
    const known = this.#settings;
    if (known?.rate !== loaded.rate) {
      // A new rate ring does not know what was sent in the last second.
      if (known) this.#readyAtMs = Math.max(this.#readyAtMs, stopwatch() + rateWindowMs);
      this.#ring = rateRing(loaded.rate);
    }
    const isEnabledAgain = known?.state === 'disabled' && loaded.state !== 'disabled';
    if (known === undefined || isEnabledAgain) this.#health.load(loaded);
    if (loaded.state === 'disabled') this.#pending.clear(true);
    this.#secrets = openSecrets(loaded.secrets, this.#queue.endpointId, seal);
    this.#retryAt = loaded.state === 'disabled' ? null : loaded.next_retry_at;
    this.#settings = loaded;
  }
}

/** What is recorded of an attempt. */
function traceOf(row: DueRow, { tenantId, endpointId }: OwnedQueue): TraceStart {
  const { subject_id: subject, event_id: eventId, attempt, traceparent } = row;
  return {
    name: 'webhook attempt',
    kind: 'producer',
    attributes: {
      'drawbridge.tenant.id': tenantId,
      'drawbridge.webhook.endpoint.id': endpointId,
      'drawbridge.webhook.event.id': eventId,
      'drawbridge.webhook.attempt': attempt + 1,
      'drawbridge.invoice.id': subject.startsWith('inv_') ? subject : undefined,
    },
    traceparent,
    subject,
  };
}
