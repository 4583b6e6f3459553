/** The job of a broadcast: fixes its audience when its time has come, sends, and ends it. */
import { tally } from '@drawbridge/messaging/broadcast/tally.ts';
import type { Environment } from '../../platform/auth/principal.ts';
import type { Tx } from '../../platform/db/tx.ts';
import type { Job } from '../../platform/jobs/job.ts';
import { addEvents, type NewEvent } from '../../webhooks/store.ts';
import { findApp } from '../apps/store.ts';
import type { Place } from '../contacts/store.ts';
import { eventOf } from '../messages/events.ts';
import { shortForBroadcast } from '../tenants/short-of-funds.ts';
import { findWallet, releaseMany } from '../tenants/wallet-store.ts';
import { walletNews } from '../tenants/wallet-watch.ts';
import { addChanges } from './count-store.ts';
import type { BroadcastEdge } from './edge.ts';
import { broadcastEvent } from './events.ts';
import { freeze } from './freeze.ts';
import { cancelQueued, costOfQueued, findProgress } from './message-store.ts';
import { Pump, type PumpEnd } from './pump.ts';
import { checkReach } from './reach.ts';
import { recover } from './recovery.ts';
import { type BroadcastRow, findBroadcast, lockBroadcast, setState } from './store.ts';

export type BroadcastJob = Job<{ readonly environment: Environment }>;

/** The clocks of a node and of the database may differ by so much. */
const skewMs = 1_000;
const busyMs = 1_000;
/** Messages that are canceled together. */
const cancelSize = 5_000;
/** Messages that are added up to say what is missing. */
const pricedMax = 100_000;

/**
 * Brings a broadcast as far as it goes now. The job is settled when it ends, or put off until there
 * is more to do.
 */
export async function advance(
  edge: BroadcastEdge,
  job: BroadcastJob,
  isStopping: () => boolean,
): Promise<void> {
  const place = { tenantId: job.tenantId, environment: job.payload.environment };
  const { db } = edge;
  for (;;) {
    const row = await db.tenant(place.tenantId, (tx) => findBroadcast(tx, place, job.key));
    if (row === undefined) return release(edge, place, job);
    switch (row.state) {
      case 'queued': {
        const isEarly = row.schedule_at.getTime() > edge.clock().getTime() + skewMs;
        if (isEarly) return putOff(edge, place, job, row.schedule_at);
        const retryAt = await askReach(edge, place, job, row, isStopping);
        if (retryAt !== undefined) return putOff(edge, place, job, retryAt);
        const frozen = await freeze(edge, place, row.id);
        if (frozen === undefined) return putOff(edge, place, job, inMs(edge, busyMs));
        break;
      }
      case 'running': {
        await recover(edge, place, job, row);
        const end = await new Pump(edge, place, job, row).run(isStopping);
        if (await conclude(edge, place, job, end)) return;
        break;
      }
      case 'paused':
        if (await letGo(edge, place, job)) return;
        break;
      case 'canceled':
      case 'failed':
        await recover(edge, place, job, row);
        await cancelRest(edge, place, job, row);
        return release(edge, place, job);
      case 'completed':
        return release(edge, place, job);
    }
  }
}

/** A provider that cannot say whom it reaches holds a broadcast up for so long. */
const askMsMax = 600_000;
const askAgainMs = 5_000;

/**
 * Asks the provider whom it reaches; undefined when there is no more to ask, else when to go on. Of
 * whom nothing was said, the sending tells.
 */
async function askReach(
  edge: BroadcastEdge,
  place: Place,
  job: BroadcastJob,
  { app_id, segment_id: segmentId, schedule_at }: BroadcastRow,
  isStopping: () => boolean,
): Promise<Date | undefined> {
  const { db, jobs, desk, clock } = edge;
  const app = await db.tenant(place.tenantId, (tx) => findApp(tx, place, app_id));
  if (app?.state !== 'active') return undefined;
  const goOn = async (tx: Tx) => {
    await jobs.hold(tx, [job]);
    return !isStopping();
  };
  const check = await checkReach(edge, place, { segmentId, opened: desk.open(place, app), goOn });
  if (check.kind === 'stopped') return clock();
  const isOver = clock().getTime() > schedule_at.getTime() + askMsMax;
  if (check.kind === 'checked' || check.kind === 'refused' || isOver) return undefined;
  const afterMs = 'afterMs' in check ? check.afterMs : undefined;
  return inMs(edge, afterMs ?? askAgainMs);
}

/** True when the job is settled; false when the broadcast must be looked at again. */
async function conclude(
  edge: BroadcastEdge,
  place: Place,
  job: BroadcastJob,
  end: PumpEnd,
): Promise<boolean> {
  switch (end.kind) {
    case 'changed':
      return false;
    case 'stopped':
      await putOff(edge, place, job, edge.clock());
      return true;
    case 'later':
      await putOff(edge, place, job, end.at);
      return true;
    case 'empty':
      return settle(edge, place, job, async (tx, row) => {
        const progress = await findProgress(tx, place, row.id);
        if (progress?.due_at !== null) return undefined;
        const change = { state: 'completed', reason: null, detail: null } as const;
        return { change, event: 'completed' };
      });
    case 'halted': {
      const { reason, detail } = end;
      return settle(edge, place, job, async (tx, row) => {
        if (reason === 'insufficient_funds') return pauseForFunds(tx, edge, place, row);
        return { change: { state: 'paused', reason, detail }, event: 'paused' };
      });
    }
  }
}

interface Settlement {
  readonly change: Parameters<typeof setState>[3];
  readonly event: 'completed' | 'paused';
  /** Told beside it. */
  readonly news?: NewEvent;
}

/** Undefined when nothing that costs anything is left: it may end. */
async function pauseForFunds(
  tx: Tx,
  { clock, random }: BroadcastEdge,
  place: Place,
  { id: broadcast_id }: BroadcastRow,
): Promise<Settlement | undefined> {
  const { tenantId, environment } = place;
  const cost = await costOfQueued(tx, place, broadcast_id, pricedMax);
  if (cost === undefined) return undefined;
  const wallet = await findWallet(tx, tenantId, environment);
  const detail = shortForBroadcast(cost, wallet);
  const data = { broadcast_id, environment, ...(wallet && walletNews(wallet)) };
  return {
    change: { state: 'paused', reason: 'insufficient_funds', detail },
    event: 'paused',
    news: eventOf(place, 'wallet.low', tenantId, data, clock(), random),
  };
}

/** Changes the state and ends the job in one transaction, unless somebody was faster. */
function settle(
  edge: BroadcastEdge,
  place: Place,
  job: BroadcastJob,
  decide: (tx: Tx, row: BroadcastRow) => Promise<Settlement | undefined>,
): Promise<boolean> {
  const { db, jobs, clock } = edge;
  const { tenantId } = place;
  return db.tenant(tenantId, async (tx) => {
    const row = await lockBroadcast(tx, place, job.key, { isPatient: true });
    const settlement = row?.state === 'running' ? await decide(tx, row) : undefined;
    if (row === undefined || settlement === undefined) return false;
    const now = clock();
    const { change, event, news } = settlement;
    const changed = await setState(tx, place, row.id, change, now);
    const told = broadcastEvent(edge, place, event, changed!, now);
    await addEvents(tx, tenantId, news === undefined ? [told] : [told, news]);
    await jobs.complete(tx, tenantId, [job]);
    return true;
  });
}

/** Ends the job of what is paused; false when it goes on already. */
function letGo(edge: BroadcastEdge, place: Place, job: BroadcastJob): Promise<boolean> {
  return edge.db.tenant(place.tenantId, async (tx) => {
    // Whoever resumes it locks it first: either sees this job gone, or is seen here.
    const row = await lockBroadcast(tx, place, job.key, { isPatient: true });
    if (row !== undefined && row.state !== 'paused') return false;
    await edge.jobs.complete(tx, place.tenantId, [job]);
    return true;
  });
}

/** What has not gone never goes. */
async function cancelRest(
  { db, jobs, clock }: BroadcastEdge,
  place: Place,
  job: BroadcastJob,
  { id: broadcast_id, channel }: BroadcastRow,
): Promise<void> {
  const { tenantId, environment } = place;
  for (let isDone = false; !isDone; ) {
    isDone = await db.tenant(tenantId, async (tx) => {
      await jobs.hold(tx, [job]);
      const ids = await cancelQueued(tx, place, broadcast_id, cancelSize);
      await releaseMany(tx, tenantId, environment, ids);
      const counts = tally({ canceled: ids.length });
      if (ids.length > 0) {
        await addChanges(tx, place, [{ broadcast_id, channel, at: clock(), ...counts }]);
      }
      return ids.length < cancelSize;
    });
  }
}

function release({ db, jobs }: BroadcastEdge, { tenantId }: Place, job: Job): Promise<void> {
  return db.tenant(tenantId, (tx) => jobs.complete(tx, tenantId, [job]));
}

function putOff({ db, jobs }: BroadcastEdge, { tenantId }: Place, job: Job, runAt: Date) {
  return db.tenant(tenantId, (tx) => jobs.reschedule(tx, tenantId, [{ job, runAt }]));
}

function inMs({ clock }: BroadcastEdge, ms: number): Date {
  return new Date(clock().getTime() + ms);
}
