/**
 * Signed delivery of webhooks for both services. Each process owns the queues of some endpoints, by
 * a lease that it renews, and releases a queue that has nothing to do. A receiver may get an event
 * twice (the process died between sending and saving), always with the same `webhook-id`.
 *
 *     const delivery = await startDelivery({ db, seal, clock, stopwatch, random, log, allowLoopback
 * });
 *     // …
 *     await delivery.stop(10_000);
 */

import { KeyedQueue } from '@drawbridge/concurrency/keyed-queue.ts';
import { Semaphore } from '@drawbridge/concurrency/semaphore.ts';
import { disabledEvent, type WebhookPayload } from '@drawbridge/webhooks/events.ts';
import { Batcher } from '../platform/concurrency/batcher.ts';
import { endedWithin } from '../platform/concurrency/ended-within.ts';
import type { Db } from '../platform/db/database.ts';
import { type Clock, instantOf, newId, newUuid, type RandomBytes } from '../platform/ids.ts';
import type { Log } from '../platform/log/log.ts';
import type { Metrics } from '../platform/metrics/metrics.ts';
import { loopbackToo, publicOnly, type Resolve } from '../platform/outbound/address.ts';
import type { Tracing } from '../platform/tracing/span.ts';
import type { AttemptDecision } from './attempt-decision.ts';
import { openAttemptRecorder } from './attempt-recorder.ts';
import { EndpointQueue, type EndpointQueueContext, type EndpointStop } from './endpoint-queue.ts';
import {
  type ClaimedEndpointQueue,
  claimEndpointQueues,
  releaseEndpointQueues,
  renewEndpointQueues,
} from './endpoint-queue-store.ts';
import type { Seal } from './endpoint-secrets.ts';
import { disableEndpoint } from './endpoint-store.ts';
import { openSender, type sendLimits } from './send.ts';
import { addEvents, dueChannel } from './store.ts';

export interface DeliveryOptions {
  readonly db: Db;
  readonly seal: Seal;
  readonly clock: Clock;
  /** Monotonic milliseconds. */
  readonly stopwatch: () => number;
  readonly random: RandomBytes;
  readonly log: Log;
  readonly metrics: Metrics;
  /** How long a delivery may keep back others of its subject while its endpoint answers. */
  readonly keepBackMs: number;
  /** The setting `webhookAllowPrivate`: sandbox events may go to http and to this machine. */
  readonly allowLoopback: boolean;
  /** Tenants to whose endpoints nothing is sent now; their events wait. */
  readonly isSuspended?: (tenantId: string) => boolean;
  /** Records attempts. */
  readonly tracing?: Tracing | undefined;
  readonly resolve?: Resolve;
  readonly limits?: Partial<typeof deliveryLimits>;
  readonly sendLimits?: Partial<typeof sendLimits>;
}

export interface Delivery {
  /**
   * Stops sending, waits up to `graceMs` milliseconds for requests under way, saves their outcomes
   * and releases its queues.
   */
  stop(graceMs: number): Promise<void>;
}

const deliveryLimits = {
  queues: 1_000,
  underWay: 1_024,
  leaseMs: 15_000,
  renewMs: 4_000,
  /** How much earlier than the database this process regards its lease as expired. */
  leaseMarginMs: 1_000,
  sweepMs: 1_000,
  /** How long a stop waits for attempts to be saved. */
  writeGraceMs: 2_000,
  /** Notifications within this time cause one claim. */
  gatherMs: 5,
};

/** Begins to deliver in this process. */
export async function startDelivery(options: DeliveryOptions): Promise<Delivery> {
  const queues = new EndpointQueues(options);
  const listening = await options.db.listen(dueChannel, (endpointId) =>
    queues.onNotification(endpointId),
  );
  return {
    stop: async (graceMs) => {
      await listening.stop();
      await queues.stop(graceMs);
    },
  };
}

/** The queues this process owns. */
class EndpointQueues {
  readonly #options: DeliveryOptions;
  readonly #limits: typeof deliveryLimits;
  readonly #owner: string;
  readonly #context: EndpointQueueContext;
  readonly #queues = new Map<string, EndpointQueue>();
  /** Endpoints that a notification named. */
  readonly #notified: Batcher<string, undefined>;
  readonly #claims = new KeyedQueue();
  readonly #timers: readonly NodeJS.Timeout[];
  #isSweepWaiting = false;
  #isStopped = false;

  constructor(options: DeliveryOptions) {
    this.#options = options;
    this.#limits = { ...deliveryLimits, ...options.limits };
    this.#owner = newUuid(options.clock, options.random);
    this.#context = contextOf(options, this.#owner, this.#limits.underWay);
    const { sweepMs, renewMs, gatherMs, queues: batchMax } = this.#limits;
    this.#notified = new Batcher({
      batchMax,
      gatherMs,
      write: async (endpoints) => {
        await this.#claim([...new Set(endpoints)]);
        return endpoints.map(() => undefined);
      },
    });
    this.#timers = [
      setInterval(() => this.#sweep(), sweepMs),
      setInterval(() => this.#try(this.#renew(), 'endpoint queues could not be renewed'), renewMs),
    ];
  }

  /**
   * The endpoint has work or was changed; '' means any endpoint, because notifications were lost.
   */
  onNotification(endpointId: string): void {
    const queue = this.#queues.get(endpointId);
    if (queue) queue.wake();
    else if (endpointId === '') this.#sweep();
    else void this.#notified.add('', endpointId);
  }

  async stop(graceMs: number): Promise<void> {
    this.#isStopped = true;
    for (const timer of this.#timers) clearInterval(timer);
    await this.#notified.drain();
    await this.#claims.drain();
    const given = this.#close([...this.#queues.keys()]).catch((err: unknown) =>
      this.#options.log.warn({ err }, 'endpoint queues wait for the end of their lease'),
    );
    await endedWithin(graceMs, given);
    await this.#context.sender.close();
    await endedWithin(this.#limits.writeGraceMs, given); // the database may be gone
  }

  #sweep(): void {
    if (this.#isSweepWaiting) return;
    this.#isSweepWaiting = true;
    void this.#claim(null);
  }

  /** Claims run one after another; a failed one is logged, and the next sweep claims again. */
  #claim(endpoints: readonly string[] | null): Promise<void> {
    return this.#claims
      .run('', () => {
        if (endpoints === null) this.#isSweepWaiting = false;
        return this.#claimNow(endpoints);
      })
      .catch((err: unknown) =>
        this.#options.log.warn({ err }, 'endpoint queues could not be claimed'),
      );
  }

  async #claimNow(endpoints: readonly string[] | null): Promise<void> {
    const max = this.#limits.queues - this.#queues.size;
    if (this.#isStopped || max <= 0) return;
    const { db, clock, stopwatch } = this.#options;
    const { leaseMs } = this.#limits;
    const askedAtMs = stopwatch();
    const claimed = await db.system((tx) =>
      claimEndpointQueues(tx, this.#owner, { endpoints, at: clock(), leaseMs, max }),
    );
    for (const queue of claimed) this.#open(queue, askedAtMs);
  }

  #open({ endpoint_id, tenant_id, wait_ms }: ClaimedEndpointQueue, askedAtMs: number): void {
    const start = {
      endpointId: endpoint_id,
      tenantId: tenant_id,
      readyAtMs: wait_ms === 0 ? 0 : this.#options.stopwatch() + wait_ms,
      ownedUntilMs: this.#leaseEnd(askedAtMs),
    };
    void this.#queues.get(endpoint_id)?.stop(); // its lease had ended unnoticed
    this.#queues.set(endpoint_id, new EndpointQueue(start, this.#context));
  }

  async #renew(): Promise<void> {
    const { db, stopwatch } = this.#options;
    await this.#close([...this.#queues].filter(([, queue]) => queue.isIdle()).map(([id]) => id));
    const held = [...this.#queues];
    if (held.length === 0) return;
    const askedAtMs = stopwatch();
    const renewed = await db.system((tx) =>
      renewEndpointQueues(tx, this.#owner, this.#limits.leaseMs),
    );
    const kept = new Set(renewed);
    for (const [id, queue] of held) {
      if (kept.has(id)) queue.extendLease(this.#leaseEnd(askedAtMs));
      else if (this.#queues.get(id) === queue) {
        this.#queues.delete(id);
        void queue.stop();
      }
    }
  }

  async #close(endpoints: readonly string[]): Promise<void> {
    if (endpoints.length === 0) return;
    await Promise.all(endpoints.map((id) => this.#queues.get(id)?.stop()));
    for (const id of endpoints) this.#queues.delete(id);
    await this.#options.db.system((tx) => releaseEndpointQueues(tx, this.#owner, endpoints));
    // A notification may have reached the queue while it closed, so claim again.
    if (!this.#isStopped) void this.#claim(endpoints);
  }

  #leaseEnd(askedAtMs: number): number {
    return askedAtMs + this.#limits.leaseMs - this.#limits.leaseMarginMs;
  }

  #try(work: Promise<void>, failure: string): void {
    work.catch((err: unknown) => this.#options.log.warn({ err }, failure));
  }
}

function contextOf(
  options: DeliveryOptions,
  owner: string,
  underWay: number,
): EndpointQueueContext {
  const { db, clock, random, log, metrics, stopwatch, seal, keepBackMs } = options;
  const { isSuspended = () => false } = options;
  const sandbox = options.allowLoopback ? loopbackToo : publicOnly;
  const sender = openSender({
    policies: { live: publicOnly, sandbox },
    stopwatch,
    ...(options.resolve ? { resolve: options.resolve } : {}),
    ...(options.sendLimits ? { limits: options.sendLimits } : {}),
  });
  return {
    db,
    owner,
    sender,
    recorder: openAttemptRecorder({ db, owner, log }),
    permits: new Semaphore(underWay),
    seal,
    clock,
    stopwatch,
    random: () => new DataView(Uint8Array.from(random(4)).buffer).getUint32(0) / 2 ** 32,
    log,
    keepBackMs,
    onAttempt: (decision) => countAttempt(decision, clock(), metrics),
    disable: (stop) => disable(stop, options),
    isSuspended,
    tracing: options.tracing,
  };
}

function countAttempt(
  { attempt, isSetAsideNow }: AttemptDecision,
  now: Date,
  metrics: Metrics,
): void {
  const { state, ms, event_id } = attempt;
  const outcome = state === 'pending' ? 'retry' : state;
  metrics.webhookAttemptSeconds.observe({ outcome }, ms / 1_000);
  if (isSetAsideNow) metrics.webhooksSetAside.inc();
  if (state !== 'delivered') return;
  const sinceMs = now.getTime() - instantOf(event_id).getTime();
  metrics.webhookDeliverySeconds.observe(Math.max(0, sinceMs) / 1_000);
}

/** Disables the endpoint, and sends an event about it to the tenant's other endpoints. */
async function disable(stop: EndpointStop, { db, clock, random }: DeliveryOptions): Promise<void> {
  const { tenantId, endpointId, reason, environment } = stop;
  await db.tenant(tenantId, async (tx) => {
    const endpoint = await disableEndpoint(tx, tenantId, endpointId, reason);
    if (endpoint === undefined) return;
    const now = clock();
    const payload: WebhookPayload = {
      event: disabledEvent,
      id: endpointId,
      timestamp: now.toISOString(),
      data: { reason, url: endpoint.url },
    };
    await addEvents(tx, tenantId, [
      {
        id: newId('evt', clock, random),
        environment,
        service: endpoint.service,
        type: disabledEvent,
        subject_id: endpointId,
        payload: JSON.stringify(payload),
        created_at: now,
      },
    ]);
  });
}
