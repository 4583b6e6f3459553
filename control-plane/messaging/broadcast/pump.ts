/** Sends a running broadcast as fast as it may: takes grants, claims what is due, sends, again. */
import { setTimeout as delay } from 'node:timers/promises';
import { fullPace, type Pace, slowDown } from '@drawbridge/messaging/broadcast/pace.ts';
import type { Job } from '../../platform/jobs/job.ts';
import type { OpenedApp } from '../apps/desk.ts';
import { findApp } from '../apps/store.ts';
import type { Place } from '../contacts/store.ts';
import type { MessageRow } from '../messages/message-row.ts';
import type { Sent } from '../messages/sender-contract.ts';
import { isWaiting } from '../messages/waiting.ts';
import { reserveMany } from '../tenants/wallet-store.ts';
import { Departures } from './departures.ts';
import type { BroadcastEdge } from './edge.ts';
import { Flight, type Halt } from './flight.ts';
import { claimDue, findProgress } from './message-store.ts';
import { NightWatch } from './night-watch.ts';
import { type Gate, gatesOf, perSecond } from './rates.ts';
import { type BroadcastRow, findAgreedRate } from './store.ts';

/** Why a pump stopped. */
export type PumpEnd =
  | { readonly kind: 'stopped' }
  /** Nothing is left to send. */
  | { readonly kind: 'empty' }
  | { readonly kind: 'later'; readonly at: Date }
  /** Somebody paused, canceled or removed it. */
  | { readonly kind: 'changed' }
  | ({ readonly kind: 'halted' } & Halt);

/** A batch for each twentieth of a second: as even as providers like it, and cheap enough. */
const batchSeconds = 0.05;
const batchMax = 200;
/** A little ahead of the rate, so that the limit decides and not the cadence. */
const cadence = 0.97;
/** As much of a delay is made up for. */
const lateMsMax = 500;
const refreshMs = 2_000;
const waitMsMin = 2;
const waitMsMax = 250;
/** Grants run ahead of the wire by so much at most. */
const aheadSeconds = 0.2;
/** What becomes due sooner is waited for here. */
const soonMs = 1_000;

/** What a pump goes by; looked up anew every now and then. */
interface Conditions {
  readonly opened: OpenedApp | undefined;
  readonly tenantRate: number;
  readonly leavesRoom: boolean;
}

export class Pump {
  readonly #edge: BroadcastEdge;
  readonly #place: Place;
  readonly #job: Job;
  readonly #broadcast: BroadcastRow;
  readonly #flight = new Flight();
  readonly #night: NightWatch;
  #conditions: Conditions | undefined;
  #refreshAt = 0;
  #pace: Pace = fullPace;
  #nextAskAt = 0;
  /** A claim found less than it could take: look before asking for more grants. */
  #isDry = true;
  /** Granted and not claimed yet. */
  #unclaimed = 0;
  #aheadMax = 1;
  #departures: Departures | undefined;
  /** The wallet had not enough for a batch: what is left goes one by one. */
  #isPoor = false;

  constructor(edge: BroadcastEdge, place: Place, job: Job, broadcast: BroadcastRow) {
    this.#edge = edge;
    this.#place = place;
    this.#job = job;
    this.#broadcast = broadcast;
    this.#night = new NightWatch(edge, place, broadcast);
  }

  /** Resolves when nothing of it is under way any more. */
  async run(isStopping: () => boolean): Promise<PumpEnd> {
    let end: PumpEnd | undefined;
    try {
      while (end === undefined && !this.#flight.hasFailed) {
        if (isStopping()) end = { kind: 'stopped' };
        else end = await this.#step();
      }
    } finally {
      // Also after an error: what is under way must not outlive the job that allows it.
      await this.#flight.landed();
    }
    const { halt } = this.#flight;
    return halt === undefined ? end! : { kind: 'halted', ...halt };
  }

  async #step(): Promise<PumpEnd | undefined> {
    if (this.#flight.halt !== undefined) return { kind: 'halted', ...this.#flight.halt };
    const conditions = await this.#refresh();
    if (conditions.opened?.row.state !== 'active') return halted(conditions.opened);
    if (this.#flight.isFull) return void (await this.#flight.oneLanded());
    if (this.#isDry) {
      const verdict = await this.#look();
      if (verdict !== 'due') return verdict;
    }
    const nowMs = this.#nowMs();
    // What a slow database or wire does not take is not asked for: it would be lost in a crash.
    const ahead = this.#unclaimed + (this.#departures?.waiting ?? 0);
    if (ahead >= this.#aheadMax) return void (await delay(waitMsMin));
    const restMs = Math.max(this.#pace.restsUntil, this.#nextAskAt) - nowMs;
    if (restMs > 0) return void (await delay(Math.min(restMs, waitMsMax)));
    await this.#ask(conditions, conditions.opened, nowMs);
    return undefined;
  }

  /** Whether something is due; when nothing is, what that means. */
  async #look(): Promise<'due' | PumpEnd | undefined> {
    const { db } = this.#edge;
    const progress = await db.tenant(this.#place.tenantId, (tx) =>
      findProgress(tx, this.#place, this.#broadcast.id),
    );
    if (progress?.state !== 'running') return { kind: 'changed' };
    const at = progress.due_at ?? undefined;
    const waitMs = (at?.getTime() ?? Infinity) - this.#nowMs();
    this.#isDry = waitMs > 0;
    if (!this.#isDry) return 'due';
    // What is under way may come back to be tried again.
    if (!this.#flight.isEmpty) return void (await this.#flight.oneLanded());
    if (at === undefined) return { kind: 'empty' };
    if (waitMs > soonMs) return { kind: 'later', at };
    return void (await delay(Math.min(waitMs, waitMsMax)));
  }

  /** Asks at the narrower gate; a batch with what is granted goes on by itself. */
  async #ask(conditions: Conditions, opened: OpenedApp, nowMs: number): Promise<void> {
    const rate = opened.channel.limits(opened.app).app;
    const app = { id: opened.row.id, rate };
    const [first, second] = gatesOf(
      ...([this.#place, app, conditions.tenantRate, this.#pace, nowMs] as const),
      conditions.leavesRoom,
    );
    const pace = perSecond(first);
    // Whoever came late asks for what he missed: the gate knows how much that may be.
    const lateSeconds = Math.min(nowMs - this.#nextAskAt, lateMsMax) / 1_000;
    const seconds = Math.max(batchSeconds, lateSeconds);
    const size = Math.min(batchMax, Math.max(1, Math.ceil(pace * seconds)));
    const wanted = this.#isPoor ? 1 : size;
    const { granted, retryAfterMs } = await this.#take(first, wanted);
    if (granted === 0) return void (await delay(Math.min(Math.max(retryAfterMs, 1), waitMsMax)));
    const spanMs = (granted / pace) * 1_000 * cadence;
    // A cadence, not a wait: what came late is made up for.
    this.#nextAskAt = Math.max(this.#nextAskAt + spanMs, nowMs - lateMsMax);
    this.#aheadMax = Math.max(1, pace * aheadSeconds);
    const departures = this.#departuresAt(conditions.tenantRate);
    this.#flight.start(granted, this.#batch(second, granted, departures));
  }

  #departuresAt(perSecond: number): Departures {
    if (this.#departures?.perSecond !== perSecond) {
      this.#departures = new Departures(perSecond, this.#edge.stopwatch);
    }
    return this.#departures;
  }

  async #batch(second: Gate, wanted: number, departures: Departures): Promise<void> {
    this.#unclaimed += wanted;
    const rows = await this.#claimBehind(second, wanted).finally(() => {
      this.#unclaimed -= wanted;
    });
    if (rows.length === 0) return;
    const { app_id } = this.#broadcast;
    const leave = () => departures.next();
    const { sender } = this.#edge;
    this.#heed(await sender.send(this.#place, app_id, this.#job.claimId, rows, leave));
  }

  async #claimBehind(second: Gate, wanted: number): Promise<readonly MessageRow[]> {
    const { granted } = await this.#take(second, wanted);
    if (granted === 0) return [];
    const rows = await this.#claim(granted);
    if (rows.length < granted) this.#isDry = true;
    return rows;
  }

  #take({ key, limit }: Gate, wanted: number) {
    return this.#edge.limits.take(key, limit, wanted);
  }

  /** The intent to send, with the money for it: once this is committed, a crash is seen. */
  async #claim(wanted: number): Promise<readonly MessageRow[]> {
    const { db, jobs, clock } = this.#edge;
    const { tenantId, environment } = this.#place;
    const request = { broadcastId: this.#broadcast.id, claimId: this.#job.claimId, wanted };
    try {
      return await db.tenant(tenantId, async (tx) => {
        const now = clock();
        const rows = await claimDue(tx, this.#place, { ...request, now });
        const shares = rows.flatMap(({ id, price }) =>
          price === null ? [] : [{ reference: id, amount: price }],
        );
        const isPaid =
          shares.length === 0 || (await reserveMany(tx, tenantId, environment, shares, now));
        if (!isPaid) throw new FundsShort();
        // Last, since batches wait for each other from here to the commit.
        await jobs.hold(tx, [this.#job]);
        return rows;
      });
    } catch (error) {
      if (!(error instanceof FundsShort)) throw error;
      if (wanted === 1) this.#flight.halt ??= { reason: 'insufficient_funds', detail: null };
      this.#isPoor = true;
      return [];
    }
  }

  /** What answers say of the network, the template and the app. */
  #heed(sent: readonly Sent[]): void {
    const nowMs = this.#nowMs();
    for (const { outcome } of sent) {
      if (outcome.kind === 'throttled' && outcome.scope === 'channel') {
        this.#pace = slowDown(this.#pace, nowMs, outcome.afterMs);
        this.#isDry = true;
      } else if (outcome.kind === 'retry') {
        this.#isDry = true;
      } else if (outcome.kind === 'refused') {
        const detail = `${outcome.code}: ${outcome.detail}`.slice(0, 500);
        const reason = haltReasons[outcome.action];
        if (reason !== undefined) this.#flight.halt ??= { reason, detail };
      }
    }
  }

  /** The conditions; while they are looked up anew, those of before hold. */
  async #refresh(): Promise<Conditions> {
    const nowMs = this.#nowMs();
    if (nowMs >= this.#refreshAt) {
      this.#refreshAt = nowMs + refreshMs;
      const looked = this.#lookUp();
      if (this.#conditions === undefined) this.#conditions = await looked;
      else
        this.#flight.start(
          0,
          looked.then((found) => void (this.#conditions = found)),
        );
    }
    return this.#conditions!;
  }

  async #lookUp(): Promise<Conditions> {
    const { db, desk, limits, ratePerSecond } = this.#edge;
    const { app_id } = this.#broadcast;
    await this.#night.postpone();
    const leavesRoom = await isWaiting(limits, app_id);
    return db.tenant(this.#place.tenantId, async (tx) => {
      const row = await findApp(tx, this.#place, app_id);
      const agreed = await findAgreedRate(tx, this.#place.tenantId);
      return {
        opened: row === undefined ? undefined : desk.open(this.#place, row),
        tenantRate: agreed ?? ratePerSecond,
        leavesRoom,
      };
    });
  }

  #nowMs(): number {
    return this.#edge.clock().getTime();
  }
}

class FundsShort extends Error {}

/** Refusals that are not about one message. */
const haltReasons: Readonly<Partial<Record<string, string>>> = {
  'stop-broadcast': 'template_refused',
  'stop-channel': 'app_stopped',
};

function halted(opened: OpenedApp | undefined): PumpEnd {
  const detail = opened === undefined ? 'The app was removed.' : opened.row.stopped_reason;
  return { kind: 'halted', reason: opened === undefined ? 'app_not_found' : 'app_stopped', detail };
}
