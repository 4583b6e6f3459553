/**
 * Signed delivery of webhooks for both services. Each process that delivers owns some endpoints,
 * one lane each, by a lease that it renews; a lane is given back when it has nothing to do.
 * const delivery = await startDelivery({ db, seal, clock, stopwatch, random, log, allowLoopback });
 * …   await delivery.stop(10_000);  On the wire an event may come twice (a process died between
 * sending and writing it down), always with the same webhook-id.
 */
import { disabledEvent, type WebhookPayload } from '@drawbridge/webhooks/events.ts';
import type { Db } from '../platform/db/database.ts';
import { type Clock, newId, newUuid, type RandomBytes } from '../platform/ids.ts';
import type { Log } from '../platform/log/log.ts';
import { loopbackToo, publicOnly, type Resolve } from '../platform/net/address.ts';
import type { Seal } from './endpoint-secrets.ts';
import { disableEndpoint } from './endpoint-store.ts';
import { Lane, type LaneContext, type Stop } from './lane.ts';
import {
  type ClaimedLane,
  claimLanes,
  pruneDeliveries,
  releaseLanes,
  renewLanes,
} from './lane-store.ts';
import { openRecorder } from './recorder.ts';
import { openSender, type sendLimits } from './send.ts';
import { slots } from './slots.ts';
import { addEvents, dueChannel } from './store.ts';

export interface DeliveryOptions {
  readonly db: Db;
  readonly seal: Seal;
  readonly clock: Clock;
  /** Monotonic milliseconds. */
  readonly stopwatch: () => number;
  readonly random: RandomBytes;
  readonly log: Log;
  /** The setting `webhookAllowPrivate`: sandbox events may go to http and to this machine. */
  readonly allowLoopback: boolean;
  readonly resolve?: Resolve;
  readonly limits?: Partial<typeof deliveryLimits>;
  readonly sendLimits?: Partial<typeof sendLimits>;
}

export interface Delivery {
  /**
   * Sends no more, lets requests under way end for that long, writes down, gives its lanes back.
   */
  stop(graceMs: number): Promise<void>;
}

export const deliveryLimits = {
  lanes: 1_000,
  underWay: 1_024,
  leaseMs: 15_000,
  renewMs: 4_000,
  /** How much earlier than the database this process takes its lease for over. */
  leaseMarginMs: 1_000,
  sweepMs: 1_000,
  /** How long a stop waits for what was sent to be written down. */
  writeGraceMs: 2_000,
  /** Notifications of so long are answered by one claim. */
  gatherMs: 5,
  retentionMs: 90 * 24 * 60 * 60 * 1_000,
  pruneMs: 60 * 60 * 1_000,
  pruneDeliveries: 1_000,
  pruneRounds: 100,
};

/** Begins to deliver in this process. */
export async function startDelivery(options: DeliveryOptions): Promise<Delivery> {
  const lanes = new Lanes(options);
  const listening = await options.db.listen(dueChannel, (endpointId) => lanes.hear(endpointId));
  return {
    stop: async (graceMs) => {
      await listening.stop();
      await lanes.stop(graceMs);
    },
  };
}

/** The lanes this process owns. */
class Lanes {
  readonly #options: DeliveryOptions;
  readonly #limits: typeof deliveryLimits;
  readonly #owner: string;
  readonly #context: LaneContext;
  readonly #lanes = new Map<string, Lane>();
  readonly #named = new Set<string>();
  readonly #timers: readonly NodeJS.Timeout[];
  #claiming: Promise<void> = Promise.resolve();
  #isSweepWaiting = false;
  #gathering: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(options: DeliveryOptions) {
    this.#options = options;
    this.#limits = { ...deliveryLimits, ...options.limits };
    this.#owner = newUuid(options.clock, options.random);
    this.#context = contextOf(options, this.#owner, this.#limits.underWay);
    const { sweepMs, renewMs, pruneMs } = this.#limits;
    this.#timers = [
      setInterval(() => this.#sweep(), sweepMs),
      setInterval(() => this.#try(this.#renew(), 'lanes could not be renewed'), renewMs),
      setInterval(() => this.#try(this.#prune(), 'old deliveries could not be removed'), pruneMs),
    ];
  }

  /** An endpoint has work or was changed; empty: any may have, for notifications were lost. */
  hear(endpointId: string): void {
    const lane = this.#lanes.get(endpointId);
    if (lane) lane.wake();
    else if (endpointId === '') this.#sweep();
    else {
      this.#named.add(endpointId);
      this.#gathering ??= setTimeout(() => {
        this.#gathering = undefined;
        this.#claim([...this.#named]);
        this.#named.clear();
      }, this.#limits.gatherMs);
    }
  }

  async stop(graceMs: number): Promise<void> {
    this.#isStopped = true;
    for (const timer of this.#timers) clearInterval(timer);
    clearTimeout(this.#gathering);
    await this.#claiming;
    const given = this.#close([...this.#lanes.keys()]).catch((err: unknown) =>
      this.#options.log.warn({ err }, 'webhook lanes wait for the end of their lease'),
    );
    await endOf(given, graceMs);
    await this.#context.sender.close();
    await endOf(given, this.#limits.writeGraceMs); // the database may be gone
  }

  #sweep(): void {
    if (this.#isSweepWaiting) return;
    this.#isSweepWaiting = true;
    this.#claim(null);
  }

  #claim(endpoints: readonly string[] | null): void {
    this.#claiming = this.#claiming
      .then(() => {
        if (endpoints === null) this.#isSweepWaiting = false;
        return this.#take(endpoints);
      })
      .catch((err: unknown) => this.#options.log.warn({ err }, 'lanes could not be claimed'));
  }

  async #take(endpoints: readonly string[] | null): Promise<void> {
    const max = this.#limits.lanes - this.#lanes.size;
    if (this.#isStopped || max <= 0) return;
    const { db, stopwatch } = this.#options;
    const { leaseMs } = this.#limits;
    const askedAtMs = stopwatch();
    const claimed = await db.system((tx) =>
      claimLanes(tx, this.#owner, { endpoints, leaseMs, max }),
    );
    for (const lane of claimed) this.#open(lane, askedAtMs);
  }

  #open({ endpoint_id, tenant_id, wait_ms }: ClaimedLane, askedAtMs: number): void {
    const start = {
      endpointId: endpoint_id,
      tenantId: tenant_id,
      readyAtMs: wait_ms === 0 ? 0 : this.#options.stopwatch() + wait_ms,
      ownedUntilMs: this.#leaseEnd(askedAtMs),
    };
    void this.#lanes.get(endpoint_id)?.stop(); // its lease had ended unnoticed
    this.#lanes.set(endpoint_id, new Lane(start, this.#context));
  }

  async #renew(): Promise<void> {
    const { db, stopwatch } = this.#options;
    await this.#close([...this.#lanes].filter(([, lane]) => lane.isIdle()).map(([id]) => id));
    const held = [...this.#lanes];
    if (held.length === 0) return;
    const askedAtMs = stopwatch();
    const renewed = await db.system((tx) => renewLanes(tx, this.#owner, this.#limits.leaseMs));
    const kept = new Set(renewed);
    for (const [id, lane] of held) {
      if (kept.has(id)) lane.own(this.#leaseEnd(askedAtMs));
      else if (this.#lanes.get(id) === lane) {
        this.#lanes.delete(id);
        void lane.stop();
      }
    }
  }

  async #close(endpoints: readonly string[]): Promise<void> {
    if (endpoints.length === 0) return;
    await Promise.all(endpoints.map((id) => this.#lanes.get(id)?.stop()));
    for (const id of endpoints) this.#lanes.delete(id);
    await this.#options.db.system((tx) => releaseLanes(tx, this.#owner, endpoints));
    // What was told to a lane that was closing is found now.
    if (!this.#isStopped) this.#claim(endpoints);
  }

  async #prune(): Promise<void> {
    const { db, clock } = this.#options;
    const before = new Date(clock().getTime() - this.#limits.retentionMs);
    const max = this.#limits.pruneDeliveries;
    for (let round = 0; round < this.#limits.pruneRounds && !this.#isStopped; round += 1) {
      if ((await db.system((tx) => pruneDeliveries(tx, before, max))) < max) return;
    }
  }

  #leaseEnd(askedAtMs: number): number {
    return askedAtMs + this.#limits.leaseMs - this.#limits.leaseMarginMs;
  }

  #try(work: Promise<void>, failure: string): void {
    work.catch((err: unknown) => this.#options.log.warn({ err }, failure));
  }
}

/** Resolves when the work does, or when that much time has passed. */
async function endOf(work: Promise<void>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const passed = new Promise<void>((done) => {
    timer = setTimeout(done, ms);
  });
  await Promise.race([work, passed]);
  clearTimeout(timer);
}

function contextOf(options: DeliveryOptions, owner: string, underWay: number): LaneContext {
  const { db, clock, random, log, stopwatch, seal } = options;
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
    recorder: openRecorder({ db, owner, log }),
    slots: slots(underWay),
    seal,
    clock,
    stopwatch,
    random: () => new DataView(Uint8Array.from(random(4)).buffer).getUint32(0) / 2 ** 32,
    log,
    disable: (stop) => disable(stop, options),
  };
}

/** Stops the endpoint, and tells the tenant's others. */
async function disable(stop: Stop, { db, clock, random }: DeliveryOptions): Promise<void> {
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
